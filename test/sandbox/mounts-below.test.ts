import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mountsBelow } from '../../src/sandbox/prepare-sandboxes.ts';
import { available } from './runner-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'anode-mounts-'));
const root = join(folder, 'tree');
for (const name of ['volume/inner', 'with blank', 'tree']) mkdirSync(join(root, name), { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = (place: string) => `36 35 98:0 / ${place} rw,noatime master:1 - ext3 /dev/root rw`;

test('the mounts strictly below a folder are found, without missing ones', () => {
  const places = [root, `${root}/volume/inner`, `${root}/volume`, `${root}/volume`, `${root}/gone`];
  const others = [`${root}/with\\040blank`, `${folder}/tree-2`, '/', folder];
  const table = `${[...places, ...others].map(line).join('\n')}\n`;
  expect(mountsBelow(root, table)).toEqual([`${root}/volume`, `${root}/volume/inner`, `${root}/with blank`]);
  expect(mountsBelow(root)).toEqual([]);
});

/** Mounts a folder below the tree where nobody else sees it, and has a command write there. */
const script = `
  const { createCommandRunner } = await import(process.argv[1]);
  const [root, spillFolder] = process.argv.slice(2);
  const workspace = { root, agentGitDirectory: async () => null };
  const runner = await createCommandRunner({ mode: 'required', workspace, spillFolder, environment: process.env });
  const { signal } = new AbortController();
  for (const readOnlyWorkspace of [true, false]) {
    let said = '';
    const onOutput = (chunk) => (said += chunk);
    const command = 'exec 2>&1; touch volume/a volume/inner/b c';
    await runner.run({ command, cwd: root, timeoutMs: 20_000, signal, readOnlyWorkspace, onOutput });
    console.log(JSON.stringify({ readOnlyWorkspace, said }));
  }
  await runner.close();
`;
const mounted = (...command: string[]) =>
  spawnSync(
    'unshare',
    [
      ...['-Urm', 'sh', '-c', 'mount -t tmpfs none "$1" && mkdir "$1/inner" && shift && exec "$@"', 'sh'],
      ...[join(root, 'volume'), ...command],
    ],
    { encoding: 'utf8' },
  );
const canMount = available && mounted('true').status === 0;

test.skipIf(!canMount)('mounts below the workspace are read-only for a command that may only read', () => {
  const runner = resolve(import.meta.dirname, '../../src/sandbox/create-command-runner.ts');
  const run = ['--input-type=module', '-e', script, runner, root, folder];
  const { stdout, stderr } = mounted(process.execPath, ...run);
  const refused = ['volume/a', 'volume/inner/b', 'c'].map(
    (file) => `touch: cannot touch '${file}': Read-only file system\n`,
  );
  const reply = [
    { readOnlyWorkspace: true, said: refused.join('') },
    { readOnlyWorkspace: false, said: '' },
  ];
  expect([stdout, stderr]).toEqual([reply.map((one) => `${JSON.stringify(one)}\n`).join(''), '']);
});
