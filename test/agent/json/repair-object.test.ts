import { describe, expect, it } from 'vitest';
import { repairObject } from '../../../src/agent/json/repair-object.ts';

describe('arguments that are almost JSON', () => {
  it.each([
    ['a trailing comma', '{"a": "x",}', { a: 'x' }],
    ['a bare key', '{a: 1, b_2: [1, 2,],}', { a: 1, b_2: [1, 2] }],
    ['single quotes', "{'a': 'it \"is\"'}", { a: 'it "is"' }],
    ["Python's constants", '{"a": True, "b": None}', { a: true, b: null }],
    ['a raw line break', '{"a": "one\ntwo"}', { a: 'one\ntwo' }],
    ['a lone backslash', '{"a": "\\d+\\.ts"}', { a: '\\d+\\.ts' }],
    ['a lone backslash beside a trailing comma', '{"a": "\\d+",}', { a: '\\d+' }],
    ['a comment', '{"a": "x" // why\n}', { a: 'x' }],
    ['a code fence', '```json\n{"a": 1}\n```', { a: 1 }],
    ['one bracket too many', '{"a": 1}}', { a: 1 }],
    ['brackets and commas in a string', '{"a": "}, {", }', { a: '}, {' }],
  ])('are read with %s', (_what, text, object) => {
    expect(repairObject(text)).toEqual({ object });
  });

  it.each([
    ['{"command": "rm -rf /tmp/x', 'a string in them does not end'],
    ['{"command": "echo }', 'a string in them does not end'],
    ['{"edits": [{"old": "a", "new": "b"}', 'they end in the middle'],
    ['{"a": [1, 2}', 'their brackets do not match'],
    ['{"a": 1} {"b": 2}', 'something follows the object'],
    ['{"command": "grep "a, b" x"}', 'a quote inside a string is not escaped, or a comma is missing'],
    ['{"a": 1 "b": 2}', 'a quote inside a string is not escaped, or a comma is missing'],
    ['{"a": "x" + "y"}', 'a quote inside a string is not escaped, or a comma is missing'],
    ['{command: echo a, b}', 'the value echo has no quotes'],
    ['run the tests', 'the value run has no quotes'],
  ])('are refused if they have more than one reading: %s', (text, problem) => {
    expect(repairObject(text)).toEqual({ problem });
  });
});
