import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTreeWatch } from '../../../src/permissions/tree/tree-watch.ts';
import type { WatchedEntry } from '../../../src/permissions/tree/watch-name.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-watch-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

const put = (path: string, text = 'x') => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const displayed = (entries: readonly WatchedEntry[]) =>
  entries.map(({ path, kind, concern }) => `${path} ${kind} ${concern}`).toSorted();

test('names that matter are found at any depth, each with its kind and its concern', async () => {
  for (const path of [
    '.gitignore',
    'src/a.ts',
    'a/b/AGENTS.md',
    'a/.netrc',
    'sub/.git/config',
    'sub/.git/objects/config',
  ])
    put(path);
  put('.git/config');
  put('.github/workflows/ci.yml');
  put('bare/HEAD');
  put('bare/config');
  put('bare/objects/config');
  symlinkSync('a', join(root, '.vscode'));
  symlinkSync('a', join(root, 'link'));
  // Only a link in the place of this folder would matter.
  execFileSync('mkfifo', [join(root, 'a/.vscode')]);
  mkdirSync(Buffer.from(`${root}/\xe9t\xe9`, 'latin1'));
  writeFileSync(Buffer.from(`${root}/\xe9t\xe9/.gitignore`, 'latin1'), 'x');
  const watch = createTreeWatch(root);
  const found = [
    ...['.github/workflows directory protected', '.github/workflows/ci.yml file protected'],
    ...['.gitignore file rules', '.vscode link protected', 'a/.netrc file credential'],
    ...['a/b/AGENTS.md file protected', 'bare/config file credential', 'sub/.git directory protected'],
    ...['sub/.git/config file protected', '\xe9t\xe9/.gitignore file rules'],
  ];
  const looked = await watch.scan();
  expect([displayed(looked), displayed(watch.scanNow())]).toEqual([found, found]);
  expect(looked.find(({ path }) => path === 'a/b/AGENTS.md')).toEqual({
    path: 'a/b/AGENTS.md',
    name: 'AGENTS.md',
    kind: 'file',
    concern: 'protected',
  });
  const paths = looked.map(({ path }) => path);
  expect(paths.indexOf('sub/.git')).toBeLessThan(paths.indexOf('sub/.git/config'));
});

test('a second look sees added, removed and replaced names', () => {
  put('old/.gitignore');
  put('kept/.netrc');
  const watch = createTreeWatch(root);
  const before = displayed(watch.scanNow());
  put('new/deep/.gitignore');
  put('kept/.gitattributes');
  rmSync(join(root, 'old'), { recursive: true });
  renameSync(join(root, 'kept'), join(root, 'moved'));
  put('kept', 'a file now');
  expect([before, displayed(watch.scanNow())]).toEqual([
    ['kept/.netrc file credential', 'old/.gitignore file rules'],
    [
      ...['moved/.gitattributes file rules', 'moved/.netrc file credential'],
      'new/deep/.gitignore file rules',
    ],
  ]);
});

test('a look soon after another returns the same result for the given time', async () => {
  let now = 1_000;
  vi.spyOn(process, 'uptime').mockImplementation(() => now / 1_000);
  put('.gitignore');
  const watch = createTreeWatch(root);
  const first = watch.scanNow(500);
  put('.netrc');
  now += 499;
  const again = watch.scanNow(500);
  const none = watch.scanNow();
  put('.pgpass');
  now += 500;
  const late = watch.scanNow(500);
  put('.vault-token');
  const looked = await watch.scan();
  put('id_rsa');
  expect([first, none, late, looked].map((found) => found.length)).toEqual([1, 2, 3, 4]);
  expect([again === first, watch.scanNow(1) === looked]).toEqual([true, true]);
});

test('a folder that has not changed is not read again', () => {
  put('a/.gitignore');
  put('a/b/.netrc');
  const clock = vi.spyOn(Date, 'now').mockReturnValue(statSync(join(root, 'a')).ctimeMs + 1_999);
  const watch = createTreeWatch(root);
  const before = watch.scanNow();
  const after = watch.scanNow();
  // The very entries of the look before.
  expect([after === before, after.map((entry, at) => entry === before[at])]).toEqual([false, [true, true]]);
  clock.mockRestore();
  put('a/.gitattributes');
  const changed = watch.scanNow();
  expect([
    displayed(changed),
    changed.filter((entry) => before.includes(entry)).map(({ path }) => path),
  ]).toEqual([
    ['a/.gitattributes file rules', 'a/.gitignore file rules', 'a/b/.netrc file credential'],
    ['a/b/.netrc'],
  ]);
});

test('a folder that changed a moment ago is read again, because another change may have the same time', () => {
  put('.gitignore');
  const { ctimeMs } = statSync(root);
  const readAgain = [49, 50, 51].map((later) => {
    vi.spyOn(Date, 'now').mockReturnValue(ctimeMs + later);
    const watch = createTreeWatch(root);
    const [before] = watch.scanNow();
    const [after] = watch.scanNow();
    return before !== after;
  });
  expect(readAgain).toEqual([true, true, false]);
});

test('a long look yields every 8 milliseconds', async () => {
  for (let at = 0; at < 20; at++) mkdirSync(join(root, `folder-${at}`));
  let now = 0;
  vi.spyOn(process, 'uptime').mockImplementation(() => {
    now += 4;
    return now / 1_000;
  });
  let turns = 0;
  let looking = true;
  const turn = () => {
    turns++;
    if (looking) setImmediate(turn);
  };
  setImmediate(turn);
  await createTreeWatch(root).scan();
  looking = false;
  // A turn after each two of 21 folders.
  expect(turns).toBe(10);
});

const notRoot = process.getuid?.() !== 0;

test('a protected folder that a command made unreadable is opened again; one that was unreadable before is not', () => {
  const modes = (...paths: string[]) => paths.map((path) => statSync(join(root, path)).mode & 0o777);
  put('sub/.git/hooks/x');
  put('.github/workflows/a.yml');
  put('.claude/a.md');
  put('plain/a.md');
  chmodSync(join(root, '.claude'), 0o040);
  const watch = createTreeWatch(root);
  watch.scanNow();
  chmodSync(join(root, '.github/workflows'), 0o050);
  chmodSync(join(root, 'sub/.git'), 0o600);
  chmodSync(join(root, 'plain'), 0o500);
  watch.scanNow();
  expect(modes('.claude', '.github/workflows', 'sub/.git', 'plain')).toEqual([0o040, 0o750, 0o700, 0o500]);
  const found = displayed(watch.scanNow());
  expect(found.filter((one) => one.includes('workflows/'))).toEqual([
    '.github/workflows/a.yml file protected',
  ]);
  for (const path of ['.claude', 'plain']) chmodSync(join(root, path), 0o700);
  expect(found.some((one) => one.startsWith('.claude/'))).toBe(!notRoot);
});

test('every folder that a command made unreadable is opened again, from the root down', () => {
  put('plain/a.md');
  const watch = createTreeWatch(root);
  watch.scanNow();
  put('closed/in/CLAUDE.md');
  const closed = { 'closed/in': 0, closed: 0o333, '.': 0o011 };
  for (const [path, mode] of Object.entries(closed)) chmodSync(join(root, path), mode);
  const found = displayed(watch.scanNow());
  const modes = Object.keys(closed).map((path) => statSync(join(root, path)).mode & 0o777);
  expect([found, modes, watch.unseen()]).toEqual([
    ['closed/in/CLAUDE.md file protected'],
    [0o700, 0o733, 0o711],
    [],
  ]);
});

test('folders that are too deep or too many are reported', () => {
  put('a/b/c/x');
  const deep = Array.from({ length: 19 }, () => 'd'.repeat(200)).join('/');
  mkdirSync(join(root, deep), { recursive: true });
  const [all, few] = [createTreeWatch(root), createTreeWatch(root, 3)];
  all.scanNow();
  few.scanNow();
  expect([all.unseen(), few.unseen()]).toEqual([
    [`\`${'d'.repeat(200)}…\` (too deep)`],
    ['all beyond 3 folders'],
  ]);
});

test('a deleted tree has no names', () => {
  expect(createTreeWatch(join(root, 'nowhere')).scanNow()).toEqual([]);
});
