import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConfigError, RunStopped } from '../../../src/contract/errors.ts';
import { checkoutRun } from '../../../src/workspace/git/checkout.ts';
import { fetchIntoMirror, mirrorOf } from '../../../src/workspace/git/mirror.ts';
import { applySavedPatch } from '../../../src/workspace/git/patched-tree.ts';
import { type PushRequest, pushCommit } from '../../../src/workspace/git/push-commit.ts';
import { git, put, repository } from '../repository.ts';

let base: string;
let origin: string;
let first: string;
let second: string;
let template: string;
beforeAll(() => {
  template = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-mirror-')));
  const work = path.join(template, 'work');
  first = repository(work, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  put(work, { 'a.txt': 'two\n' });
  git(work, 'commit', '-q', '-am', 'Second');
  second = git(work, 'rev-parse', 'HEAD');
  git(work, 'tag', 'v1', first);
  git(template, 'clone', '-q', '--bare', work, path.join(template, 'shop.git'));
  git(path.join(template, 'shop.git'), 'branch', 'other', first);
});
afterAll(() => rmSync(template, { recursive: true }));
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-mirror-')));
  origin = path.join(base, 'shop.git');
  cpSync(path.join(template, 'shop.git'), origin, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

const remote = () => ({ url: origin, token: null });
const fetched = (wanted: { refs: readonly string[]; commits: readonly string[] }) =>
  fetchIntoMirror(path.join(base, 'mirrors'), remote(), wanted);
const refusal = (call: Promise<unknown>) =>
  call.catch((error: Error) => {
    if (error instanceof RunStopped) return [error.reason.kind, error.message.replace(/(a push\.).*/s, '$1')];
    return error instanceof ConfigError ? `ConfigError: ${error.message}` : error.message;
  });

test('each repository has a mirror with a name of its own', () => {
  const names = [
    'https://x.test/acme/shop.git',
    'https://x.test/other/shop.git',
    '/srv/a b:c/d é.git',
    'https://x.test/a.b-c_d',
  ].map((url) => mirrorOf('/mirrors', url));
  expect(names).toEqual([
    '/mirrors/shop-54c067f7f78751b2.git',
    '/mirrors/shop-e009e27b982b2dd4.git',
    '/mirrors/d__-dd62585d9acbd837.git',
    '/mirrors/a.b-c_d-9af64d99396c0e1a.git',
  ]);
});

test('fetches only the requested refs, and only if a commit is missing', async () => {
  const mirror = await fetched({ refs: ['refs/heads/other'], commits: [first] });
  const refs = () => git(mirror, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  const after = [
    refs(),
    statSync(path.join(base, 'mirrors')).mode & 0o777,
    readdirSync(path.join(base, 'mirrors')).length,
  ];
  expect([mirror, after]).toEqual([
    mirrorOf(path.join(base, 'mirrors'), origin),
    [[expect.stringMatching(new RegExp(`^refs/anode/refs/[0-9a-f]{16} ${first}$`))], 0o700, 2],
  ]);
  // The mirror has the commit, so nothing is fetched, not even a ref that does not exist.
  await fetched({ refs: ['refs/heads/none'], commits: [first] });
  expect(refs().length).toBe(1);
  await fetched({ refs: ['refs/heads/main'], commits: [] });
  expect(
    refs()
      .map((line) => line.split(' ')[1])
      .sort(),
  ).toEqual([first, second].sort());
  git(origin, 'update-ref', 'refs/heads/main', first);
  await fetched({ refs: ['refs/heads/main'], commits: [] });
  expect(new Set(refs().map((line) => line.split(' ')[1]))).toEqual(new Set([first]));
});

test('fetches a commit by its name if no ref has it, and cancels the run if it is missing', async () => {
  git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const mirror = await fetched({ refs: [], commits: [first] });
  expect([
    git(mirror, 'for-each-ref', '--format=%(refname) %(objectname)'),
    await refusal(fetched({ refs: ['refs/heads/main'], commits: [second, 'f'.repeat(40)] })),
  ]).toEqual([
    `refs/anode/commits/${first} ${first}`,
    ['cancelled', `The commit ${'f'.repeat(40)} cannot be fetched; it may have been replaced by a push.`],
  ]);
});

test('a commit that arrives after the first attempt is fetched by the second', async () => {
  const bare = path.join(base, 'late.git');
  git(base, 'init', '-q', '--bare', bare);
  git(bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const waits = Object.defineProperty([0], 0, {
    get() {
      git(origin, 'push', '-q', bare, 'main');
      return 0;
    },
  });
  const wanted = { refs: [], commits: [second], waits };
  const mirror = await fetchIntoMirror(path.join(base, 'mirrors'), { url: bare, token: null }, wanted);
  expect(git(mirror, 'for-each-ref', '--format=%(objectname)')).toBe(second);
});

test('invalid names of refs and commits are refused before anything is made', async () => {
  const refs = [
    'main',
    'refs/',
    '--refs/x',
    'refs/a b',
    'refs/a:b',
    'refs/a~1',
    'refs/a^',
    'refs/a?',
    'refs/*',
    'refs/a[b',
    'refs/a\\b',
    'refs/a\n',
    'xrefs/a',
  ];
  const said = [];
  for (const ref of refs) said.push(await refusal(fetched({ refs: ['refs/heads/main', ref], commits: [] })));
  expect([
    said,
    await refusal(fetched({ refs: [], commits: [first, 'HEAD'] })),
    readdirSync(base).sort(),
  ]).toEqual([
    refs.map((ref) => `ConfigError: Not the full name of a ref: ${ref}`),
    'ConfigError: Not the full name of a commit: HEAD',
    ['shop.git'],
  ]);
});

/** Checks out the head of a ref, in a folder of that name. */
const checkedOut = (name: string, over: Partial<Parameters<typeof checkoutRun>[0]> = {}) =>
  checkoutRun({
    ...{ remote: remote(), ref: 'refs/heads/main', sha: second, baseRef: 'refs/heads/other', baseSha: first },
    ...{ folder: path.join(base, name), mirrorFolder: path.join(base, 'mirrors'), ...over },
  });

test('a checkout has its branch and, if there is one, its base', async () => {
  const packed = (root: string) => readFileSync(path.join(root, '.git/packed-refs'), 'utf8');
  const head = (root: string) => readFileSync(path.join(root, '.git/HEAD'), 'utf8');
  const one = await checkedOut('one');
  const same = await checkedOut('same', { baseRef: 'refs/heads/main', baseSha: second });
  const alone = await checkedOut('alone', { baseRef: null, baseSha: null, ref: 'refs/tags/v1', sha: first });
  const odd = await checkedOut('odd', { baseRef: 'refs/heads/other', baseSha: null });
  expect(one.root).toBe(path.join(base, 'one/tree'));
  expect(one.git).toEqual({ cwd: path.join(base, 'one'), gitDirectory: path.join(base, 'one/checkout.git') });
  expect([one, same, alone, odd].map(({ root }) => [head(root), packed(root)])).toEqual([
    ['ref: refs/heads/main\n', `${second} refs/heads/main\n${first} refs/remotes/origin/other\n`],
    ['ref: refs/heads/main\n', `${second} refs/heads/main\n${second} refs/remotes/origin/main\n`],
    ['ref: refs/heads/tags/v1\n', `${first} refs/heads/tags/v1\n`],
    ['ref: refs/heads/main\n', `${second} refs/heads/main\n`],
  ]);
  expect([git(one.root, 'status', '--short'), git(alone.root, 'rev-parse', 'HEAD')]).toEqual(['', first]);
  expect(readFileSync(path.join(one.git.gitDirectory, 'HEAD'), 'utf8')).toBe(`${second}\n`);
  expect(statSync(path.join(base, 'one/tree')).mode & 0o777).toBe(0o700);
  await one.remove();
  expect(readdirSync(path.join(base, 'one'))).toEqual([]);
});

const patch = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three \n';

test('a stored patch is applied whole with trailing blanks, or not at all', async () => {
  const one = await checkedOut('one');
  const fits = await applySavedPatch(one.git, one.root, patch);
  expect([
    fits,
    await applySavedPatch(one.git, one.root, ''),
    await applySavedPatch(one.git, one.root, patch),
    readFileSync(path.join(one.root, 'a.txt'), 'utf8'),
  ]).toEqual([true, true, false, 'three \n']);
  await expect(applySavedPatch(one.git, one.root, 'no patch\n')).rejects.toThrow(/ended with 128/);
});

const request = (over: Partial<PushRequest>): PushRequest => ({
  ...{
    git: { cwd: base, gitDirectory: origin },
    remote: remote(),
    branch: 'new',
    expectedSha: second,
    patch,
  },
  message: '# Change a\n\nWhy\n',
  author: { name: 'Ada', email: 'ada@example.com' },
  committer: { name: 'Bot', email: 'bot@example.com' },
  ...over,
});

test('pushes one commit with its people and its message', async () => {
  const pushed = await pushCommit(request({}));
  const sha = git(origin, 'rev-parse', 'new');
  expect([pushed, git(origin, 'log', '-1', '--format=%an %ae %cn %ce %P%n%B', 'new')]).toEqual([
    { sha },
    `Ada ada@example.com Bot bot@example.com ${second}\n# Change a\n\nWhy`,
  ]);
});

test('a branch that has moved, before or during the push, is not changed', async () => {
  const moved = await pushCommit(request({ branch: 'other' }));
  const hook = path.join(origin, 'hooks/pre-receive');
  put(origin, { 'hooks/pre-receive': `#!/bin/sh\necho ${first} > refs/heads/main\nexit 1\n` });
  chmodSync(hook, 0o755);
  expect([
    moved,
    await pushCommit(request({ branch: 'main' })),
    git(origin, 'rev-parse', 'other', 'main'),
  ]).toEqual([...['moved', 'moved', `${first}\n${first}`]]);
});

test('a rejected push gives the message of the remote, or that of git', async () => {
  const hook = path.join(origin, 'hooks/pre-receive');
  const said = async (script: string) => {
    writeFileSync(hook, `#!/bin/sh\n${script}\nexit 1\n`, { mode: 0o755 });
    return refusal(pushCommit(request({ branch: 'main' })));
  };
  expect([
    await said('echo "error: GH006: Protected branch."; echo; echo "  Ask Ada."'),
    await said(''),
    await refusal(pushCommit(request({ branch: 'a b' }))),
    await refusal(pushCommit(request({ patch: patch.replace('-two', '-one') }))),
    git(origin, 'rev-parse', 'main'),
  ]).toEqual([
    'The push to main was refused: GH006: Protected branch.\nAsk Ada.',
    expect.stringMatching(
      /^The push to main was refused: To .*\n!\t.*:refs\/heads\/main\t\[remote rejected\] \(pre-receive hook declined\)\nDone\nerror: failed to push some refs to '.*'$/,
    ),
    'ConfigError: Not a name for a branch: a b',
    `The patch of the run does not fit ${second}.`,
    second,
  ]);
});
