import { describe, expect, it } from 'vitest';
import { INTERRUPT_TEXT } from './interrupt-text.ts';
import { failedOutcome } from './tool-outcome.ts';

const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was " +
  'a file edit, the new_string was NOT written to the file). STOP what you are doing.';
const stopped = `${rejected} Correction to the text above: this call was stopped while running.`;

describe('failedOutcome', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ['a deny rule', 'Permission denied', { toolDenialKind: 'permission-rule' }, 'denied'],
    ['words of a person', 'not here: use notes', { toolDenialKind: 'permission-rule' }, 'denied'],
    ['auto mode', 'blocked', { toolDenialKind: 'automode-blocked' }, 'denied'],
    ['auto mode that is away', 'none', { toolDenialKind: 'automode-unavailable' }, 'denied'],
    ['nobody to ask', 'x needs approval', { toolDenialKind: 'user-rejected' }, 'denied'],
    ['a no before it ran', rejected, { toolDenialBeforeRun: true }, 'denied'],
    ['an old no without a kind', rejected, {}, 'denied'],
    ['an old deny rule', 'Permission to use Write has been denied. IMPORTANT: …', {}, 'denied'],
    ['an old hook', 'PreToolUse:Bash hook error: [guard.sh]: no', {}, 'denied'],
    [
      'a path rule',
      '<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>',
      {},
      'denied',
    ],
    ['a decision word', 'x', { permissionDecision: 'deny' }, 'denied'],
    ['a decision object', 'x', { permissionDecision: { decision: 'reject' } }, 'denied'],
    ['an allowed failure', 'Exit code 1', { permissionDecision: { decision: 'allow' } }, 'failed'],
    ['a stopped call', stopped, { toolDenialKind: 'user-rejected' }, 'unknown'],
    ['a stopped call without the note', rejected, { toolDenialKind: 'user-rejected' }, 'unknown'],
    ['a died process', '[Tool call interrupted: …]', { toolDenialKind: 'interrupted' }, 'unknown'],
    ['any text of that kind', 'whatever', { toolDenialKind: 'interrupted' }, 'unknown'],
    ['an old interrupt', '[Request interrupted by user for tool use]', {}, 'unknown'],
    ['a new message', '[Tool call did not complete: re-run it.]', {}, 'unknown'],
    ['a skipped call', '[Tool call skipped: another failed]', {}, 'unknown'],
    ['a lost result', '[Tool result missing due to internal error]', {}, 'unknown'],
    [
      'a dead server',
      'The tool call was interrupted before a result was received. It may or may not …',
      {},
      'unknown',
    ],
    ['the neutral text', INTERRUPT_TEXT, {}, 'unknown'],
    ['a failed command', 'Exit code 1', {}, 'failed'],
    ['a killed command', 'Exit code 137', {}, 'failed'],
    ['a wrong input', '<tool_use_error>InputValidationError: x</tool_use_error>', {}, 'failed'],
    [
      'a missing tool',
      '<tool_use_error>Error: No such tool available: X</tool_use_error>',
      {},
      'failed',
    ],
    ['a quote', 'log: [Request interrupted by user for tool use]', {}, 'failed'],
    ['a quoted refusal', 'cat: Permission to use Bash has been denied.', {}, 'failed'],
    [
      'an unknown kind',
      'Permission to use Bash has been denied.',
      { toolDenialKind: 'new' },
      'failed',
    ],
  ])('%s', (_name, content, fields, outcome) => {
    const block = { type: 'tool_result', tool_use_id: 't', is_error: true, content };
    expect(failedOutcome({ type: 'user', ...fields }, block, false)).toBe(outcome);
    const asBlocks = { ...block, content: [{ type: 'text', text: content }] };
    expect(failedOutcome({ type: 'user', ...fields }, asBlocks, false)).toBe(outcome);
  });

  it('takes an old "no" for a stopped call when the turn was interrupted right after it', () => {
    const block = { type: 'tool_result', tool_use_id: 't', is_error: true, content: rejected };
    expect(failedOutcome({ type: 'user' }, block, true)).toBe('unknown');
  });
});
