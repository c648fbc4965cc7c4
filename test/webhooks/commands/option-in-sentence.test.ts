import { expect, test } from 'vitest';
import { chosenOption } from '../../../src/webhooks/commands/chosen-option.ts';

const colours = [
  { id: 'blue', label: 'Blue' },
  { id: 'dark-green', label: 'The dark green one' },
  { id: 'none', label: 'No colour' },
];
const decision = [
  { id: 'yes', label: 'Yes, delete it' },
  { id: 'no', label: 'No, keep it' },
];
const chosen = (body: string, options = colours) => chosenOption(body, { options })?.id ?? null;

test.each([
  ['the first one, please', 'blue'],
  ['The first one, please!', 'blue'],
  ["Let's go with blue.", 'blue'],
  ['I’d say blue, thanks', 'blue'],
  ['yes, blue please', 'blue'],
  ['ok blue', 'blue'],
  ['I think blue is best', 'blue'],
  ['Dark green would be great', 'dark-green'],
  ['option 2', 'dark-green'],
  ['Number two, please.', 'dark-green'],
  ['the 2nd', 'dark-green'],
  ['third', 'none'],
  ['no colour, please', 'none'],
])('%j chooses %j', (body, id) => {
  expect(chosen(body)).toBe(id);
});

test.each([
  ['yes, go ahead', 'yes'],
  ['Yes', 'yes'],
  ['go ahead', 'yes'],
  ['Sure, please do that', 'yes'],
  ['Sounds good!', 'yes'],
  ['nope', 'no'],
  ['no, thanks', 'no'],
  ['delete it, please', 'yes'],
  ['keep it', 'no'],
])('%j says %j', (body, id) => {
  expect(chosen(body, decision)).toBe(id);
});

test.each([
  'not the first one',
  'the first or the second',
  'blue, but lighter',
  'blue if you can',
  'Is it blue?',
  'green',
  'I like both',
  'yes, go ahead',
  'the fourth',
  'please',
  'This is great, thanks',
  "I don't think so",
  `${'please '.repeat(20)}blue`,
])('%j chooses nothing', (body) => {
  expect(chosen(body)).toBeNull();
});

test.each([
  "don't delete it",
  'yes and no',
  'yes, but not now',
  'I am not sure',
  'do not go ahead',
])('%j says neither yes nor no', (body) => {
  expect(chosen(body, decision)).toBeNull();
});

test('a yes for two options of that kind is ambiguous', () => {
  const options = [
    { id: 'now', label: 'Yes, now' },
    { id: 'later', label: 'Yes, later' },
  ];
  expect(['yes', 'yes, later please', 'go ahead'].map((body) => chosen(body, options))).toEqual([
    null,
    'later',
    null,
  ]);
});
