import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyRefs, makeGitDirectory } from '../../../src/workspace/git/make-git-directory.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'anode-own-git-'));
});
afterEach(() => rmSync(base, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
const own = (path: string) => readFileSync(join(base, 'own', path), 'utf8');
const names = (path: string) => readdirSync(join(base, 'own', path)).sort();

const config = (version: number) => `[core]
\trepositoryformatversion = ${version}
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[user]
\tname = Anode CI
\temail = anode-ci@users.noreply.github.com
`;

test('a new git directory has its settings, a HEAD and nothing else', () => {
  makeGitDirectory({ target: join(base, 'own'), source: null, head: 'ref: refs/heads/main' });
  expect([
    names('.'),
    own('HEAD'),
    own('config'),
    own('info/exclude'),
    names('objects'),
    names('refs'),
  ]).toEqual([
    ['HEAD', 'config', 'info', 'objects', 'refs'],
    'ref: refs/heads/main\n',
    config(0),
    '/.anode-harness/\n.anode-tmp-*\n',
    ['info'],
    ['heads'],
  ]);
  expect([names('objects/info'), statSync(join(base, 'own/objects')).mode & 0o777]).toEqual([[], 0o700]);
});

test('object names may be SHA-256', () => {
  makeGitDirectory({ target: join(base, 'own'), source: null, head: 'x', objectFormat: 'sha256' });
  expect(own('config')).toBe(`${config(1)}[extensions]\n\tobjectformat = sha256\n`);
});

test('borrows the objects and state of a repository, but no setting and no link', () => {
  put('main/index', 'index');
  utimesSync(join(base, 'main/index'), 1_000.75, 1_000.75);
  put('main/sharedindex.1', 'shared');
  put('main/config', 'evil');
  put('common/shallow', 'grafts');
  put('common/info/exclude', 'mine\n');
  put('common/hooks/pre-commit', 'evil');
  put('outside', 'secret');
  symlinkSync(join(base, 'outside'), join(base, 'main/sharedindex.2'));
  const source = { directory: join(base, 'main'), common: join(base, 'common') };
  makeGitDirectory({ target: join(base, 'own'), source, head: 'abc' });
  expect([names('.'), own('index'), own('shallow'), own('sharedindex.1'), own('config')]).toEqual([
    ['HEAD', 'config', 'index', 'info', 'objects', 'refs', 'shallow', 'sharedindex.1'],
    'index',
    'grafts',
    'shared',
    config(0),
  ]);
  expect([own('info/exclude'), own('objects/info/alternates')]).toEqual([
    'mine\n/.anode-harness/\n.anode-tmp-*\n',
    `${join(base, 'common/objects')}\n`,
  ]);
  expect(statSync(join(base, 'own/index')).mtimeMs).toBe(1_000_000);
});

test('copies branches and tags only on request', async () => {
  put('common/packed-refs', 'packed');
  put('common/refs/heads/a/b', 'one');
  put('common/refs/tags/v1', 'two');
  const source = { directory: join(base, 'common'), common: join(base, 'common') };
  makeGitDirectory({ target: join(base, 'own'), source, head: 'abc' });
  const before = [existsSync(join(base, 'own/packed-refs')), names('refs/heads')];
  await copyRefs(source, join(base, 'own'));
  expect([...before, own('packed-refs'), own('refs/heads/a/b'), own('refs/tags/v1')]).toEqual([
    ...[false, []],
    ...['packed', 'one', 'two'],
  ]);
});
