import { expect, test } from 'vitest';
import {
  type FolderKind,
  mayMatter,
  type TreeEntry,
  watchName,
} from '../../../src/permissions/tree/watch-name.ts';

const at = (
  path: string,
  kind: TreeEntry['kind'] = 'file',
  above: FolderKind = 'plain',
  siblings: readonly string[] = [],
) => {
  const { concern, folderKind: place } = watchName(
    { path, name: path.split('/').at(-1) ?? '', kind },
    above,
    (name) => siblings.includes(name),
  );
  return [concern, place];
};

test.each([
  ...['.netrc', '_netrc', '.git-credentials', '.pgpass', '.vault-token', 'id_rsa', 'id_dsa', 'id_ecdsa'],
  ...['id_ed25519', 'gha-creds-12.json', 'home/.aws/credentials', 'a/.docker/config.json', '.kube/config'],
  ...['proc/1/environ', 'a/proc/self/mem', 'etc/shadow', 'a/etc/gshadow', 'etc/sudoers', 'A/.KUBE/Config'],
])('%s may hold a credential', (path) => {
  expect(at(path)).toEqual(['credential', 'plain']);
  expect(at(path, 'directory')).toEqual([null, 'plain']);
});

test.each([
  ...['.ssh', 'home/.gnupg', '.azure', '.config/gh', 'a/.config/gcloud', '.config/git', '.config/anode'],
])('each file in the folder %s holds a credential', (path) => {
  expect([
    at(path, 'directory'),
    at(`${path}/x`, 'file', 'credentials'),
    at(`${path}/x`, 'directory', 'credentials'),
    at(path),
  ]).toEqual([
    [null, 'credentials'],
    ['credential', 'credentials'],
    [null, 'credentials'],
    [null, 'plain'],
  ]);
});

test.each([
  ['.gitignore', 'file', 'rules', 'credentials'],
  ['.gitattributes', 'other', 'rules', 'credentials'],
  ['.gitignore', 'directory', null, 'credentials'],
  ['CLAUDE.md', 'file', 'protected', 'protected'],
  ['.claude', 'directory', 'protected', 'protected'],
  ['.git', 'file', 'protected', 'protected'],
  ['.git', 'directory', 'protected', 'git'],
  ['.vscode', 'directory', null, 'credentials'],
  ['.vscode', 'link', 'protected', 'credentials'],
  ['.vscode/mcp.json', 'file', 'protected', 'protected'],
  ['.vscode/other.json', 'file', 'credential', 'credentials'],
  ['.ssh', 'directory', null, 'credentials'],
  ['x', 'link', null, 'credentials'],
] as const)('%s in a folder of credentials, a %s, has the concern %s and the folder kind %s', (...row) => {
  const [name, kind, concern, place] = row;
  expect(at(`.config/gh/${name}`, kind, 'credentials')).toEqual([concern, place]);
});

test.each([
  ['.ssh/.git/HEAD', 'file', 'credential', 'git'],
  ['.ssh/.git/config', 'file', 'protected', 'git'],
  ['.ssh/.git/info', 'directory', null, 'git'],
  ['.ssh/.git/objects', 'directory', null, 'credentials'],
  ['lib/.git/modules/x/.netrc', 'file', 'credential', 'git'],
  ['lib/.git/x/.ssh/key', 'file', 'credential', 'git'],
  ['lib/.git/HEAD', 'file', null, 'git'],
  ['lib/.git/objects', 'directory', null, 'skipped'],
] as const)('%s, a %s, has the concern %s and the folder kind %s', (path, kind, concern, place) => {
  expect(at(path, kind, 'git')).toEqual([concern, place]);
});

test.each(['gh', 'git', 'a/gcloud', '.config', 'ssh'])('the folder %s is an ordinary one', (path) => {
  expect(at(path, 'directory')).toEqual([null, 'plain']);
});

test.each([
  'config',
  'config.json',
  'id_rsa.pub',
  'x.netrc',
  'gha-creds.json',
  'credentials',
  'credentials.md',
  'shadow',
  'proc/environ',
  'docs/mem',
  'src/main.ts',
])('%s has no concern', (path) => {
  expect(at(path)).toEqual([null, 'plain']);
});

test.each([
  '.gitignore',
  '.gitattributes',
  '.ignore',
  '.rgignore',
  '.mailmap',
])('%s holds rules in any folder, unless it is a folder itself', (name) => {
  expect([at(name)[0], at(`a/${name}`, 'other')[0], at(`a/${name}`, 'directory')[0]]).toEqual([
    'rules',
    'rules',
    null,
  ]);
});

test('contents of a protected folder are protected, and the own git directory is skipped', () => {
  expect([
    at('.github/workflows', 'directory'),
    at('.github/workflows/a.yml', 'file', 'protected'),
    at('.git', 'directory'),
    at('.anode-harness', 'directory'),
    at('a/.anode-tmp-1', 'directory'),
  ]).toEqual([
    ['protected', 'protected'],
    ['protected', 'protected'],
    [null, 'skipped'],
    [null, 'skipped'],
    // Anybody may make one of that name.
    [null, 'plain'],
  ]);
});

test("another repository's git settings are protected, and its objects are skipped", () => {
  expect([
    at('sub/.git', 'directory'),
    at('sub/.git/config', 'file', 'git'),
    at('sub/.git/hooks', 'directory', 'git'),
    at('sub/.git/HEAD', 'file', 'git'),
    at('sub/.git/objects', 'directory', 'git'),
    at('sub/.git/modules', 'directory', 'git'),
  ]).toEqual([
    ['protected', 'git'],
    ['protected', 'git'],
    ['protected', 'protected'],
    [null, 'git'],
    [null, 'skipped'],
    [null, 'git'],
  ]);
});

test('the settings of a bare repository are recognised by the files next to them', () => {
  expect([
    at('bare/config', 'file', 'plain', ['HEAD', 'objects']),
    at('bare/config', 'file', 'plain', ['HEAD']),
    at('bare/config', 'file', 'plain', ['objects']),
    at('bare/config', 'directory', 'plain', ['HEAD', 'objects']),
  ]).toEqual([
    ['credential', 'plain'],
    [null, 'plain'],
    [null, 'plain'],
    [null, 'plain'],
  ]);
});

test('a link in the place of a folder that holds protected files is protected', () => {
  expect([at('.vscode', 'link'), at('src', 'link'), at('.github', 'link')]).toEqual([
    ['protected', 'plain'],
    [null, 'plain'],
    ['protected', 'plain'],
  ]);
});

test('a name that may matter is recognised without its folder', () => {
  expect(['.gitignore', 'workflows', 'AGENTS.md', 'main.ts', 'src'].map(mayMatter)).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
});
