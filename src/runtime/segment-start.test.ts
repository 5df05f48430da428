import { describe, expect, it } from 'vitest';
import type { SessionStanding } from '../claude/engine.ts';
import type { CutPlace, TurnState } from '../transcript/turn-state.ts';
import { type Saying, segmentStart } from './segment-start.ts';

const entry = { type: 'user' };
const goOn: Saying = { prompt: 'Do it.', text: 'Go on.', continuing: true, rollback: false };
const anew: Saying = { prompt: 'Do it.', text: 'Do it.', continuing: false, rollback: false };
const complete: TurnState = {
  kind: 'complete',
  interrupted: false,
  stopReason: 'end_turn',
  entry,
};

function cut(at: CutPlace): TurnState {
  return { kind: 'cut', at, pendingCalls: [], entry, isTurnCap: false };
}

function standing(turn: TurnState, exists = true): SessionStanding {
  return {
    exists,
    turn,
    isWhole: true,
    turnText: '',
    structuredOutput: undefined,
    recovered: 0,
    nextSequence: exists ? 4 : 0,
  };
}

describe('segmentStart', () => {
  it.each<[string, SessionStanding, Saying, string, string]>([
    ['no record yet', standing({ kind: 'empty' }, false), goOn, 'new', 'Do it.'],
    ['a complete turn', standing(complete), goOn, 'prompt', 'Go on.'],
    ['cut at the prompt, going on', standing(cut('prompt')), goOn, 'turn', 'Go on.'],
    ['cut at the prompt, something new', standing(cut('prompt')), anew, 'prompt', 'Do it.'],
    ['cut in a call', standing(cut('tool-use')), goOn, 'turn', 'Go on.'],
    ['cut in a call, something new', standing(cut('tool-use')), anew, 'turn', 'Do it.'],
    ['cut after a result', standing(cut('tool-result')), goOn, 'turn', 'Go on.'],
    ['cut in the answer', standing(cut('answer')), goOn, 'prompt', 'Go on.'],
    ['a rollback', standing(cut('tool-use')), { ...anew, rollback: true }, 'prompt', 'Do it.'],
  ])('%s', (_, stands, saying, start, prompt) => {
    expect(segmentStart(stands, saying)).toEqual({ start, prompt });
  });

  it.each<CutPlace>(['prompt', 'tool-use', 'tool-result'])(
    'a text too long for the environment is said as a message (cut at %s)',
    (at) => {
      const text = 'ы'.repeat(40_000);
      expect(segmentStart(standing(cut(at)), { ...goOn, text })).toEqual({
        start: 'prompt',
        prompt: text,
      });
    },
  );
});
