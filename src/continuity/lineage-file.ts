import { z } from 'zod';

const sessionIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const lineageFile = z.object({
  workspace: z.string(),
  woke: z.number().int().nonnegative().catch(0),
  steps: z.record(z.string(), z.unknown()).catch({}),
});

/** What `lineage.json` says. */
export interface LineageFile {
  readonly workspace: string;
  readonly woke: number;
  /** Session by step key; values that are no session ids are absent. */
  readonly steps: Readonly<Record<string, string>>;
  /** Step keys whose values are no session ids: the file is damaged there. */
  readonly unusable: readonly string[];
}

/** True for a session id: nothing else is handed to the binary. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && sessionIdPattern.test(value);
}

/** Reads the text of a `lineage.json`; `undefined` when it is damaged. */
export function parseLineage(text: string): LineageFile | undefined {
  const parsed = lineageFile.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const steps = Object.entries(parsed.data.steps).filter((entry): entry is [string, string] =>
    isSessionId(entry[1]),
  );
  const unusable = Object.entries(parsed.data.steps)
    .filter(([, id]) => !isSessionId(id) && id !== '')
    .map(([key]) => key);
  return { ...parsed.data, steps: Object.fromEntries(steps), unusable };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
