import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOfSystem, isScript, whereIs } from '../../src/workspace/program-words.ts';

test('a word is a file by its ending, and of the system by where it leads', () => {
  const words = ['hook.py', 'src/*.ts', 'npm', '/usr/bin/env', '/usr/../srv/shop/hook.sh', '/usrs/x'];
  expect(words.map((word) => [isScript(word), isOfSystem(word)])).toEqual([
    [true, false],
    [false, false],
    [false, false],
    [false, true],
    [true, false],
    [false, false],
  ]);
});

test('a file is in the checkout by its letters and by where its links lead, and elsewhere by its real path', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'words-')));
  const at = (name: string) => path.join(folder, name);
  mkdirSync(at('shop/bin'), { recursive: true });
  for (const name of ['own.sh', 'shop/bin/in.sh']) writeFileSync(at(name), '');
  symlinkSync(at('shop/bin/in.sh'), at('link-in.sh'));
  symlinkSync(at('own.sh'), at('shop/bin/link-out.sh'));
  symlinkSync(at('own.sh'), at('link-own.sh'));
  const names = ['shop/bin/in.sh', 'link-in.sh', 'shop/bin/link-out.sh', 'link-own.sh', 'none.sh'];
  const found = await Promise.all(names.map((name) => whereIs(at(name), at('shop'))));
  rmSync(folder, { recursive: true });
  expect(found).toEqual([
    { inside: 'bin/in.sh' },
    { inside: 'bin/in.sh' },
    { inside: 'bin/link-out.sh' },
    { outside: at('own.sh') },
    { outside: at('none.sh') },
  ]);
});
