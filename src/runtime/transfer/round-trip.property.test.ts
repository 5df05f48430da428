import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectKeyOf } from '../../claude/project-key.ts';
import { openReadOnly } from '../../database/open-read-only.ts';
import { runTables, tableRows } from '../../database/table-rows.ts';
import { temporaryDirectories } from '../../files/__fixtures__/temporary-directory.ts';
import { AttemptRows } from '../../ledger/attempt-rows.ts';
import { manifestRow } from '../../ledger/manifest-row.ts';
import type { TranscriptEntry } from '../../transcript/entry.ts';
import { RunDirectory } from '../run-directory.ts';
import { exportRun } from './export-run.ts';
import { importRun } from './import-run.ts';

const makeDirectory = temporaryDirectories();

const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));
const anyEntry = fc
  .record({ type: fc.constantFrom('user', 'assistant', 'mode'), uuid: fc.uuid(), text: anyText })
  .map((entry): TranscriptEntry => JSON.parse(JSON.stringify(entry)) as TranscriptEntry);
const anyRun = fc.record({
  sessions: fc.array(
    fc.record({
      id: fc.uuid(),
      step: fc.option(fc.constantFrom('work', 'main/one', '干活'), { nil: undefined }),
      main: fc.array(anyEntry, { minLength: 1, maxLength: 6 }),
      agent: fc.array(anyEntry, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  files: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,4}(?:\/[a-z]{1,4})?\.(?:md|bin)$/),
    fc.uint8Array({ maxLength: 200 }),
    { maxKeys: 4 },
  ),
});

interface Made {
  readonly workspace: string;
  readonly runDir: string;
}

function places(): Made {
  const root = makeDirectory();
  const workspace = join(root, 'work space');
  mkdirSync(workspace);
  return { workspace, runDir: join(root, 'runs') };
}

type Run = typeof anyRun extends fc.Arbitrary<infer Value> ? Value : never;

async function make(run: Run): Promise<Made> {
  const made = places();
  const directory = RunDirectory.open(made);
  const { lineage, flush } = directory.lineage();
  for (const { id, step, main, agent } of run.sessions) {
    const key = { projectKey: directory.projectKey, sessionId: id };
    await directory.store.append(key, main);
    await directory.store.append({ ...key, subpath: 'subagents/agent-1' }, agent);
    if (step !== undefined) lineage.remember(step, id);
  }
  const row = manifestRow.parse({ run: 'r1', step: 'work', cost_usd: 0.5 });
  new AttemptRows(directory.database).import([row]);
  flush();
  directory.close();
  for (const [name, bytes] of Object.entries(run.files)) {
    const path = join(made.workspace, '.flower', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return made;
}

/** Every table but what belongs to one place. */
function tables({ workspace, runDir }: Made): unknown {
  const connection = openReadOnly(join(runDir, 'sessions.db'));
  if (connection === undefined) throw new Error('no database');
  const named = runTables(connection)
    // Who owns an imported session is noted at the import.
    .filter(({ name }) => name !== 'session_owners')
    .map((table) => {
      const rows = [...tableRows(connection, table)].map((row) =>
        row.map((cell) => {
          if (cell === workspace) return 'W';
          return cell === projectKeyOf(workspace) ? 'P' : cell;
        }),
      );
      return [table.name, rows];
    });
  connection.close();
  return Object.fromEntries(named) as unknown;
}

function files({ workspace }: Made): unknown {
  const base = join(workspace, '.flower');
  const names = readdirSync(workspace).includes('.flower')
    ? readdirSync(base, { recursive: true, encoding: 'utf8' })
    : [];
  return names
    .filter((name) => name !== '.gitignore' && statSync(join(base, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(base, name)).toString('hex')]);
}

describe('export and import', () => {
  it('keep every row and every file of any run', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (run) => {
        const made = await make(run);
        const before = tables(made);
        const file = join(dirname(made.runDir), 'run.flower');
        await exportRun({ ...made, file, secrets: undefined, env: { HOME: made.runDir } });
        const copy = places();
        await importRun({ ...copy, file });
        expect(tables(copy)).toEqual(before);
        expect(files(copy)).toEqual(files(made));
        const text = readFileSync(join(copy.runDir, 'lineage.json'), 'utf8');
        expect(JSON.parse(text)).toMatchObject({ workspace: copy.workspace });
      }),
      { numRuns: 12 },
    );
  });
});
