import { describe, expect, it } from 'vitest';
import { assistant, call, user } from './fixtures/rows.ts';
import { injectedResult, isAgentCall, pendingAgentResult } from './injected-result.ts';
import { turnState } from './turn-state.ts';

const start = user(undefined, 'Work.');
const agent = assistant(start, [call('t1', 'Agent', {})], { id: 'msg_a' });
const bash = assistant(agent, [call('t2')], { id: 'msg_a' });
const place = { uuid: 'new', sessionId: 's', timestamp: '2026-11-30T00:00:00.000Z' };

function pendingCalls(): Extract<ReturnType<typeof turnState>, { kind: 'cut' }>['pendingCalls'] {
  const state = turnState([start, agent, bash]);
  return state.kind === 'cut' ? state.pendingCalls : [];
}

describe('injectedResult', () => {
  it('has the fields that the binary needs', () => {
    const [first] = pendingCalls();
    if (first === undefined) throw new Error('no pending call');
    expect(injectedResult(first, 'Yes.', place)).toEqual({
      type: 'user',
      uuid: 'new',
      parentUuid: agent.uuid,
      sourceToolAssistantUUID: agent.uuid,
      isSidechain: false,
      timestamp: '2026-11-30T00:00:00.000Z',
      sessionId: 's',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Yes.' }],
      },
    });
  });

  it('answers the call: only the others stay pending', () => {
    const [first] = pendingCalls();
    if (first === undefined) throw new Error('no pending call');
    const answered = turnState([start, agent, bash, pendingAgentResult(first, 'a1', place)]);
    expect(answered).toMatchObject({ at: 'tool-use', pendingCalls: [{ id: 't2' }] });
  });

  it('tells how to continue the agent, or that it never began', () => {
    const [first] = pendingCalls();
    if (first === undefined) throw new Error('no pending call');
    const known = JSON.stringify(pendingAgentResult(first, 'a1f0', place));
    expect(known).toMatch(/continue it with SendMessage to \\"a1f0\\"/);
    const unknown = JSON.stringify(pendingAgentResult(first, undefined, place));
    expect(unknown).not.toContain('SendMessage');
    expect(unknown).toContain('start it again');
  });

  it('hangs on another row when told so', () => {
    const [first] = pendingCalls();
    if (first === undefined) throw new Error('no pending call');
    const row = injectedResult(first, 'Yes.', { ...place, parentUuid: bash.uuid });
    expect(row).toMatchObject({ parentUuid: bash.uuid, sourceToolAssistantUUID: agent.uuid });
  });

  it('knows agent calls by both names', () => {
    const [first, second] = pendingCalls();
    if (first === undefined || second === undefined) throw new Error('no pending calls');
    expect([isAgentCall(first), isAgentCall(second)]).toEqual([true, false]);
    expect(isAgentCall({ ...first, name: 'Task' })).toBe(true);
  });
});
