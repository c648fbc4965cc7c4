import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let root: string;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  root = await local.checkout({
    'AGENTS.md': 'Be brief.',
    'CONTRIBUTING.md': 'Hello.\n',
    'packages/app/AGENTS.md': 'Version every route.',
    'packages/app/package.json': '{"scripts":{"test":"node --test"}}',
    'packages/app/a.txt': 'red\n',
  });
  folder = path.join(root, 'packages/app');
});
afterAll(() => local.close());

const told = (where: string) =>
  `Checkout: ${where}. Commands start in packages/app; other paths count from the root.\n`;

/** `anode tools use bash` in a folder. */
const bash = (where: string, command: string) =>
  local.anode(where, ['tools', 'use', 'bash', '--allow-non-read', '--arg', `command=${command}`]);

describe('in a folder of a repository', () => {
  test('a run has the whole repository, and its commands start in the folder, also when resumed', async () => {
    const seen: string[] = [];
    local.learn('paint it', (turn, request) => {
      seen.push(lastResults(request));
      if (turn === 1)
        return {
          calls: [
            call('bash', { command: 'pwd; cat a.txt; ls ..; git log --format=%s' }),
            call('bash', { command: 'pwd', cwd: '.' }),
            call('edit_file', { path: 'packages/app/a.txt', old_str: 'red', new_str: 'blue' }),
          ],
        };
      if (turn === 2) return { calls: [call('ask_user', { question: 'Go on?', options: ['yes'] })] };
      if (turn === 3) return { calls: [call('bash', { command: 'pwd' })] };
      return { text: 'Done.' };
    });
    const run = await local.anode(folder, ['run', '--prompt', 'paint it', '--output', 'json']);
    const report = JSON.parse(run.stdout);
    const [request] = local.requestsFor('paint it');
    const first = request === undefined ? '' : allTextOf(request);
    expect({
      code: run.code,
      stderr: run.stderr,
      changes: report.changes.map(({ path: changed }: { path: string }) => changed),
      told: [
        'Git: main, clean',
        'This run was started in packages/app/',
        'In packages/app/: npm scripts',
        'Be brief.',
        'Version every route.',
      ].filter((words) => !first.includes(words)),
      results: seen[1]?.split('\n').slice(0, 5),
    }).toEqual({
      code: 4,
      stderr: told(root),
      changes: ['packages/app/a.txt'],
      told: [],
      results: [folder, 'red', 'app', 'Start', root],
    });
    const resumed = await local.anode(root, ['resume', report.run_id, 'yes', '--output', 'json']);
    expect({ code: resumed.code, stderr: resumed.stderr, where: seen[3]?.split('\n')[0] }).toEqual({
      code: 0,
      stderr: told(root),
      where: folder,
    });
    const restored = await local.anode(folder, ['restore', report.run_id, 'a.txt']);
    expect(restored).toEqual({ code: 0, stdout: 'packages/app/a.txt: written back\n', stderr: '' });
    expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).toBe('red\n');
    const shown = await local.anode(folder, ['report', report.run_id]);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`${root}/.anode-harness/`) });
  });

  test('a command folder outside the repository is resolved from the start folder', async () => {
    const { stdout } = await local.anode(folder, [
      ...['tools', 'use', 'batch', '--allow-non-read', '--json'],
      JSON.stringify({
        calls: ['../..', '..', 'packages', '../../..', '/etc'].map((cwd) => ({
          tool: 'bash',
          args: { command: 'pwd', cwd },
        })),
      }),
    ]);
    const outside = (cwd: string) =>
      `\`${cwd}\` is outside the workspace, where commands must start. Nothing was run. Leave the folder out, or name one of the workspace, from its root.`;
    expect(stdout.split('\n').filter((line) => !line.startsWith('====='))).toEqual([
      root,
      path.join(root, 'packages'),
      path.join(root, 'packages'),
      outside('../../..'),
      outside('/etc'),
      '',
    ]);
  });

  test('a missing path is answered with files of that name, first those in the folder', async () => {
    const { stdout } = await local.anode(folder, [
      ...['tools', 'use', 'batch', '--allow-non-read', '--json'],
      JSON.stringify({
        calls: [
          ['read', { path: 'a.txt', begin: 2 }],
          ['patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-red\n+blue\n' }],
          ['edit_file', { path: 'app/package.json', old_str: 'a', new_str: 'b' }],
          ['grep', { pattern: 'red', path: 'app' }],
          ['read', { path: 'CONTRIBUTING.md', begin: 2 }],
        ].map(([tool, args]) => ({ tool, args })),
      }),
    ]);
    expect(stdout.split('\n').filter((line) => !line.startsWith('====='))).toEqual([
      '[Ignored: begin. read takes: path, start_line, end_line.]',
      'a.txt does not exist. Did you mean packages/app/a.txt?',
      'a.txt does not exist. Did you mean packages/app/a.txt?',
      'app/package.json does not exist. Did you mean packages/app/package.json?',
      'app does not exist. Did you mean packages/app? Leave path out to search the whole workspace.',
      '[Ignored: begin. read takes: path, start_line, end_line.]',
      '1\tHello.',
      '',
    ]);
  });

  test('a policy evaluates a command from its start folder', async () => {
    const judged = (command: string) =>
      local.anode(folder, [
        ...['policy', 'check', '--tool', 'bash', '--preset', 'yolo', '--sandbox', 'on', '--output', 'json'],
        ...['--json', JSON.stringify({ command })],
      ]);
    const [inside, out] = [
      await judged('echo 1 > .github/workflows/x.yml'),
      await judged('echo 1 > ../../.github/workflows/x.yml'),
    ];
    expect([inside, out].map(({ stdout }) => JSON.parse(stdout).action)).toEqual(['allow', 'reject']);
  });

  test('restore refuses a path outside in one line', async () => {
    const { stdout } = await local.anode(folder, ['run', '--prompt', 'paint it', '--output', 'json']);
    const { code, stderr } = await local.anode(folder, ['restore', JSON.parse(stdout).run_id, '../../../x']);
    expect({ code, said: stderr.split('\n')[0] }).toEqual({
      code: 2,
      said: expect.stringMatching(/^anode restore: .* lies outside the workspace\./),
    });
  });
});

test('a linked work tree and a submodule are checkouts of their own', async () => {
  const tree = `${root}-tree`;
  await local.git(root, 'worktree', 'add', '-q', '-b', 'side', tree);
  const host = await local.checkout({ 'b.txt': 'b\n' });
  await local.git(host, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'sub');
  const where = 'pwd; git rev-parse --abbrev-ref HEAD; git log --format=%s';
  const places = [tree, path.join(host, 'sub')];
  for (const place of places) {
    const { code, stdout, stderr } = await bash(path.join(place, 'packages/app'), where);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${place}/packages/app\n${place === tree ? 'side' : 'main'}\nStart\n`,
      stderr: told(place),
    });
  }
});

test('a repository in the home folder does not include the folders below it', async () => {
  const home = await local.checkout({ 'notes/a.txt': 'a\n' });
  const { stdout, stderr } = await local.anode(
    path.join(home, 'notes'),
    ['tools', 'use', 'list_directory', '--arg', 'path=.'],
    { environment: { HOME: home } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining('a.txt'), stderr: '' });
});
