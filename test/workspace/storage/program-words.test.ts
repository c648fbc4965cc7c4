import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOfSystem, isScript, locateFile } from '../../../src/workspace/storage/stored-programs.ts';

test('a word is a script by its extension, and a system program by its real folder', () => {
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

test('all system folders are recognised, and an extension has up to six characters', () => {
  const system = ['/usr/x', '/bin/x', '/sbin/x', '/lib/x', '/lib64/x', '/a/../usr/x'];
  const others = ['usr/x', '/srv/usr/x', '/usr', '/libs/x', '/usr/../x'];
  const scripts = ['a.sh', 'A.PY', 'a.b.js', 'a.c', 'a.abcdef', 'a.b12345', 'x y.sh'];
  const words = [
    'a',
    '.sh',
    'a.',
    'a.1',
    'a.abcdefg',
    'a*.sh',
    'a?.sh',
    'a[b].sh',
    'a{b}.sh',
    'a.sh ',
    'a.s-h',
    'a].sh',
    'a}.sh',
  ];
  expect([
    ...[system.filter((file) => !isOfSystem(file)), others.filter(isOfSystem)],
    ...[scripts.filter((word) => !isScript(word)), words.filter(isScript)],
  ]).toEqual([[], [], [], []]);
});

test('a file is in the checkout by its path or its link target, otherwise at its real path', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'words-')));
  const at = (name: string) => path.join(folder, name);
  mkdirSync(at('shop/bin'), { recursive: true });
  for (const name of ['own.sh', 'shop/bin/in.sh']) writeFileSync(at(name), '');
  symlinkSync(at('shop/bin/in.sh'), at('link-in.sh'));
  symlinkSync(at('own.sh'), at('shop/bin/link-out.sh'));
  symlinkSync(at('own.sh'), at('link-own.sh'));
  const names = ['shop/bin/in.sh', 'link-in.sh', 'shop/bin/link-out.sh', 'link-own.sh', 'none.sh'];
  const found = await Promise.all(names.map((name) => locateFile(at(name), at('shop'))));
  rmSync(folder, { recursive: true });
  expect(found).toEqual([
    { inside: 'bin/in.sh' },
    { inside: 'bin/in.sh' },
    { inside: 'bin/link-out.sh' },
    { outside: at('own.sh') },
    { outside: at('none.sh') },
  ]);
});
