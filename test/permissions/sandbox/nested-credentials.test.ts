import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdsCredential, nestedCredentials } from '../../../src/permissions/sandbox/nested-credentials.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-nested-')));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const secret = '[http "https://x.test/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n';

test('settings of repositories below the workspace are found four folders deep, links and packages aside', async () => {
  for (const folder of ['', 'one', 'a/b/c/d', 'a/b/c/d/e', 'node_modules/x', 'one/.git/modules/y', '.github'])
    put(join(folder, '.git/config'), secret);
  put('plain/.git/config', '[core]\n\tbare = false\n');
  put('file/.git', 'gitdir: ../one/.git');
  symlinkSync('one', join(root, 'link'));
  expect((await nestedCredentials(root)).map((path) => path.slice(root.length + 1)).sort()).toEqual([
    ...['.github/.git/config', 'a/b/c/d/.git/config', 'one/.git/config'],
  ]);
  expect(await nestedCredentials(join(root, 'nowhere'))).toEqual([]);
});

test('no more than 2,000 folders are looked at, the workspace among them', async () => {
  for (let index = 0; index < 2_000; index += 1) mkdirSync(join(root, `d${index}`));
  // Read in the order of the disk.
  const names = readdirSync(root);
  put(`${names[1_998]}/.git/config`, secret);
  put(`${names[1_999]}/.git/config`, secret);
  expect(await nestedCredentials(root)).toEqual([join(root, names[1_998] ?? '', '.git/config')]);
});

test('a credential is a header, a helper, or an address with a name in it', () => {
  const holds = (text: string) => {
    put('config', text);
    return holdsCredential(join(root, 'config'));
  };
  const credentials = [
    ...[secret, 'ExtraHeader = x', '[credential]\n', '[core]\n  [ credential "https://x"]\n', '[Credential]'],
    ...[
      'url = https://token@x.test/a',
      'url = https://a:b@x.test',
      'url = ssh://git@x.test/a',
      'url = https://@x',
    ],
    `${' '.repeat(64 * 1024 - 11)}extraheader`,
  ];
  const others = [
    ...[
      '',
      '[core]',
      'x = [credential]',
      'url = https://x.test/a@b',
      'url = git@x.test:a',
      'url = https://x.test/ a@b',
    ],
    ...['[credentia]', 'extra header', `${' '.repeat(64 * 1024 - 10)}extraheader`],
  ];
  expect([credentials.filter((text) => !holds(text)), others.filter(holds)]).toEqual([[], []]);
});

test('what is a link, lies behind one, or is no file holds nothing', () => {
  put('real/config', secret);
  symlinkSync('config', join(root, 'real/link'));
  symlinkSync('real', join(root, 'behind'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const paths = ['real/config', 'real/link', 'behind/config', 'real', 'pipe', 'none'];
  expect(paths.map((path) => holdsCredential(join(root, path)))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
