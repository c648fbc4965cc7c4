import { expect, test } from 'vitest';
import type { FlagName } from '../../../src/contract/verbs.ts';
import { spokenText } from '../../../src/webhooks/commands/command-text.ts';
import { readFlags } from '../../../src/webhooks/commands/read-flags.ts';

const all: FlagName[] = ['budget', 'turns', 'model', 'effort', 'profile', 'incremental', 'checksOnly'];
/** Reads the words behind `/bot fix`, as the comment they stand in says them. */
const read = (
  words: string,
  { strict = true, allowed = all, spoken = spokenText(`/bot fix ${words}`) } = {},
) => {
  const found = readFlags(words, { spoken, allowed, strict });
  return found.kind === 'problem' ? found.problem : [found.words, found.flags];
};

test.each<[string, string, object]>([
  ['', '', {}],
  ['a b', 'a b', {}],
  ['budget=1 a', 'a', { budget: 1 }],
  ['-i turns=2 a b', 'a b', { incremental: true, turns: 2 }],
  ['a turns=2', 'a', { turns: 2 }],
  ['a turns=2 -i ', 'a', { turns: 2, incremental: true }],
  ['-i a turns=2', 'a', { incremental: true, turns: 2 }],
  ['turns=2 ', '', { turns: 2 }],
  ['turns=1 turns=2 a', 'a', { turns: 1 }],
  ['turns=1 a turns=2', 'a', { turns: 1 }],
  ['a turns=1 turns=2', 'a', { turns: 1 }],
  ['a turns=1 b', 'a turns=1 b', {}],
  ['turns=2 a\nb budget=1', 'a\nb budget=1', { turns: 2 }],
  ['a turns=2\n\nb', 'a\n\nb', { turns: 2 }],
  ['a `turns=2`', 'a `turns=2`', {}],
])('%j has the text %j and the flags %j', (words, left, flags) => {
  expect(read(words)).toEqual([left, flags]);
});

test('a trailing flag must end the first spoken line', () => {
  expect(read('a turns=2', { spoken: '\n /bot fix a turns=2 \nmore' })).toEqual(['a', { turns: 2 }]);
  expect(read('a turns=2', { spoken: '/bot fix a turns=2 b' })).toEqual(['a turns=2', {}]);
  expect(read('a turns=2', { spoken: '/bot fix a\nturns=2' })).toEqual(['a turns=2', {}]);
  expect(read('a turns=2', { spoken: '' })).toEqual(['a turns=2', {}]);
  // Only one of the two is said: the other stands in what nobody sees.
  expect(read('a turns=2 budget=1', { spoken: '/bot fix a budget=1' })).toEqual(['a turns=2', { budget: 1 }]);
});

test('an invalid flag is reported at the front, and at the end if it resembles one', () => {
  expect(read('--force a')).toBe('`--force` is not a flag. If it is part of your text, put it in backticks.');
  expect(read('--force a', { strict: false })).toEqual(['--force a', {}]);
  expect(read('a --force')).toEqual(['a --force', {}]);
  expect(read('a turns=x')).toBe('`turns` is written like `turns=20`.');
  expect(read('turns=2 a', { allowed: ['budget'] })).toBe('`turns` does not go with this command.');
});
