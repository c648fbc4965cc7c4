import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changesByTexts } from '../../../src/workspace/changes/final-changes.ts';
import { makeOwnGit } from '../../../src/workspace/git/own-git.ts';

const folder = mkdtempSync(join(tmpdir(), 'anode-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file gets its text unconverted and keeps its mode, and a link is refused', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '-q');
  writeFileSync(join(folder, '.gitattributes'), '* text eol=crlf\n');
  writeFileSync(join(folder, 'a b.txt'), 'one\n');
  writeFileSync(join(folder, 'run.sh'), 'echo\n');
  chmodSync(join(folder, 'run.sh'), 0o755);
  symlinkSync('a b.txt', join(folder, 'link'));
  git('add', '.');
  git('-c', 'user.name=ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'First');
  const sha = git('rev-parse', 'HEAD');
  const directory = join(folder, '.git');
  const own = await makeOwnGit({ directory, common: directory }, join(folder, 'own.git'));
  const texts = new Map([
    ['a b.txt', 'two\r\n'],
    ['run.sh', 'echo two\n'],
  ]);
  const { base_sha, files } = await changesByTexts(own, sha, texts);
  expect([
    base_sha,
    files.map(({ path, mode, content }) => [path, mode, Buffer.from(content ?? '', 'base64').toString()]),
    await changesByTexts(own, sha, new Map([['link', 'x']])).catch(({ message }: Error) => message),
  ]).toEqual([
    sha,
    [
      ['a b.txt', '100644', 'two\r\n'],
      ['run.sh', '100755', 'echo two\n'],
    ],
    `${sha} has no regular file link.`,
  ]);
});
