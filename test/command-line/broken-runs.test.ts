import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cliProgram } from '../support/program-files.ts';
import { call } from '../uses/support/conversation.ts';
import { type ProgramResult, projectRoot } from '../uses/support/run-program.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

vi.setConfig({ testTimeout: 120_000 });

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const args = ['run', '--model', 'anthropic/x', '--sandbox', 'off', '--prompt'];
const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });

/** `anode` in mounts of its own, which `mount` (shell, with the folders as `$1`, `$2`) makes and nobody else sees. */
async function mounted(
  folder: string,
  mount: string,
  places: readonly string[],
  words: readonly string[],
): Promise<ProgramResult> {
  const script = `set -e; n=$1; shift; ${mount}; shift $n; exec "$@"`;
  const program = [process.execPath, path.join(projectRoot, cliProgram), ...words];
  const given = ['-c', script, 'sh', String(places.length), ...places, ...program];
  const temporary = path.join(local.home, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const env = {
    ...{ PATH: process.env.PATH, HOME: local.home, TMPDIR: temporary },
    ...{ ANTHROPIC_BASE_URL: local.model.url, ANTHROPIC_API_KEY: localKey },
  };
  const running = promisify(execFile)('unshare', ['-rm', 'sh', ...given], { cwd: folder, env });
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: ProgramResult) => ({ code, stdout, stderr }),
  );
}

test('a record that the checkout does not take costs neither the answer nor the changes', async () => {
  local.learn('paint it', (turn) =>
    turn === 1 ? { text: 'Painting.', calls: [paint] } : { text: 'It is blue.' },
  );
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const records = path.join(folder, '.anode-harness');
  await mkdir(records);
  const readOnly = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"';
  const { code, stdout, stderr } = await mounted(folder, readOnly, [records], [...args, 'paint it']);
  expect({ code, answer: stdout.includes('It is blue.'), patch: stdout.includes('+blue') }).toEqual({
    ...{ code: 1, answer: true, patch: true },
  });
  expect(stderr).toContain('! The record of the run could not be put into the checkout: EROFS');
  expect(await readdir(records)).toEqual([]);
});
