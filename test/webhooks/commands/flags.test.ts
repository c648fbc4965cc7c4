import { expect, test } from 'vitest';
import type { FlagName } from '../../../src/contract/verbs.ts';
import { examples, readFlag } from '../../../src/webhooks/commands/flags.ts';

const all: FlagName[] = ['budget', 'turns', 'model', 'effort', 'profile', 'incremental', 'checksOnly'];
const read = (word: string, strict = true, allowed = all) => {
  const found = readFlag(word, allowed, strict);
  return found.kind === 'flag' ? found.flag : found.kind === 'word' ? null : found.problem;
};
const readAll = (words: readonly string[], strict = true) =>
  Object.fromEntries(words.map((word) => [word, read(word, strict)]));

test('each flag has its spellings and its limits', () => {
  expect(
    readAll(
      'budget=2 --budget=$2.5 cost=0.0001 BUDGET=999999 turns=1 turns=9999 model=a/b:c@d+e-f.g_h effort=None effort=minimal effort=low effort=medium effort=high effort=xhigh effort=max profile=Deep profile=own_1-x -i --incremental --checks-only --checks_only'.split(
        ' ',
      ),
    ),
  ).toEqual({
    'budget=2': { budget: 2 },
    '--budget=$2.5': { budget: 2.5 },
    'cost=0.0001': { budget: 0.0001 },
    'BUDGET=999999': { budget: 999_999 },
    'turns=1': { turns: 1 },
    'turns=9999': { turns: 9999 },
    'model=a/b:c@d+e-f.g_h': { model: 'a/b:c@d+e-f.g_h' },
    'effort=None': { effort: 'none' },
    'effort=minimal': { effort: 'minimal' },
    'effort=low': { effort: 'low' },
    'effort=medium': { effort: 'medium' },
    'effort=high': { effort: 'high' },
    'effort=xhigh': { effort: 'xhigh' },
    'effort=max': { effort: 'max' },
    'profile=Deep': { profile: 'study' },
    'profile=own_1-x': { profile: 'own_1-x' },
    '-i': { incremental: true },
    '--incremental': { incremental: true },
    '--checks-only': { checksOnly: true },
    '--checks_only': { checksOnly: true },
  });
  expect(readAll(['checks-only', 'checks_only'], false)).toEqual({
    'checks-only': { checksOnly: true },
    checks_only: { checksOnly: true },
  });
});

test.each([
  ['budget', 'budget=$2', ['', '0', '1000000', '1.', '1.00001', '$$1', '1,5', '.5', 'x1', '1x']],
  ['turns', 'turns=20', ['', '0', '01', '10000', '1.5', 'x1', '1x']],
  ['model', 'model=NAME', ['', 'a b', 'a$', 'm'.repeat(101)]],
  ['effort', 'effort=high', ['', 'hard', 'highest']],
  ['profile', 'profile=study', ['', '1a', 'a/b', '-a', 'p'.repeat(42)]],
])('an invalid value of %s is answered with an example', (name, example, values) => {
  expect(values.map((value) => read(`${name}=${value}`))).toEqual(
    values.map(() => `\`${name}\` is written like \`${example}\`.`),
  );
  expect(examples[name as FlagName]).toBe(example);
});

test('accepts names of the maximum length', () => {
  expect([read(`model=${'m'.repeat(100)}`), read(`profile=${'p'.repeat(41)}`)]).toEqual([
    { model: 'm'.repeat(100) },
    { profile: 'p'.repeat(41) },
  ]);
});

test.each(
  'preset permissions permission sandbox network protected rules hooks env secrets tools setup limits providers'.split(
    ' ',
  ),
)('%s can only be set by the base branch', (name) => {
  const told = `\`${name}\` cannot be set in a comment: the configuration of the base branch sets the rights of a run. If it is part of your text, put it in backticks.`;
  expect(readAll([`${name}=x`, `--${name.toUpperCase()}=x`], false)).toEqual({
    [`${name}=x`]: told,
    [`--${name.toUpperCase()}=x`]: told,
  });
  expect(read(name, false)).toBe(null);
});

test('an unknown flag is refused at the front, but may be a word at the end', () => {
  const words = [
    'word',
    'x=1',
    '--force',
    '-f',
    '-i=1',
    'budget',
    'a--budget',
    '--budget',
    '--TURNS',
    'incremental=1',
    'checks-only=1',
    'bugdet=1',
    '--incremntal',
  ];
  const none = (word: string) =>
    `\`${word}\` is not a flag. If it is part of your text, put it in backticks.`;
  const near = {
    '--budget': '`--budget` is not a flag in this form; write `budget=$2`.',
    '--TURNS': '`--turns` is not a flag in this form; write `turns=20`.',
    'incremental=1': '`incremental` is not a flag; did you mean `-i`?',
    'checks-only=1': '`checks-only` is not a flag; did you mean `--checks-only`?',
    'bugdet=1': '`bugdet` is not a flag in this form; write `budget=$2`.',
    '--incremntal': '`--incremntal` is not a flag; did you mean `-i`?',
  };
  expect(readAll(words)).toEqual({
    word: null,
    'x=1': none('x'),
    '--force': none('--force'),
    '-f': '`-f` is not a flag; did you mean `-i`?',
    '-i=1': null,
    budget: null,
    'a--budget': null,
    ...near,
  });
  expect(readAll(words, false)).toEqual({
    ...{ word: null, 'x=1': null, '--force': null, '-i=1': null, budget: null, 'a--budget': null },
    '-f': '`-f` is not a flag; did you mean `-i`?',
    ...near,
  });
});

test('a flag of another command is refused, except a switch at the end of the text', () => {
  expect([
    read('turns=2', false, ['budget']),
    read('-i', true, ['budget']),
    read('-i', false, ['budget']),
  ]).toEqual(['`turns` does not go with this command.', '`-i` does not go with this command.', null]);
});

test('a quoted word is cut to a maximum length', () => {
  expect(read(`--${'a'.repeat(60)}`)).toBe(
    `\`--${'a'.repeat(38)}\` is not a flag. If it is part of your text, put it in backticks.`,
  );
  expect([read(`${'a'.repeat(31)}=1`), read(`${'a'.repeat(32)}=1`)]).toEqual([
    `\`${'a'.repeat(31)}\` is not a flag. If it is part of your text, put it in backticks.`,
    null,
  ]);
});
