import { expect, test } from 'vitest';
import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';
import { commandLine, exactTexts, looseTexts } from '../../../src/permissions/shell/command-texts.ts';
import type { SimpleCommand } from '../../../src/permissions/shell/simple-command.ts';

const last = (script: string): SimpleCommand => {
  const command = analyseScript(script).commands.at(-1);
  if (command === undefined) throw new Error(`no command in ${script}`);
  return command;
};

test.each<[script: string, exact: string[], loose: string[]]>([
  ['ls -l a', ['ls -l a'], ['ls -l a']],
  ['ls "a b"', ["ls 'a b'", 'ls "a b"'], ["ls 'a b'", 'ls "a b"', 'ls a b']],
  ["ls ''", ["ls ''"], ["ls ''", 'ls ']],
  ['ls "it\'s"', ["ls 'it'\\''s'", 'ls "it\'s"'], ["ls 'it'\\''s'", 'ls "it\'s"', "ls it's"]],
  ['A=1 ls "$x"', ['A=1 ls "$x"'], ['A=1 ls "$x"', 'ls "$x"']],
  ['$x a', [], ['$x a']],
  ['"a b" c', [], ['a b c']],
  ['/usr/bin/ls a', ['/usr/bin/ls a'], ['/usr/bin/ls a', 'ls a']],
  ['sudo -n ls a', ['ls a'], ['ls a', 'sudo ls a']],
  ['git -C d log', ['git -C d log'], ['git -C d log', 'git log']],
  ['npx rm x', ['npx rm x'], ['npx rm x', 'rm x', 'x']],
  [
    'rm -v --recursive -f -- a',
    ['rm -v --recursive -f -- a'],
    ['rm -v --recursive -f -- a', 'rm -rf a', 'rm -fr a', 'rm -r -f a'],
  ],
  ['rm -R a', ['rm -R a'], ['rm -R a', 'rm -r a']],
  ['rm --forc a', ['rm --forc a'], ['rm --forc a', 'rm -f a']],
  ['rm --r --f a', ['rm --r --f a'], ['rm --r --f a', 'rm -rf a', 'rm -fr a', 'rm -r -f a']],
  ['rm -i a', ['rm -i a'], ['rm -i a']],
  ['rm a -- -rf', ['rm a -- -rf'], ['rm a -- -rf']],
  ['ls -r --force a', ['ls -r --force a'], ['ls -r --force a']],
  ['s=publish; npm $s', ['npm $s'], ['npm $s', 'npm publish']],
])('%j can be allowed as %j and restricted as %j', (script, exact, loose) => {
  expect([exactTexts(last(script)), looseTexts(last(script))]).toEqual([exact, loose]);
});

test('a command is shown on one line, cut at 200 characters', () => {
  const displayed = (script: string) => commandLine(last(script));
  expect(displayed('A=1 ls "a\nb"   c')).toBe('A=1 ls "a b" c');
  expect(
    [200, 201]
      .map((length) => displayed(`ls ${'a'.repeat(length - 3)}`))
      .map((text) => [text.length, text.at(-1)]),
  ).toEqual([
    [200, 'a'],
    [200, '…'],
  ]);
});
