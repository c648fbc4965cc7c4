import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('a run reads and searches registered repositories, writes none, and reports missing ones', async () => {
  const folder = await local.checkout({ 'a.txt': 'needle here\n' });
  const lib = await local.checkout({ 'b.txt': 'needle there\n' });
  const shown = path.relative(folder, lib);
  const config = path.join(path.dirname(lib), 'registered.yml');
  await writeFile(config, `workspace:\n  repos: [{ name: lib, path: ${shown} }, ../missing]\n`);
  let results = '';
  let first = '';
  local.learn('look around', (turn, request) => {
    if (turn === 1) {
      first = JSON.stringify(request);
      const calls = [
        call('grep', { pattern: 'needle' }),
        call('read', { path: `${shown}/b.txt` }),
        call('create_file', { path: `${shown}/c.txt`, content: 'x' }),
      ];
      return { calls };
    }
    results = lastResults(request);
    return { text: 'Seen.' };
  });
  const args = ['run', '--prompt', 'look around', '--config', config];
  expect(await local.anode(folder, args)).toMatchObject({ code: 0 });
  expect([
    results.includes(`a.txt:1:needle here\n${shown}/b.txt:1:needle there`),
    results.includes('1\tneedle there'),
    results.includes(`\`${shown}/c.txt\` may only be read.`),
    first.includes(`Other repositories, for reading only: ${shown}/ (lib).`),
  ]).toEqual([true, true, true, true]);
  const record = path.join(folder, '.anode-harness');
  const run = (await readdir(record)).find((name) => name.startsWith('run_')) ?? '';
  expect(JSON.parse(await readFile(path.join(record, run, 'outcome.json'), 'utf8'))).toMatchObject({
    diagnostics: ['workspace.repos.1 (../missing) is left out: there is no such folder.'],
  });
  expect(await local.git(lib, 'status', '--porcelain')).toBe('');
});
