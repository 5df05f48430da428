import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations } from './migrations.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'on-disk.md'), 'utf8');

it('docs/on-disk.md names every table of the database, and no other', () => {
  const section = page.split('## sessions.db\n')[1]?.split('\n## ')[0] ?? '';
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map((match) => match[1] ?? '');
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]));
  expect(named.sort()).toEqual(tables());
});

function tables(): string[] {
  const connection = new Database(':memory:');
  try {
    for (const { sql } of migrations) connection.exec(sql);
    return connection
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
  } finally {
    connection.close();
  }
}
