import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../../src/contract/errors.ts';
import { createTreeWatch } from '../../../src/permissions/tree/tree-watch.ts';
import type { WatchedEntry } from '../../../src/permissions/tree/watch-name.ts';
import {
  createNameGuard,
  type NameChange,
  type NameGuard,
} from '../../../src/workspace/changes/name-guard.ts';
import { put, temporaryFolder } from '../repository.ts';

const MiB = 1024 * 1024;

let root: string;
beforeEach(() => {
  root = realpathSync(temporaryFolder('guard'));
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (file: string) => path.join(root, file);

async function begun(): Promise<NameGuard> {
  const guard = createNameGuard(root, createTreeWatch(root));
  await guard.begin();
  return guard;
}

/** The changes of a scan by path, with contents as text. */
async function lookOf(guard: NameGuard) {
  return byPath(await guard.scan());
}

function byPath(changes: readonly NameChange[]) {
  return Object.fromEntries(
    changes.map(({ path: name, before, ...rest }) => [name, { ...rest, before: inWords(name, before) }]),
  );
}

function inWords(name: string, before: NameChange['before']): string | null {
  if (before === null) return null;
  expect(before.path).toBe(name);
  if (before.entry === null) return before.whole === true ? 'nothing' : 'nothing, but for what is in it';
  return 'content' in before.entry ? `${before.entry.mode} ${before.entry.content}` : before.entry.object;
}

const added = { kind: 'add', odd: null, link: false, before: 'nothing' };
const modified = { kind: 'modify', odd: null, link: false };
const deleted = { kind: 'delete', odd: null, link: false };

test('returns each kind of change of a protected name with the entry that restores it', async () => {
  put(root, {
    ...{ 'AGENTS.md': 'Be kind.\n', 'GEMINI.md': 'Same.\n', '.mcp.json': '{}\n', 'a.txt': 'a\n' },
    ...{ '.claude/run.sh': 'run\n', '.claude/settings.json': '{}\n', '.claude/same.json': '{}\n' },
    ...{ '.github/workflows/ci.yml': 'on: push\n', '.cursor/rules/a.md': 'a\n', '.netrc': 'machine a\n' },
    ...{ '.gitignore': 'a\n', 'sub/.gitignore': 'b\n' },
  });
  chmodSync(at('.claude/run.sh'), 0o755);
  chmodSync(at('.claude/settings.json'), 0o645);
  symlinkSync('AGENTS.md', at('CLAUDE.md'));
  symlinkSync('AGENTS.md', at('agent.md'));
  symlinkSync('elsewhere', at('.codex'));
  mkdirSync(at('.roo'));
  const guard = await begun();
  expect(await lookOf(guard)).toEqual({});
  put(root, {
    ...{ 'AGENTS.md': 'Be evil.\n', 'GEMINI.md': 'Same.\n', 'a.txt': 'b\n', '.netrc': 'machine b\n' },
    ...{ '.claude/run.sh': 'run on\n', '.gitignore': 'c\n', '.windsurf/x/y.md': 'y\n', 'sub/.mcp.json': '' },
  });
  rmSync(at('.claude/settings.json'));
  rmSync(at('.cursor'), { recursive: true });
  rmSync(at('.roo'), { recursive: true });
  rmSync(at('sub/.gitignore'));
  rmSync(at('.mcp.json'));
  mkdirSync(at('.mcp.json'));
  chmodSync(at('.github/workflows/ci.yml'), 0o755);
  rmSync(at('CLAUDE.md'));
  symlinkSync('a.txt', at('CLAUDE.md'));
  rmSync(at('agent.md'));
  rmSync(at('.codex'));
  mkdirSync(at('.codex'));
  mkdirSync(at('.gemini/empty'), { recursive: true });
  symlinkSync('sub', at('.vscode'));
  expect(await lookOf(guard)).toEqual({
    'AGENTS.md': { ...modified, before: '100644 Be kind.\n' },
    '.claude/run.sh': { ...modified, before: '100755 run\n' },
    '.claude/settings.json': { ...deleted, before: '100644 {}\n' },
    '.cursor/rules/a.md': { ...deleted, before: '100644 a\n' },
    '.github/workflows/ci.yml': { ...modified, before: '100644 on: push\n' },
    '.mcp.json': { ...modified, before: '100644 {}\n' },
    'CLAUDE.md': { ...modified, link: true, before: '120000 AGENTS.md' },
    'agent.md': { ...deleted, before: '120000 AGENTS.md' },
    '.codex': { ...modified, before: '120000 elsewhere' },
    '.gemini': added,
    '.windsurf': added,
    '.windsurf/x': added,
    '.windsurf/x/y.md': added,
    '.vscode': { ...added, link: true },
    'sub/.mcp.json': added,
  });
});

test('in a folder of credentials only protected names are reported', async () => {
  put(root, { '.ssh/known_hosts': 'a\n', '.ssh/AGENTS.md': 'Be kind.\n' });
  const guard = await begun();
  put(root, {
    ...{ '.ssh/known_hosts': 'b\n', '.ssh/AGENTS.md': 'Be evil.\n', '.config/gh/.gitignore': '*\n' },
    ...{ '.config/gh/.claude/x': 'x\n', '.config/gh/lib/.git/config': 'x\n', '.config/gh/hosts.yml': 'x\n' },
  });
  execFileSync('mkfifo', [at('.ssh/.gitignore')]);
  expect(await lookOf(guard)).toEqual({
    '.ssh/AGENTS.md': { ...modified, before: '100644 Be kind.\n' },
    '.ssh/.gitignore': { ...added, odd: 'is no file but a FIFO' },
    '.config/gh/.claude': added,
    '.config/gh/.claude/x': added,
    '.config/gh/lib/.git': added,
    '.config/gh/lib/.git/config': added,
  });
});

test('a folder that became a file is restored as a folder', async () => {
  put(root, { '.claude/a.md': 'a\n' });
  const guard = await begun();
  rmSync(at('.claude'), { recursive: true });
  put(root, { '.claude': 'evil\n' });
  expect(await lookOf(guard)).toEqual({
    '.claude': { ...modified, before: 'nothing' },
    '.claude/a.md': { ...deleted, before: '100644 a\n' },
  });
});

test('a name that is not text is reported and restored by its bytes', async () => {
  mkdirSync(at('.claude'));
  const raw = (byte: number) => Buffer.concat([Buffer.from(`${at('.claude')}/`), Buffer.from([byte, 0x61])]);
  writeFileSync(raw(0xfe), 'mine\n');
  writeFileSync(raw(0xfd), 'mine too\n');
  const guard = await begun();
  writeFileSync(raw(0xff), 'evil\n');
  writeFileSync(raw(0xfd), 'evil\n');
  rmSync(raw(0xfe));
  expect(await lookOf(guard)).toEqual({
    '.claude/\udcffa': added,
    '.claude/\udcfda': { ...modified, before: '100644 mine too\n' },
    '.claude/\udcfea': { ...deleted, before: '100644 mine\n' },
  });
  guard.accept(new Set(['.claude/\udcfea', '.claude/\udcfda']));
  expect(Object.keys(await lookOf(guard))).toEqual(['.claude/\udcfda', '.claude/\udcfea']);
});

test('only accepted and adopted changes are not reported again', async () => {
  put(root, { 'CLAUDE.md': 'a\n', '.roo/b.md': 'b\n' });
  const guard = await begun();
  const namesOf = async () => Object.keys(await lookOf(guard)).sort();
  put(root, {
    '.roo/a.md': 'a\n',
    '.roo/b.md': 'c\n',
    '.roocode/c.md': '',
    '.mcp.json': '',
    'GEMINI.md': '',
  });
  put(root, { '.kiro/x.md': '', '.kirox/agents.md': '', 'sub/.kiro': '' });
  rmSync(at('CLAUDE.md'));
  const all = [
    ...['.kiro', '.kiro/x.md', '.kirox/agents.md', '.mcp.json', '.roo/a.md', '.roo/b.md'],
    ...['CLAUDE.md', 'GEMINI.md', 'sub/.kiro'],
  ];
  const seen = [await namesOf()];
  guard.accept(new Set(['.kiro', '.roo', 'GEMINI.md', 'CLAUDE.md']));
  seen.push(await namesOf());
  await guard.adopt(['.roo/a.md', 'GEMINI.md']);
  seen.push(await namesOf());
  put(root, { '.roo/a.md': 'later\n' });
  guard.accept();
  seen.push(await namesOf());
  guard.accept();
  seen.push(await namesOf());
  expect(seen).toEqual([
    all,
    ['.kiro', '.kiro/x.md', '.roo/a.md', '.roo/b.md', 'CLAUDE.md', 'GEMINI.md'],
    ['.kiro', '.kiro/x.md', '.roo/b.md', 'CLAUDE.md'],
    ['.roo/a.md'],
    [],
  ]);
});

test('returns the link targets of the last scan, and does not scan for other paths', async () => {
  put(root, { 'vs/mcp.json': '{}\n' });
  symlinkSync('vs', at('.zed'));
  const guard = await begun();
  const linksOf = () => guard.links().toSorted((a, b) => (a.link < b.link ? -1 : 1));
  const seen = [linksOf()];
  symlinkSync('vs', at('.vscode'));
  await guard.adopt(['a.txt', 'vs/b.txt']);
  seen.push(linksOf());
  await guard.adopt(['a.txt', 'vs/AGENTS.md']);
  seen.push(linksOf());
  rmSync(at('.vscode'));
  rmSync(at('.zed'));
  await guard.scan();
  seen.push(linksOf());
  const zed = { link: '.zed', target: 'vs' };
  expect(seen).toEqual([[zed], [zed], [{ link: '.vscode', target: 'vs' }, zed], []]);
});

test('rule files that cannot be read are reported with the reason', async () => {
  const most = 256 * 1024;
  put(root, { 'sub/.gitignore': 'kept\n', 'was-large/.gitignore': '', 'old/.ignore': 'x\n' });
  truncateSync(at('was-large/.gitignore'), 2 * MiB);
  const guard = await begun();
  for (const folder of ['fifo', 'folder', 'device', 'nowhere', 'loop', 'large', 'full', 'socket', 'file'])
    mkdirSync(at(folder));
  execFileSync('mkfifo', [at('fifo/.gitignore'), at('sub/x')]);
  symlinkSync('..', at('folder/.gitattributes'));
  symlinkSync('/dev/null', at('device/.rgignore'));
  symlinkSync('nothing', at('nowhere/.gitignore'));
  symlinkSync('.gitignore', at('loop/.gitignore'));
  symlinkSync('../a.txt', at('file/.gitignore'));
  put(root, { 'large/.gitignore': '', 'full/.gitignore': '', 'a.txt': 'a\n' });
  truncateSync(at('large/.gitignore'), most + 1);
  truncateSync(at('full/.gitignore'), most);
  renameSync(at('sub/x'), at('sub/.gitignore'));
  rmSync(at('old'), { recursive: true });
  const server = createServer();
  await new Promise<void>((settle) => server.listen(at('socket/.ignore'), settle));
  try {
    const noFile = (what: string) => ({ ...added, odd: `is no file but ${what}` });
    expect(await lookOf(guard)).toEqual({
      'fifo/.gitignore': noFile('a FIFO'),
      'folder/.gitattributes': { ...noFile('a folder'), link: true },
      'device/.rgignore': { ...noFile('a device'), link: true },
      'socket/.ignore': noFile('a socket'),
      'large/.gitignore': { ...added, odd: `has ${most + 1} bytes, more than rules have` },
      'sub/.gitignore': { ...modified, odd: 'is no file but a FIFO', before: '100644 kept\n' },
    });
  } finally {
    await new Promise((settle) => server.close(settle));
  }
});

test('a run does not start with a rule file that would block git', async () => {
  mkdirSync(at('a\\b'));
  writeFileSync(at('.gitignore'), '');
  truncateSync(at('.gitignore'), MiB);
  await begun();
  symlinkSync('/dev/zero', at('a\\b/.gitignore'));
  await expect(begun()).rejects.toThrow(
    new ConfigError(
      '`a\\b/.gitignore` is no file but a device. Git would wait for it without end; remove it.',
      { file: 'a\\b/.gitignore' },
    ),
  );
});

test('a run does not start in a tree that cannot be scanned completely', async () => {
  put(root, { 'a/b/x': '' });
  const guard = createNameGuard(root, createTreeWatch(root, 1));
  await expect(guard.begin()).rejects.toThrow(
    new ConfigError(
      'No names that matter can be found in all beyond 1 folders. Remove what is not needed from the checkout.',
    ),
  );
});

test('attributes apply to the folder of their file', async () => {
  put(root, { '.gitattributes': 'a\n', 'sub/deep/.gitattributes': 'b\n', 'sub/.gitignore': 'c\n' });
  mkdirSync(at('large'));
  mkdirSync(at('link'));
  writeFileSync(at('large/.gitattributes'), '');
  truncateSync(at('large/.gitattributes'), MiB + 1);
  symlinkSync('../.gitattributes', at('link/.gitattributes'));
  const guard = await begun();
  put(root, { '.gitattributes': 'later\n' });
  await guard.scan();
  expect(guard.attributes().toSorted((a, b) => (a.folder < b.folder ? -1 : 1))).toEqual([
    { folder: '', text: 'a\n' },
    { folder: 'sub/deep', text: 'b\n' },
  ]);
});

/** Makes files of about 1 MiB below `.claude`. They are sparse and take no disk space. */
function large(names: readonly string[], size = MiB): void {
  mkdirSync(at('.claude'), { recursive: true });
  for (const name of names) {
    rmSync(at(`.claude/${name}`), { force: true });
    writeFileSync(at(`.claude/${name}`), '');
    truncateSync(at(`.claude/${name}`), size);
  }
}

/** The changed files, and true if the earlier content is stored. */
async function keptOf(guard: NameGuard): Promise<[string, boolean][]> {
  const changes = await guard.scan();
  return changes.map((one) => [one.path, one.before !== null]);
}

test('a file above 1 MiB is reported without its earlier content', async () => {
  large(['full']);
  large(['over'], MiB + 1);
  const guard = await begun();
  const seen = [await keptOf(guard)];
  writeFileSync(at('.claude/full'), 'x');
  writeFileSync(at('.claude/over'), 'x');
  seen.push(await keptOf(guard));
  guard.accept();
  large(['full'], MiB + 1);
  seen.push(await keptOf(guard));
  expect(seen.map((one) => one.toSorted())).toEqual([
    [],
    [
      ['.claude/full', true],
      ['.claude/over', false],
    ],
    [['.claude/full', true]],
  ]);
});

/** A guard of these files in `.claude`, in this order. The list can be set again later. */
async function guardOf(first: readonly string[]) {
  const entryOf = (name: string): WatchedEntry => ({
    ...{ path: `.claude/${name}`, name, kind: 'file' },
    concern: 'protected',
  });
  let found = first.map(entryOf);
  const guard = createNameGuard(root, { scan: async () => found, scanNow: () => found, unseen: () => [] });
  await guard.begin();
  const set = (names: readonly string[]) => {
    found = names.map(entryOf);
  };
  /** Deletes all, and returns the files whose earlier content is not stored. */
  const lost = async () => {
    set([]);
    return (await keptOf(guard)).filter(([, kept]) => !kept).map(([name]) => name);
  };
  return { guard, set, lost };
}

test('stores at most 32 MiB in total', async () => {
  const names = Array.from({ length: 32 }, (_, index) => `f${index}`);
  large(names);
  large(['over'], MiB + 1);
  large(['fits'], MiB - 1);
  large(['byte', 'other'], 1);
  const full = await guardOf(['over', ...names, 'byte']);
  const some = await guardOf(['byte', ...names.slice(1)]);
  some.set(['byte', ...names, 'fits', 'other']);
  await some.guard.scan();
  some.guard.accept();
  const lost = await some.lost();
  some.guard.accept();
  some.set(names);
  await some.guard.scan();
  some.guard.accept();
  expect([await full.lost(), lost, await some.lost()]).toEqual([
    ['.claude/over', '.claude/byte'],
    ['.claude/f0', '.claude/other'],
    [],
  ]);
});

test('an entry that is no longer of the listed kind is not read', async () => {
  put(root, { plain: 'a\n', target: 'b\n' });
  execFileSync('mkfifo', [at('fifo')]);
  symlinkSync('target', at('link'));
  const entry = (name: string, kind: WatchedEntry['kind']): WatchedEntry => ({
    ...{ path: name, name, kind },
    concern: 'protected',
  });
  const entries = [
    ...[entry('fifo', 'file'), entry('link', 'file'), entry('plain', 'link'), entry('gone', 'file')],
    ...[entry('target', 'file'), entry('plain/x', 'file')],
  ];
  let found = entries;
  const guard = createNameGuard(root, { scan: async () => found, scanNow: () => found, unseen: () => [] });
  await guard.begin();
  found = [];
  expect(await lookOf(guard)).toEqual({
    fifo: { ...deleted, before: null },
    link: { ...deleted, before: null },
    plain: { ...deleted, before: null },
    target: { ...deleted, before: '100644 b\n' },
  });
});
