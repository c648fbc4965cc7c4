import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  flag,
  globs,
  integer,
  list,
  severityWord,
  statusWord,
  stringList,
  unlessNull,
} from '../../../src/tools/input/lenient.ts';

test.for([
  ['critical', ['critical', 'blocker', 'severe', ' BLOCKER ']],
  ['high', ['high', 'error', 'major', 'High']],
  ['medium', ['medium', 'warning', 'warn', 'moderate']],
  ['low', ['low', 'minor']],
  ['info', ['info', 'nit', 'nitpick', 'note', 'trivial', 'suggestion', 'informational']],
  ['terrible', ['Terrible']],
] as const)('%s is the severity for %j', ([severity, words]) => {
  expect(words.map(severityWord)).toEqual(words.map(() => severity));
});

test('an unknown severity stays as written, and null counts as omitted', () => {
  expect([severityWord(3), severityWord(null), severityWord(undefined)]).toEqual([3, undefined, undefined]);
});

test.for([
  ['open', ['open', 'pending', 'todo', 'not started', 'Not-Started', 'not_started', 'planned']],
  ['in_progress', ['in_progress', 'in progress', 'IN-PROGRESS', 'active', 'doing', 'started']],
  ['completed', ['completed', 'done', 'complete', ' finished ', 'closed']],
  ['maybe', ['maybe']],
  [undefined, ['', ' ']],
] as const)('%s is the state for %j', ([state, words]) => {
  expect(words.map((word) => statusWord(word, 'open'))).toEqual(words.map(() => state));
});

test('a list with the state "pending" uses it for tasks not started', () => {
  expect([statusWord('todo', 'pending'), statusWord(7, 'pending')]).toEqual(['pending', 7]);
});

test('inputs are accepted in the forms that models write', () => {
  const read = (schema: z.ZodType, value: unknown) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : 'refused';
  };
  const numbers = list(z.array(z.int()));
  expect([
    ...['true', 'false', true, 'True', 1].map((value) => read(flag(), value)),
    ...['12', '1'.repeat(15), '1'.repeat(16), '1.5', '-1', ' 1', 3].map((value) => read(integer(), value)),
    read(integer(z.int(), /^#(\d+)$/), '#7'),
    ...['[1, 2]', ' [1]', '{"a":1}', '[1', '1', [3]].map((value) => read(numbers, value)),
    ...['a', '["a","b"]', '', ['a'], '[a]', 1].map((value) => read(stringList(), value)),
    ...['*.ts', ['a', 'b'], '["a","b"]', ' ["a"]', '["a"', '[ab]', [], [1]].map((value) =>
      read(globs(), value),
    ),
    ...[null, undefined, 'a', 1].map((value) => read(unlessNull(z.string()), value)),
  ]).toEqual([
    ...[true, false, true, 'refused', 'refused'],
    ...[12, 111_111_111_111_111, 'refused', 'refused', -1, 'refused', 3],
    7,
    ...[[1, 2], [1], 'refused', 'refused', 'refused', [3]],
    ...[['a'], ['a', 'b'], 'refused', ['a'], ['[a]'], 'refused'],
    ...['*.ts', 'a,b', 'a,b', 'a', '["a"', '[ab]', 'refused', 'refused'],
    ...[undefined, undefined, 'a', 'refused'],
  ]);
});
