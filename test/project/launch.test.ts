import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { root } from './source-tree.ts';

const nodePackage = `node-linux-${process.arch}`;
let project: string;

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'anode-launch-'));
  mkdirSync(path.join(project, 'scripts'));
  mkdirSync(path.join(project, 'bin'));
  for (const file of ['scripts/launch.mjs', 'bin/find-node.mjs'])
    cpSync(path.join(root, file), path.join(project, file));
  writeFileSync(path.join(project, 'package-lock.json'), '{}');
  writeFileSync(
    path.join(project, 'show.ts'),
    'console.log(JSON.stringify({ major: Number(process.versions.node.split(".")[0]), args: process.argv.slice(2) }));',
  );
});

afterEach(() => rmSync(project, { recursive: true }));

test('installs the packages once, and again after a change of the lock file', () => {
  fakeNpm(0);
  expect(launch(process.execPath, ['show.ts']).status).toBe(0);
  expect(launch(process.execPath, ['show.ts']).status).toBe(0);
  expect(npmCalls()).toEqual(['ci --no-audit --no-fund --loglevel=error']);
  writeFileSync(path.join(project, 'package-lock.json'), '{"changed":true}');
  expect(launch(process.execPath, ['show.ts']).status).toBe(0);
  expect(npmCalls()).toHaveLength(2);
});

test('installs with a read-only home folder and leaves no files behind', () => {
  fakeNpm(0);
  const temporary = path.join(project, 'temporary');
  for (const name of ['temporary', 'home']) mkdirSync(path.join(project, name));
  const withHome = (home: string) => {
    rmSync(path.join(project, 'node_modules'), { recursive: true, force: true });
    return launch(process.execPath, ['show.ts'], { HOME: home, TMPDIR: temporary }).status;
  };
  // Not even root can make a folder in /proc.
  expect([withHome('/proc'), withHome(path.join(project, 'home'))]).toEqual([0, 0]);
  const [none, own] = readFileSync(path.join(project, 'npm-caches'), 'utf8').split('\n');
  expect({ none: path.dirname(none ?? ''), own, left: readdirSync(temporary) }).toEqual({
    none: temporary,
    own: '',
    left: [],
  });
});

test('reports packages that cannot be installed and starts nothing', () => {
  fakeNpm(7);
  expect(launch(process.execPath, ['show.ts'])).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'Installing packages (npm ci), once …\nnpm ci failed with exit code 7; its own words stand above.\n',
  });
});

test('installs nothing through a link, which could lead to the packages of another checkout', () => {
  fakeNpm(0);
  mkdirSync(path.join(project, 'elsewhere'));
  symlinkSync(path.join(project, 'elsewhere'), path.join(project, 'node_modules'));
  expect({ ...launch(process.execPath, ['show.ts']), npm: npmCalls() }).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'node_modules is a link, and npm ci would empty what it leads to. Remove the link and start again.\n',
    npm: [],
  });
});

test('passes on the arguments and the exit code', () => {
  installed();
  writeFileSync(path.join(project, 'fail.ts'), 'process.exitCode = 3;');
  expect(launch(process.execPath, ['fail.ts']).status).toBe(3);
  expect(JSON.parse(launch(process.execPath, ['show.ts', '--keep', 'a b']).stdout)).toEqual({
    major: 24,
    args: ['--keep', 'a b'],
  });
});

const oldNode = olderNode();

test.skipIf(oldNode === null)('runs on Node 24 from an older Node of the host', () => {
  installed();
  symlinkSync(path.join(root, 'node_modules', nodePackage), path.join(project, 'node_modules', nodePackage));
  expect(JSON.parse(launch(oldNode ?? '', ['show.ts']).stdout)).toEqual({ major: 24, args: [] });
});

test.skipIf(oldNode === null)('names the remedy if the host has only an older Node', () => {
  installed();
  const { status, stderr } = launch(oldNode ?? '', ['show.ts']);
  expect({
    status,
    named: stderr.includes(`the package ${nodePackage} is not installed: install Node 24`),
  }).toEqual({
    status: 1,
    named: true,
  });
});

test('anode passes on arguments and exit code, and reports a missing build', () => {
  installed();
  copyBin();
  expect(anode(process.execPath)).toEqual({
    status: 1,
    stdout: '',
    stderr: `${project}/dist/cli.js is not there. In a clone, build it first: npm run build (in ${project}).\n`,
  });
  build('console.log(process.argv.slice(2).join()); process.exitCode = 3;');
  expect(anode(process.execPath, 'a', 'b c')).toEqual({ status: 3, stdout: 'a,b c\n', stderr: '' });
});

test.skipIf(oldNode === null)('anode runs on Node 24 from an older Node of the host, or requests it', () => {
  installed();
  copyBin();
  build('console.log(process.versions.node.split(".")[0]); process.exitCode = 3;');
  const without = anode(oldNode ?? '');
  expect({ ...without, stderr: without.stderr.split(';')[0] }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Node 24 or newer is needed',
  });
  symlinkSync(path.join(root, 'node_modules', nodePackage), path.join(project, 'node_modules', nodePackage));
  expect(anode(oldNode ?? '')).toEqual({ status: 3, stdout: '24\n', stderr: '' });
  build('process.kill(process.pid, "SIGTERM"); setInterval(() => undefined, 1000);');
  expect(anode(oldNode ?? '')).toEqual({ status: null, stdout: '', stderr: '' });
});

test('the package has the program and the tasks, without files that only the Action needs', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    // The home folder may be read-only.
    env: { ...process.env, npm_config_cache: path.join(project, 'cache') },
  });
  const [packed] = z
    .array(z.object({ files: z.array(z.object({ path: z.string() })) }))
    .parse(JSON.parse(stdout));
  const paths = packed?.files.map((file) => file.path) ?? [];
  expect(paths.filter((file) => !file.startsWith('dist/') && !file.startsWith('evals/')).sort()).toEqual(
    ['LICENSE', 'README.md', 'app.yml', 'bin/anode.mjs', 'bin/find-node.mjs', 'package.json'].sort(),
  );
  const { bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(bin).toEqual({ anode: 'bin/anode.mjs' });
});

test('the CI program runs all tests and nothing after them', () => {
  const file = path.join(root, '.ci', 'run');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect({
    first: lines[0],
    last: lines.at(-1),
    executable: (statSync(file).mode & 0o111) === 0o111,
  }).toEqual({
    first: '#!/usr/bin/env bash',
    last: 'npm test -- --whole "$@"',
    executable: true,
  });
});

function copyBin(): void {
  cpSync(path.join(root, 'bin'), path.join(project, 'bin'), { recursive: true });
}

/** Puts a program where the built one lies. */
function build(text: string): void {
  mkdirSync(path.join(project, 'dist'), { recursive: true });
  writeFileSync(path.join(project, 'dist', 'cli.js'), text);
}

function anode(node: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, [path.join(project, 'bin', 'anode.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function launch(node: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(node, [path.join(project, 'scripts', 'launch.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${path.join(project, 'bin')}:${process.env.PATH}`, ...environment },
  });
  return { status, stdout, stderr };
}

/**
 * An `npm` that notes how it was called and with which cache, and makes an empty `node_modules`.
 */
function fakeNpm(exitCode: number): void {
  const file = path.join(project, 'bin', 'npm');
  writeFileSync(
    file,
    `#!/bin/sh\necho "$@" >> '${project}/npm-calls'\necho "$npm_config_cache" >> '${project}/npm-caches'\nmkdir -p node_modules\nexit ${exitCode}\n`,
  );
  chmodSync(file, 0o755);
}

function npmCalls(): string[] {
  const file = path.join(project, 'npm-calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function installed(): void {
  mkdirSync(path.join(project, 'node_modules'));
  const lock = readFileSync(path.join(project, 'package-lock.json'));
  writeFileSync(
    path.join(project, 'node_modules', '.anode-installed'),
    createHash('sha256').update(lock).digest('hex'),
  );
}

/** The first Node 20 to 23 on the path; null where there is none. */
function olderNode(): string | null {
  const candidates = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'node'));
  return (
    candidates.find((file) => {
      if (!existsSync(file)) return false;
      const { stdout } = spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' });
      const major = Number(stdout.split('.')[0]);
      return major >= 20 && major < 24;
    }) ?? null
  );
}
