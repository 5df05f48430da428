import { describe, expect, it } from 'vitest';
import type { TranscriptEntry } from './entry.ts';
import {
  apiError,
  assistant,
  call,
  denial,
  result,
  row,
  text,
  thinking,
  user,
  uuidsOf,
} from './fixtures/rows.ts';
import { shapeTranscript } from './shape.ts';
import { turnState } from './turn-state.ts';
import { turnText } from './turn-text.ts';
import { sumUsage } from './usage.ts';

const start = user(undefined, 'Work.', { sessionId: 'old' });

describe('shapeTranscript', () => {
  it('returns sound rows as the same objects', () => {
    const rows = [start, { type: 'mode' }, assistant(start, [thinking('hm'), text('ok')])];
    const shaped = shapeTranscript(rows);
    expect(shaped.entries.every((each, index) => each === rows[index])).toBe(true);
    expect(shaped).toMatchObject({ dropped: [], repaired: [], safe: true });
  });

  it('leaves the rows of an inline sidechain alone, also when they are damaged', () => {
    const side = { ...apiError(undefined), isSidechain: true };
    const lost = { ...user(undefined, 'x', { isSidechain: true }), parentUuid: 'gone' };
    const answer = assistant(start, [text('ok')]);
    expect(shapeTranscript([start, side, lost, answer]).entries).toEqual([
      start,
      side,
      lost,
      answer,
    ]);
  });

  it('shapes a subagent stream when it is told that it is one', () => {
    const prompt = user(undefined, 'List beds', { isSidechain: true });
    const error = { ...apiError(prompt), isSidechain: true };
    const next = user(error, 'continue', { isSidechain: true });
    const metadata = { type: 'agent_metadata', agentType: 'scout' };
    expect(shapeTranscript([metadata, prompt, error, next], { sidechain: true }).entries).toEqual([
      metadata,
      prompt,
      { ...next, parentUuid: prompt.uuid },
    ]);
  });

  it('gives rows the session id that it is told, and names the ones it changed', () => {
    const answer = assistant(start, [text('ok')], {}, { sessionId: 'new' });
    const bare = { type: 'mode', mode: 'normal' };
    const { entries, repaired } = shapeTranscript([start, answer, bare], { sessionId: 'new' });
    expect(entries).toEqual([{ ...start, sessionId: 'new' }, answer, bare]);
    expect(repaired).toEqual([{ uuid: start.uuid, what: 'session-id' }]);
  });

  it('does not take a half-written file for a whole one', () => {
    const half = { ...user(undefined, 'turn 3'), parentUuid: 'elsewhere' };
    expect(shapeTranscript([half]).safe).toBe(false);
    expect(shapeTranscript([]).safe).toBe(true);
  });

  it('takes an orphan result out of a message that says more', () => {
    const mixed = user(start, [result('gone', 'x'), text('Go on.')]);
    const { entries, repaired } = shapeTranscript([start, mixed]);
    expect(entries[1]?.message).toEqual({ role: 'user', content: [text('Go on.')] });
    expect(repaired).toEqual([{ uuid: mixed.uuid, what: 'orphan-result' }]);
  });

  it('makes texts well-formed at any depth, but not signed thinking', () => {
    const lone = 'half \ud83c';
    const asked = assistant(start, [
      thinking(lone),
      call('t', 'Write', { deep: [{ text: lone }] }),
    ]);
    const [, shaped] = shapeTranscript([start, asked]).entries;
    expect(shaped?.message).toMatchObject({
      content: [
        { type: 'thinking', thinking: lone },
        { type: 'tool_use', input: { deep: [{ text: 'half \ufffd' }] } },
      ],
    });
  });

  it('keeps two denials when it is told so', () => {
    const rows: TranscriptEntry[] = [start];
    for (const id of ['d1', 'd2', 'd3']) {
      const asked = assistant(rows.at(-1), [call(id)]);
      rows.push(asked, denial(asked, id));
    }
    rows.push(assistant(rows.at(-1), [text('ok')]));
    const { entries } = shapeTranscript(rows, { keepDenials: 2 });
    expect(uuidsOf(entries)).toEqual(
      uuidsOf([rows[0], ...rows.slice(3)].flatMap((each) => each ?? [])),
    );
  });

  it('works through 50,000 rows, and as long a run of errors, in linear time', () => {
    const rows: TranscriptEntry[] = [start];
    for (let turn = 0; rows.length < 50_000; turn += 1) {
      const asked = assistant(rows.at(-1), [call(`t${turn}`)]);
      const got =
        turn % 3 === 0 ? denial(asked, `t${turn}`) : user(asked, [result(`t${turn}`, 'x')]);
      const error = turn % 5 === 0 ? [apiError(got)] : [];
      rows.push(asked, got, ...error, row('attachment', error[0] ?? got, { attachment: {} }));
    }
    let last: TranscriptEntry = rows.at(-1) ?? start;
    for (let index = 0; index < 20_000; index += 1) {
      last = apiError(last);
      rows.push(last);
    }
    const startedAt = performance.now();
    const { entries, dropped } = shapeTranscript(rows);
    expect(turnState(entries).kind).toBe('cut');
    expect(turnText(entries)).toBe('');
    expect(sumUsage(rows).total.messages).toBeGreaterThan(15_000);
    expect(dropped.length).toBeGreaterThan(30_000);
    // Quadratic work on this many rows would take minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
