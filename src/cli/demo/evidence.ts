import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectKeyOf } from '../../claude/project-key.ts';
import { openReadOnly, type ReadOnlyConnection } from '../../database/open-read-only.ts';
import { segmentRecord } from '../../ledger/attempt-rows.ts';
import { type ManifestRow, manifestRow } from '../../ledger/manifest-row.ts';
import { type EntryRow, prepareStatements } from '../../sessions/sqlite/statements.ts';

/** Marks of the agents whose rows are still open in the database; empty without one. */
export function openMarks(runDir: string): string[] {
  return withDatabase(runDir, [], (connection) =>
    connection
      .prepare<[], string>(
        'SELECT segment FROM attempt_rows WHERE closed = 0 AND segment IS NOT NULL',
      )
      .pluck()
      .all()
      .map((text) => segmentRecord.parse(JSON.parse(text)).mark),
  );
}

/** The stored rows of a session's main conversation, as they stand on disk. */
export function storedEntries(
  runDir: string,
  workspace: string,
  sessionId: string,
): readonly EntryRow[] {
  return withDatabase(runDir, [], (connection) => {
    const statements = prepareStatements(connection);
    const stream = statements.findStream.get(projectKeyOf(workspace), sessionId, '');
    return stream === undefined ? [] : statements.entriesFrom.all(stream.id, 0);
  });
}

/** The rows of `manifest.json`. */
export function manifestRows(runDir: string): readonly ManifestRow[] {
  const text = readFileSync(join(runDir, 'manifest.json'), 'utf8');
  return z.array(manifestRow).parse(JSON.parse(text));
}

/** Lines of a file of the project; 0 when it is not there. */
export function lineCount(path: string): number {
  if (!existsSync(path)) return 0;
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '').length;
}

const statusOutput = z.object({
  woke: z.number(),
  lastRun: z.object({ outcome: z.enum(['finished', 'unfinished', 'running']) }).nullable(),
  steps: z.array(z.object({ step: z.string(), sessionId: z.string(), state: z.string() })),
});

/** What `flower status --json` said, as far as the demo needs it. */
export type SeenStatus = z.infer<typeof statusOutput>;

/** Reads the output of `flower status --json`. */
export function parseStatus(output: string): SeenStatus {
  return statusOutput.parse(JSON.parse(output));
}

/** The database may not be there yet, or be of another form for a moment. */
function withDatabase<Result>(
  runDir: string,
  otherwise: Result,
  read: (connection: ReadOnlyConnection) => Result,
): Result {
  const path = join(runDir, 'sessions.db');
  const connection = existsSync(path) ? openReadOnly(path) : undefined;
  if (connection === undefined) return otherwise;
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}
