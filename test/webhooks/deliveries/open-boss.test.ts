import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import { processProgram } from '../../../src/run/programs/process-program.ts';
import { openBoss } from '../../../src/webhooks/deliveries/open-boss.ts';
import { copyDatabase } from '../../support/shared/copy-database.ts';

const program = processProgram('database-process');
const folder = (): string => mkdtempSync(join(tmpdir(), 'anode-boss-'));
const fail = (error: unknown): never => {
  throw error;
};

test('an embedded database belongs to one App until it is closed', async () => {
  const directory = folder();
  await copyDatabase(directory);
  const opened = await openBoss({ url: null, directory, program }, fail);
  expect([opened.embedded, readdirSync(directory).toSorted()]).toEqual([
    true,
    ['database', 'database-process.lock', 'database.lock'],
  ]);
  await expect(openBoss({ url: null, directory, program }, fail)).rejects.toBeInstanceOf(ConfigError);
  await opened.boss.stop();
  await opened.closeDatabase();
  expect(readdirSync(directory)).toEqual(['database']);
});

test('a database that cannot be opened leaves no lock in its folder', async () => {
  const directory = join(folder(), 'a', 'b');
  await expect(openBoss({ url: null, directory, program: '/nowhere/program.js' }, fail)).rejects.toEqual(
    new Error('The process of the embedded database ended (exit code 1).'),
  );
  expect(readdirSync(directory)).toEqual([]);
});

test('an unreachable database server is an error, and no folder is made', async () => {
  const directory = join(folder(), 'a');
  const url = 'postgres://nobody@127.0.0.1:1/none';
  await expect(openBoss({ url, directory, program }, () => {})).rejects.toThrow('ECONNREFUSED 127.0.0.1:1');
  expect(readdirSync(join(directory, '..'))).toEqual([]);
});
