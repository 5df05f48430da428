import type { ContinuedSession, FlowerEvent } from '../../events/event.ts';
import type { Catalogue } from '../locales/catalogue.ts';
import type { RecordLine } from './record-line.ts';

type RunStart = Extract<FlowerEvent, { type: 'run-start' }>;

const sessionsShown = 3;

/**
 * The wake line: which sessions go on, how big each is and whether its prompt cache still lives.
 * What is not known is left out. The biggest come first.
 */
export function wakeLines(event: RunStart, texts: Catalogue): RecordLine[] {
  const continues = [...event.continues].sort((a, b) => b.context - a.context);
  const shown = continues.slice(0, sessionsShown);
  const lines = shown.map((session) => {
    const parts = knownParts(session, event.at, texts);
    return texts.wake.continues(session.step, parts);
  });
  const rest = continues.length - shown.length;
  if (rest > 0) lines.push(texts.wake.more(rest));
  return lines.map((text) => ({ style: 'dim', mark: '  ', text }));
}

function knownParts(
  { context, cache, lastAt, sessionId }: ContinuedSession,
  now: string,
  { wake, formats }: Catalogue,
): string[] {
  const parts: string[] = [];
  if (context > 0) parts.push(wake.context(formats.tokens(context)));
  if (cache !== 'unknown') parts.push(wake.cache[cache]);
  const ageMs = lastAt === null ? Number.NaN : Date.parse(now) - Date.parse(lastAt);
  if (ageMs >= 0) parts.push(wake.lastRecord(formats.duration(ageMs)));
  return parts.length > 0 ? parts : [sessionId];
}
