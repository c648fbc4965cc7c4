import { expect, test } from 'vitest';
import {
  integerAt,
  isOnPull,
  isTrueAt,
  objectAt,
  stringAt,
  threadIn,
  timeAt,
} from '../../../src/webhooks/triggers/payload-reader.ts';

const payload = {
  a: { text: 'x', empty: '', number: 3, half: 1.5, large: 2 ** 53, yes: true, no: false, none: null },
  list: [{ text: 'x' }],
  at: '1970-01-01T00:00:01Z',
  never: 'some day',
};

test('each reader returns values of its kind, and null for any other', () => {
  const keys = ['text', 'empty', 'number', 'half', 'large', 'yes', 'no', 'none', 'missing'];
  expect([
    keys.map((key) => stringAt(payload, 'a', key)),
    keys.map((key) => integerAt(payload, 'a', key)),
    keys.map((key) => isTrueAt(payload, 'a', key)),
    keys.map((key) => objectAt(payload, 'a', key)),
  ]).toEqual([
    ['x', '', null, null, null, null, null, null, null],
    [null, null, 3, null, null, null, null, null, null],
    [false, false, false, false, false, true, false, false, false],
    [null, null, null, null, null, null, null, null, null],
  ]);
});

test('a list is no object, and an empty path gives the whole', () => {
  expect([objectAt(payload), objectAt(payload, 'a'), objectAt(payload, 'list'), objectAt({})]).toEqual([
    ...[payload, payload.a, null, {}],
  ]);
});

test('no path leads through a list, a text, null or an inherited property', () => {
  expect([
    ...[stringAt(payload, 'list', '0', 'text'), integerAt(payload, 'list', 'length')],
    ...[integerAt(payload, 'at', 'length'), stringAt(payload, 'a', 'none', 'text')],
    ...[stringAt(payload, 'constructor', 'name'), stringAt(payload, 'missing', 'text')],
  ]).toEqual([null, null, null, null, null, null]);
});

test('a time is a valid text of one', () => {
  expect([timeAt(payload, 'at'), timeAt(payload, 'never'), timeAt(payload, 'a', 'number')]).toEqual([
    ...[1_000, null, null],
  ]);
});

test.each([
  ['an issue', { issue: { number: 1 } }, { number: 1 }, false],
  [
    'a comment on a pull request',
    { issue: { number: 1, pull_request: {} } },
    { number: 1, pull_request: {} },
    true,
  ],
  ['a pull request', { pull_request: { number: 1 } }, { number: 1 }, true],
  ['another subject', { check_run: { id: 1 } }, null, true],
  ['an issue of the wrong kind', { issue: [] }, null, true],
])('the thread of %s is found with its kind', (_, payload, thread, onPull) => {
  expect([threadIn(payload), isOnPull(payload)]).toEqual([thread, onPull]);
});
