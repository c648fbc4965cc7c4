import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ToolError } from '../../src/contract/errors.ts';
import { createTreeWatch } from '../../src/permissions/tree/tree-watch.ts';
import { masksFor } from '../../src/sandbox/masked-files.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-masks-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const masks = () => masksFor(root, createTreeWatch(root).scanNow());
const secret = '[http "https://x.test/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n';

test('files that hold credentials are found at any depth, with their parent folders', () => {
  const held = [
    ...[
      'one/.git/config',
      'one/.git/modules/y/config',
      'one/.git/config.worktree',
      'a/b/c/d/e/f/.git/config',
    ],
    ...[
      'one/.git/worktrees/w/config.worktree',
      'bare/config',
      'node_modules/x/.git/config',
      '.netrc',
      'b/.git-credentials',
    ],
    ...['b/gha-creds-0a1b.json', '.aws/credentials', 'k/id_ed25519'],
    ...['h/.docker/config.json', '.kube/config', '.config/gh/hosts.yml', '.config/gcloud/a/b.json'],
    ...['.ssh/config', '.gnupg/private-keys-v1.d/a.key', 'h/.azure/tokens/b.json'],
    ...['proc/1/environ', 'h/proc/self/mem', 'etc/shadow', 'etc/gshadow', 'h/etc/sudoers'],
  ];
  for (const path of held) put(path, secret);
  put('bare/HEAD', 'ref: refs/heads/main\n');
  put('bare/objects/info/packs', '');
  put('.git/config', secret);
  put('plain/.git/config', '[core]\n\tbare = false\n');
  for (const path of ['config', 'config.json', 'kube/config', 'git/config', 'gh/hosts.yml'])
    put(path, secret);
  put('empty/.netrc', '');
  symlinkSync('one', join(root, 'link'));
  const { files, pins } = masks();
  expect([
    files.map((file) => file.slice(root.length + 1)).sort(),
    pins.map((one) => one.slice(root.length + 1)).slice(0, 12),
  ]).toEqual([held.toSorted(), expect.arrayContaining(['a', 'b', 'k', 'one', '.aws', 'bare', 'a/b'])]);
});

test.each([
  ...['.gitignore', '.gitattributes', 'CLAUDE.md', '.claude/settings.json', '.vscode/mcp.json', '.git'],
  ...['.git/config', '.git/HEAD', '.git/hooks/x', '.git/objects/ab/cd', '.git/modules/x/packed-refs'],
])('%s is found only in a folder of credentials', (name) => {
  put(`.ssh/a/${name}`, secret);
  put(`other/${name}`, '[core]\n');
  expect(masks().files).toEqual([join(root, '.ssh/a', name)]);
});

test('a credential in git settings is a header, a helper, or an address with a user name', () => {
  const holds = (text: string) => {
    put('r/.git/config', text);
    return masks().files.length === 1;
  };
  const credentials = [
    ...[secret, 'ExtraHeader = x', '[credential]\n', '[core]\n  [ credential "https://x"]\n', '[Credential]'],
    ...[
      'url = https://token@x.test/a',
      'url = https://a:b@x.test',
      'url = ssh://git@x.test/a',
      'url = https://@x',
    ],
    // What stands further down is not read.
    `${' '.repeat(64 * 1024)}x`,
  ];
  const others = ['', 'url = https://x.test/a@b', 'url = git@x.test:a/b', '[core]\n\tbare = false\n'];
  expect([credentials, others].map((texts) => texts.map(holds))).toEqual([
    credentials.map(() => true),
    others.map(() => false),
  ]);
});

test('no command starts if a credential file cannot be hidden', () => {
  put('a/.netrc', 'machine x login y password z\n');
  linkSync(join(root, 'a/.netrc'), join(root, 'innocent'));
  const refused = (reason: string) =>
    new ToolError(
      'unavailable',
      `No command can start: ${reason} Work without commands, and tell a person to take them out of the checkout.`,
    );
  expect(masks).toThrow(
    refused(
      '`a/.netrc` holds credentials, and cannot be hidden from commands, as it has another name elsewhere (a hard link).',
    ),
  );
  rmSync(join(root, 'a'), { recursive: true });
  for (let index = 0; index < 201; index += 1) put(`many/${index}/.netrc`, 'x');
  expect(masks).toThrow(refused('more than 200 files of the workspace hold credentials.'));
});
