import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processProgram } from '../../../src/run/programs/process-program.ts';
import {
  type EmbeddedDatabase,
  openEmbeddedDatabase,
} from '../../../src/webhooks/deliveries/embedded-database.ts';
import { copyDatabase } from '../../support/shared/copy-database.ts';

const program = processProgram('database-process');
const folder = mkdtempSync(path.join(tmpdir(), 'anode-database-'));
let database: EmbeddedDatabase;
beforeAll(async () => {
  await copyDatabase(folder);
  database = await openEmbeddedDatabase(program, folder);
});
afterAll(() => database.close());

/** The process that holds the database, as its lock names it. */
const holder = () => Number(readFileSync(path.join(folder, 'database-process.lock'), 'utf8').split(' ')[0]);

it('runs one statement with parameters, and several without', async () => {
  const at = new Date('2026-05-04T03:02:01Z');
  expect(await database.query('SELECT $1::text AS word, $2::timestamptz AS at', ['one', at])).toEqual({
    rows: [{ word: 'one', at }],
  });
  expect(await database.query('SELECT 1 AS one')).toEqual({ rows: [{ one: 1 }] });
  expect(await database.exec('SELECT 1 AS one; SELECT 2 AS two, NULL AS none')).toEqual([
    { rows: [{ one: 1 }] },
    { rows: [{ two: 2, none: null }] },
  ]);
});

it("reports the database's message of a failed statement, and continues", async () => {
  await expect(database.query('SELECT nothing')).rejects.toEqual(
    new Error('The embedded database says: column "nothing" does not exist'),
  );
  expect(await database.query('SELECT 1 AS one')).toEqual({ rows: [{ one: 1 }] });
});

it('is not ended by Ctrl-C, which reaches the whole process group', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(holder(), signal);
  expect(await database.query('SELECT 1 AS one')).toEqual({ rows: [{ one: 1 }] });
});

it("gets none of the App's variables, which include keys", () => {
  expect(readFileSync(`/proc/${holder()}/environ`, 'utf8')).not.toContain('PATH=');
});

it('rejects pending queries when its process is killed, and restarts it for the next one', async () => {
  await database.exec('CREATE TABLE kept (word text); INSERT INTO kept VALUES ($$before$$)');
  const killed = holder();
  const inHand = database.query('SELECT pg_sleep(600)');
  process.kill(killed, 'SIGKILL');
  await expect(inHand).rejects.toEqual(new Error('The process of the embedded database ended (SIGKILL).'));
  const asked = ['SELECT word FROM kept', 'SELECT 1 AS one'].map((text) => database.query(text));
  expect(await Promise.all(asked)).toEqual([{ rows: [{ word: 'before' }] }, { rows: [{ one: 1 }] }]);
  expect(holder()).not.toBe(killed);
});

it('leaves neither a process nor a lock when it is closed', async () => {
  const place = mkdtempSync(path.join(tmpdir(), 'anode-database-'));
  await copyDatabase(place);
  const other = await openEmbeddedDatabase(program, place);
  expect(readdirSync(place).toSorted()).toEqual(['database', 'database-process.lock']);
  await other.close();
  expect(readdirSync(place)).toEqual(['database']);
  await expect(other.exec('SELECT 1')).rejects.toEqual(new Error('The embedded database is closed.'));
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(place);
});

it('throws the reason if the database cannot be opened', async () => {
  await expect(openEmbeddedDatabase(program, '/proc/nowhere')).rejects.toThrow(
    /^The embedded database says: ENOENT: no such file or directory, open '\/proc\/nowhere\/database-process\.lock/,
  );
  await expect(openEmbeddedDatabase('/nowhere/program.js', folder)).rejects.toEqual(
    new Error('The process of the embedded database ended (exit code 1).'),
  );
});
