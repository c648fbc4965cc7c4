import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import type { RejectedChange } from '../../../src/permissions/gate/evaluate-changes.ts';
import { revertRejected } from '../../../src/workspace/changes/revert-rejected.ts';
import { createRunTrees, type RunTrees } from '../../../src/workspace/changes/run-trees.ts';
import { put, repository } from '../repository.ts';
import { by, byBash, sha256, workspacePlace } from '../workspace-fixture.ts';

const place = workspacePlace();

/** Rejects the paths that match, and records the reports. */
function holding(pattern: RegExp) {
  const reports: { reverted: string[]; stuck: string[] }[] = [];
  const paths = (held: readonly RejectedChange[]) => held.map((one) => one.path).sort();
  return {
    reports,
    evaluate: async (changes: readonly { readonly path: string }[]) =>
      changes
        .filter((change) => pattern.test(change.path))
        .map((change) => ({ path: change.path, reason: 'no', short: 'no' })),
    report: (reverted: readonly RejectedChange[], stuck: readonly RejectedChange[]) =>
      void reports.push({ reverted: paths(reverted), stuck: paths(stuck) }),
  };
}

const at = (file: string) => path.join(place.root, file);
const paths = (changes: readonly { readonly kind: string; readonly path: string }[]) =>
  changes.map((change) => `${change.kind} ${change.path}`);

test('restores content, executable bit, links and absence of rejected paths', async () => {
  repository(place.root, { 'held/a': 'one\n', 'held/run': '#!\n', 'held/gone': 'g\n', 'free/b': 'b\n' });
  chmodSync(at('held/run'), 0o755);
  symlinkSync('a', at('held/link'));
  symlinkSync('a', at('held/turned'));
  const workspace = await place.open();
  await workspace.baseline();
  await workspace.changes.apply([{ path: 'held/a', content: Buffer.from('by a tool\n') }], by);

  put(place.root, { 'held/a': 'two\n', 'held/new/deep': 'x\n', 'free/b': 'changed\n', 'free/new': 'n\n' });
  chmodSync(at('held/run'), 0o644);
  rmSync(at('held/gone'));
  unlinkSync(at('held/link'));
  symlinkSync('/etc/passwd', at('held/link'));
  unlinkSync(at('held/turned'));
  put(place.root, { 'held/turned': 'a file\n' });
  const evaluator = holding(/^held\//);
  const changes = await workspace.changes.observe(byBash, evaluator);

  expect(paths(changes)).toEqual(['modify free/b', 'add free/new']);
  expect(evaluator.reports).toEqual([
    {
      reverted: ['held/a', 'held/gone', 'held/link', 'held/new/deep', 'held/run', 'held/turned'],
      stuck: [],
    },
  ]);
  expect([
    readFileSync(at('held/a'), 'utf8'),
    lstatSync(at('held/run')).mode & 0o777,
    readFileSync(at('held/gone'), 'utf8'),
    readlinkSync(at('held/link')),
    readlinkSync(at('held/turned')),
    existsSync(at('held/new/deep')),
  ]).toEqual(['by a tool\n', 0o755, 'g\n', 'a', 'a', false]);
  expect(await workspace.changes.observe(byBash, evaluator)).toEqual([]);
  expect(evaluator.reports).toHaveLength(1);
});

test('restores the mode of a file, and the next observation finds nothing', async () => {
  repository(place.root, { 'AGENTS.md': 'Be kind.\n', 'CLAUDE.md': 'Same.\n', 'held/a': 'a\n' });
  chmodSync(at('CLAUDE.md'), 0o664);
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'AGENTS.md': 'Be evil.\n', 'held/a': 'b\n' });
  for (const file of ['AGENTS.md', 'CLAUDE.md', 'held/a']) chmodSync(at(file), 0);
  const evaluator = holding(/md$|^held/);
  await workspace.changes.observe(byBash, evaluator);
  const modes = ['AGENTS.md', 'CLAUDE.md', 'held/a'].map((file) => lstatSync(at(file)).mode & 0o777);
  expect([
    modes,
    await workspace.changes.observe(byBash, evaluator),
    workspace.changes.notReverted(),
  ]).toEqual([[0o644, 0o664, 0o600], [], []]);
});

test('reports what could not be reverted at each observation', async () => {
  put(place.root, { '.claude/large': Buffer.alloc(2 ** 20 + 1), '.gitignore': '.claude\n' });
  repository(place.root, {});
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { '.claude/large': 'evil\n' });
  const look = async () => {
    await workspace.changes.observe(byBash, holding(/^\.claude/));
    return workspace.changes.notReverted();
  };
  const seen = [await look(), await look()];
  expect(seen).toEqual([['`.claude/large`'], ['`.claude/large`']]);
});

test('removes links and folders in the way without touching files behind a link', async () => {
  repository(place.root, { 'held/a': 'one\n', 'held.md': 'md\n', 'held.txt': 'txt\n' });
  const outside = path.join(place.base, 'outside');
  mkdirSync(outside);
  put(outside, { a: 'theirs\n', 'deep/b': 'theirs too\n' });
  const workspace = await place.open();
  await workspace.baseline();
  rmSync(at('held'), { recursive: true });
  symlinkSync(outside, at('held'));
  rmSync(at('held.md'));
  mkdirSync(at('held.md/sub'), { recursive: true });
  put(place.root, { 'held.md/sub/file': 'x\n' });
  symlinkSync(outside, at('held.md/sub/out'));
  linkSync(at('held.txt'), at('other.txt'));
  put(place.root, { 'other.txt': 'by the other name\n' });
  const evaluator = holding(/^held(\/a|\.md|\.txt)$/);
  const changes = await workspace.changes.observe(byBash, evaluator);
  expect(paths(changes)).toEqual(['add other.txt']);
  expect([
    lstatSync(at('held')).isDirectory(),
    readFileSync(at('held/a'), 'utf8'),
    readFileSync(at('held.md'), 'utf8'),
    readFileSync(at('held.txt'), 'utf8'),
    readFileSync(path.join(outside, 'a'), 'utf8'),
    readFileSync(path.join(outside, 'deep/b'), 'utf8'),
  ]).toEqual([true, 'one\n', 'md\n', 'txt\n', 'theirs\n', 'theirs too\n']);
});

test('reverts both sides of a rename to or from a rejected path', async () => {
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');
  repository(place.root, { 'held/a': text, 'free.txt': `${text}more\n` });
  const workspace = await place.open();
  await workspace.baseline();
  renameSync(at('held/a'), at('a'));
  const first = holding(/^held\//);
  expect(await workspace.changes.observe(byBash, first)).toEqual([]);
  renameSync(at('free.txt'), at('held/free.txt'));
  expect(await workspace.changes.observe(byBash, first)).toEqual([]);
  expect([existsSync(at('a')), existsSync(at('free.txt')), existsSync(at('held/free.txt'))]).toEqual([
    false,
    true,
    false,
  ]);
});

test('omits what cannot be reverted from later trees, and the next observation reverts it', async () => {
  repository(place.root, { 'held.txt': 'one\n', 'free.txt': 'f\n' });
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'held.txt': 'two\n', 'free.txt': 'changed\n' });
  let writes = 0;
  const always = holding(/^held/);
  const racing = {
    ...always,
    // A process that is still running writes the file again after each restore.
    evaluate: async (changes: readonly { readonly path: string }[]) => {
      writes += 1;
      put(place.root, { 'held.txt': `again ${writes}\n` });
      return always.evaluate(changes.length === 0 ? [] : [{ path: 'held.txt' }]);
    },
  };
  put(place.root, { 'held.txt': 'first\n' });
  const lock = racing.evaluate;
  const changes = await workspace.changes.observe(byBash, {
    ...racing,
    evaluate: async (seen) => {
      const held = await lock(seen);
      rmSync(at('held.txt'), { force: true });
      mkdirSync(at('held.txt'), { recursive: true });
      return held;
    },
  });
  expect(paths(changes)).toContain('modify free.txt');
  put(place.root, { 'free.txt': 'again\n' });
  rmSync(at('held.txt'), { recursive: true, force: true });
  put(place.root, { 'held.txt': 'two\n' });
  const last = holding(/^held/);
  expect(paths(await workspace.changes.observe(byBash, last))).toEqual(['modify free.txt']);
  expect([last.reports, readFileSync(at('held.txt'), 'utf8')]).toEqual([
    [{ reverted: ['held.txt'], stuck: [] }],
    'one\n',
  ]);
});

test('restores the line endings of a checkout', async () => {
  repository(place.root, { '.gitattributes': '*.bat text eol=crlf\n', 'held.bat': 'a\r\nb\r\n' });
  const workspace = await place.open();
  await workspace.baseline();
  put(place.root, { 'held.bat': 'c\r\n' });
  expect(await workspace.changes.observe(byBash, holding(/^held/))).toEqual([]);
  expect(sha256(readFileSync(at('held.bat'), 'utf8'))).toBe(sha256('a\r\nb\r\n'));
});

test('reverts a file that is too large for a snapshot', async () => {
  repository(place.root, { 'held.txt': 'one\n' });
  const workspace = await place.open();
  await workspace.baseline();
  execFileSync('truncate', ['-s', '40M', at('held.txt'), at('held.new')]);
  const evaluator = holding(/^held/);
  expect(await workspace.changes.observe(byBash, evaluator)).toEqual([]);
  expect([readFileSync(at('held.txt'), 'utf8'), existsSync(at('held.new')), evaluator.reports]).toEqual([
    'one\n',
    false,
    [{ reverted: ['held.new', 'held.txt'], stuck: [] }],
  ]);
});

test('a file written again after each attempt is found at the next observation', async () => {
  repository(place.root, { 'held.txt': 'one\n', 'free.txt': 'f\n' });
  const real = createRunTrees({ root: place.root, layout: null, folder: path.join(place.base, 'trees.git') });
  const from = await real.baseline();
  const write = () => put(place.root, { 'held.txt': 'evil\n', 'free.txt': 'changed\n' });
  const trees: RunTrees = {
    ...real,
    async take() {
      write();
      return real.take();
    },
  };
  const evaluator = holding(/^held/);
  const to = await revertRejected({ root: place.root, trees, from, to: await trees.take() }, evaluator);
  expect(evaluator.reports).toEqual([{ reverted: [], stuck: ['held.txt'] }]);
  const next = await revertRejected(
    { root: place.root, trees: real, from: to, to: await real.take() },
    evaluator,
  );
  expect([evaluator.reports.slice(1), readFileSync(at('held.txt'), 'utf8'), next]).toEqual([
    [{ reverted: ['held.txt'], stuck: [] }],
    'one\n',
    to,
  ]);
});

const mounts = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
test.runIf(mounts)('files of another disk below a folder in the way are not deleted', async () => {
  repository(place.root, { held: 'one\n' });
  const disk = path.join(place.base, 'disk');
  put(disk, { precious: 'p\n' });
  const workspace = await place.open();
  await workspace.baseline();
  rmSync(at('held'));
  mkdirSync(at('held/data'), { recursive: true });
  put(place.root, { 'held/x': 'x\n' });
  execFileSync('mount', ['-t', 'tmpfs', 'none', at('held/data')]);
  put(place.root, { 'held/data/precious': 'p\n' });
  const [staged] = [path.join(place.base, 'found')];
  try {
    await workspace.changes.observe(byBash, holding(/^held$/));
    const moved = execFileSync('findmnt', ['-rno', 'TARGET', '-t', 'tmpfs']).toString().split('\n');
    const mounted = moved.find((target) => target.startsWith(place.base)) ?? staged;
    expect(readFileSync(path.join(mounted, 'precious'), 'utf8')).toBe('p\n');
  } finally {
    const left = execFileSync('findmnt', ['-rno', 'TARGET', '-t', 'tmpfs']).toString().split('\n');
    for (const target of left) if (target.startsWith(place.base)) execFileSync('umount', [target]);
  }
});
