import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let checkout: string;
/** A folder of programs without the sandbox's. */
let programs: string;
beforeAll(async () => {
  local = await startLocal();
  checkout = await local.checkout({ 'a.txt': 'red\n' });
  programs = path.join(await local.plainFolder({}), 'bin');
  await mkdir(programs);
  for (const name of ['git', 'bash', 'cat']) await symlink(`/usr/bin/${name}`, path.join(programs, name));
  local.learn('say hello', () => ({ text: 'Hello.' }));
});
afterAll(() => local.close());

/** The lines on standard error before the first request of a run, and how it ended. */
async function startOf(folder: string, args: readonly string[], environment = {}) {
  const run = await local.anode(folder, ['run', '--prompt', 'say hello', ...args], { environment });
  const said = run.stderr.split('\n').filter((line) => /sandbox|repository|checkout/i.test(line));
  return { code: run.code, said };
}

const effect = 'Commands run as your user, with your files and your network.';

test.for([
  'careful',
  'unrestricted',
])('a run with the preset %s reports the missing sandbox, its cause and the remedy', async (preset) => {
  const { code, said } = await startOf(checkout, ['--preset', preset], { PATH: programs });
  expect({ code, said }).toEqual({
    code: 0,
    said: [
      expect.stringMatching(
        /^! This run has no sandbox\. It is not available: `bwrap` \(bubblewrap\) is not installed\. Install it: .+\./,
      ),
    ],
  });
  expect(said[0]).toContain(
    'So it has no tool that runs commands: it reads, edits and reviews. `--sandbox off` has it run them as your user, with your files and your network.',
  );
});

test('a run whose sandbox is off says so', async () => {
  expect(await startOf(checkout, ['--sandbox', 'off', '--preset', 'unrestricted'])).toEqual({
    code: 0,
    said: [`! This run has no sandbox. It is switched off (\`sandbox: off\`). ${effect}`],
  });
});

test('a run in a checkout with a sandbox prints no notice', async () => {
  expect(await startOf(checkout, [])).toEqual({ code: 0, said: [] });
});

test('a run in a folder without git reports what it lacks', async () => {
  const folder = await local.plainFolder({ 'a.txt': 'red\n' });
  expect(await startOf(folder, [])).toEqual({
    code: 0,
    said: [
      `! ${folder} is in no git repository. The run changes its files; \`anode restore\` puts them back. It sees no history.`,
    ],
  });
});

test('a bare repository is refused before the first request', async () => {
  const bare = path.join(await local.plainFolder({}), 'origin.git');
  await local.git(checkout, 'clone', '-q', '--bare', checkout, bare);
  const asked = local.model.requests.length;
  const { code, stdout, stderr } = await local.anode(bare, ['run', '--prompt', 'say hello']);
  expect({ code, stdout, stderr, asked: local.model.requests.length - asked }).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(
      `${bare} is a bare repository, which has no files to work on. Make a work tree: git -C ${bare} worktree add FOLDER\n`,
    ),
    asked: 0,
  });
});
