import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectories } from '../files/__fixtures__/temporary-directory.ts';
import { openRunDatabase, type RunDatabase } from './run-database.ts';
import { salvageDatabase } from './salvage.ts';

const temporaryDirectory = temporaryDirectories();
const rowCount = 120;
let damaged: string;
let opened: RunDatabase[];

beforeEach(() => {
  damaged = join(temporaryDirectory(), 'sessions.db');
  opened = [];
  const database = openRunDatabase(damaged);
  database.connection.exec("CREATE TABLE entries (text); INSERT INTO entries VALUES ('python')");
  database.connection.exec(
    "INSERT INTO session_streams VALUES (1, 'p', 's', '', 0, 0, 0); PRAGMA wal_checkpoint",
  );
  for (let row = 0; row < rowCount; row += 1) addRow(database, row);
  database.close();
});

afterEach(() => {
  for (const database of opened) database.close();
});

function addRow({ connection }: RunDatabase, row: number): void {
  const payload = { type: 'user', uuid: `u${row}`, text: randomBytes(900).toString('hex') };
  connection
    .prepare('INSERT INTO session_entries (stream, sequence, uuid, payload) VALUES (1, ?, ?, ?)')
    .run(row, payload.uuid, JSON.stringify(payload));
}

/** A fresh database that is filled from the damaged one. */
function salvaged(): RunDatabase {
  const database = openRunDatabase(join(temporaryDirectory(), 'sessions.db'));
  opened.push(database);
  salvageDatabase(database.connection, damaged);
  return database;
}

function uuids({ connection }: RunDatabase): string[] {
  return connection
    .prepare<[], string>('SELECT uuid FROM session_entries ORDER BY sequence')
    .pluck()
    .all();
}

function overwrite(from: number, length: number): void {
  const descriptor = openSync(damaged, 'r+');
  writeSync(descriptor, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(descriptor);
}

describe('salvageDatabase', () => {
  it('takes over all of a sound one, tables of a Python flower among it', () => {
    const database = salvaged();
    expect(uuids(database)).toHaveLength(rowCount);
    const text = database.connection.prepare('SELECT text FROM entries').pluck().get();
    expect(text).toBe('python');
  });

  it('loses little more than the broken pages', () => {
    const { size } = statSync(damaged);
    for (const part of [0.4, 0.6, 0.8]) overwrite(Math.floor((size * part) / 4096) * 4096, 4096);
    expect(uuids(salvaged()).length).toBeGreaterThan(rowCount - 15);
  });

  it('leaves out rows whose text was written over', () => {
    const bytes = readFileSync(damaged);
    bytes.fill(0x5a, bytes.indexOf('"uuid":"u60"'), bytes.indexOf('"uuid":"u60"') + 6);
    writeFileSync(damaged, bytes);
    const found = uuids(salvaged());
    expect(found).not.toContain('u60');
    expect(found).toHaveLength(rowCount - 1);
  });

  it('goes on counting behind the rows that were found', () => {
    const { connection } = salvaged();
    const next = connection.prepare('SELECT next_sequence FROM session_streams').pluck().get();
    expect(next).toBe(rowCount);
  });

  it('leaves the damaged file as it is', () => {
    overwrite(40_960, 8192);
    const before = readFileSync(damaged);
    salvaged();
    expect(readFileSync(damaged).equals(before)).toBe(true);
  });

  it('makes a sound database of any damage', () => {
    const whole = readFileSync(damaged);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 20_000 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (places) => {
          const bytes = Buffer.from(whole);
          for (const [from, length] of places) {
            bytes.fill(0xa5, from, Math.min(from + length, bytes.length));
          }
          writeFileSync(damaged, bytes);
          const fresh = openRunDatabase(join(temporaryDirectory(), 'sessions.db'));
          try {
            salvageDatabase(fresh.connection, damaged);
          } catch (error) {
            if (!(error instanceof Database.SqliteError)) throw error;
          }
          const verdict = fresh.connection.pragma('integrity_check', { simple: true });
          const broken = fresh.connection.pragma('foreign_key_check') as unknown[];
          fresh.close();
          return verdict === 'ok' && broken.length === 0;
        },
      ),
      { numRuns: 25 },
    );
  });
});
