import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  conversationText,
  createTestHome,
  type ScriptedApi,
  type ScriptedRequest,
  type ScriptReply,
  startScriptedApi,
  structuredReply,
  type TestHome,
  textReply,
  toolReply,
} from '../src/testing/index.ts';
import { type BuiltCall, builtFlower } from './support/built-command.ts';

const examples = join(import.meta.dirname, '../examples');

let api: ScriptedApi;
let home: TestHome;
let call: BuiltCall | undefined;

afterEach(async () => {
  call?.kill('SIGTERM');
  await call?.ended;
  await api.close();
  await home.dispose();
});

/** Runs an example to its end, in a workspace of its own. */
async function run(example: string, script: () => readonly ScriptReply[]): Promise<void> {
  api = await startScriptedApi({ script: (_request, index) => script()[index] });
  home = await createTestHome({ api, files: { 'README.md': '# beds\n', 'CHANGES.txt': 'x\n' } });
  const target = `${join(examples, example)}:main`;
  const options = { cwd: home.workspace, env: home.env };
  call = builtFlower(['run', target], options);
  const { exitCode, stderr } = await call.ended;
  if (exitCode !== 0) throw new Error(`${example} ended with ${exitCode}: ${stderr}`);
}

function write(name: string, content: string): ScriptReply {
  return toolReply({ name: 'Write', input: { file_path: join(home.workspace, name), content } });
}

function edit(name: string, before: string, after: string): ScriptReply {
  const input = { file_path: join(home.workspace, name), old_string: before, new_string: after };
  return toolReply({ name: 'Edit', input });
}

interface Row {
  readonly step: string;
  readonly session_id: string;
}

function rows(): readonly Row[] {
  const text = readFileSync(join(home.workspace, 'runs', 'manifest.json'), 'utf8');
  return JSON.parse(text) as Row[];
}

function fileText(name: string): string {
  return readFileSync(join(home.workspace, name), 'utf8');
}

function mainRequests(): readonly ScriptedRequest[] {
  return api.requests.filter(({ kind }) => kind === 'main');
}

describe('examples/notes.ts', () => {
  it('hands the answer of one step to the next', async () => {
    await run('notes.ts', () => [
      textReply('It promises beds.'),
      write('NOTES.md', 'Beds are promised.\n'),
      textReply('Written.'),
    ]);
    expect(fileText('NOTES.md')).toBe('Beds are promised.\n');
    expect(rows().map(({ step }) => step)).toEqual(['read', 'write']);
    expect(mainRequests()[1]?.lastUserText).toContain('from this:\n\nIt promises beds.');
  });
});

describe('examples/review-loop.ts', () => {
  const toShip = (): ScriptReply[] => [
    write('RELEASE.md', 'Beds.\n'),
    textReply('Done.'),
    edit('RELEASE.md', 'Beds.', '# Beds\n\nThere are beds.'),
    textReply('Now it has a heading.'),
  ];

  it('rejects, reviews in a branch, and revises in the conversation of the writer', async () => {
    await run('review-loop.ts', () => [
      ...toShip(),
      write('REVIEW.md', 'A reviewer must not write.\n'),
      structuredReply({ verdict: 'revise', findings: ['Which beds?'] }),
      edit('RELEASE.md', 'beds', 'rose beds'),
      textReply('Revised.'),
    ]);
    expect(fileText('RELEASE.md')).toBe('# Beds\n\nThere are rose beds.\n');
    const [draft, round, review, revise] = rows();
    expect([draft, round, review, revise].map((row) => row?.step)).toEqual([
      'draft',
      'draft#round2',
      'review',
      'revise',
    ]);
    expect(round?.session_id).toBe(draft?.session_id);
    expect(revise?.session_id).toBe(draft?.session_id);
    expect(review?.session_id).not.toBe(draft?.session_id);
    const objection = mainRequests()[2]?.lastUserText;
    expect(objection).toContain('The first line is not a "# " heading.');
    const [reviewing, revising] = [mainRequests()[4], mainRequests()[6]].map((request) =>
      request === undefined ? '' : conversationText(request),
    );
    expect(mainRequests()[5]?.toolResults[0]).toMatchObject({ isError: true });
    expect(existsSync(join(home.workspace, 'REVIEW.md'))).toBe(false);
    // The branch knows the draft; the draft does not know the branch.
    expect(reviewing).toContain('Now it has a heading.');
    expect(revising).toContain('A reviewer found:\nWhich beds?');
    expect(revising).not.toContain('Now judge RELEASE.md');
  });

  it('skips the revision when the reviewer would ship', async () => {
    await run('review-loop.ts', () => [
      ...toShip(),
      structuredReply({ verdict: 'ship', findings: [] }),
    ]);
    expect(rows().map(({ step }) => step)).toEqual(['draft', 'draft#round2', 'review']);
    expect(mainRequests()).toHaveLength(5);
  });
});
