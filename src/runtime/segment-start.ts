import type { SegmentStart, SessionStanding } from '../claude/engine.ts';

/** The longest text that is handed over in an environment variable, in bytes. */
const wakeTextLimitBytes = 60_000;

/** What the agent is to hear. */
export interface Saying {
  /** The text. */
  readonly text: string;
  /** True when it only says "go on": a cut turn is then continued where it broke. */
  readonly continuing: boolean;
  /** The run's own prompt, for a session that has no record yet. */
  readonly prompt: string;
  /** True when the session is rolled back first. */
  readonly rollback: boolean;
}

/** How a segment begins in a session that stands like this. */
export function segmentStart(
  standing: SessionStanding,
  saying: Saying,
): { readonly start: SegmentStart; readonly prompt: string } {
  if (!standing.exists) return { start: 'new', prompt: saying.prompt };
  const said = { start: 'prompt', prompt: saying.text } as const;
  if (saying.rollback || standing.turn.kind !== 'cut') return said;
  const inTurn = { start: 'turn', prompt: saying.text } as const;
  if (Buffer.byteLength(saying.text) > wakeTextLimitBytes) return said;
  switch (standing.turn.at) {
    case 'answer':
      // The binary takes a text that broke off for complete and would wait.
      return said;
    case 'prompt':
      // It was never answered: a mid-turn wake sends it again, the text behind it (measured).
      return saying.continuing ? inTurn : said;
    default:
      return inTurn;
  }
}
