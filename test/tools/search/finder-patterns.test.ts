import { describe, expect, test } from 'vitest';
import {
  definitionPattern,
  isImport,
  namePart,
  searchWords,
} from '../../../src/tools/search/finder-patterns.ts';
import { splitGlobs } from '../../../src/tools/search/match-glob.ts';
import { escapeRegex } from '../../../src/tools/search/text-query.ts';

test('globs are split at commas outside brackets', () => {
  const split = {
    '*.go,*.md': ['*.go', '*.md'],
    ' a , ,b,': ['a', 'b'],
    '*.{a,b},c': ['*.{a,b}', 'c'],
    '@(a,b),c': ['@(a,b)', 'c'],
    '[a,b],c': ['[a,b]', 'c'],
    'a\\,b,c': ['a\\,b', 'c'],
    '\\{a,b}': ['\\{a', 'b}'],
    'a\\\\,b': ['a\\\\', 'b'],
    '}a,b': ['}a', 'b'],
  };
  expect(Object.keys(split).map(splitGlobs)).toEqual(Object.values(split));
});

test('every special character of an expression is escaped', () => {
  const text = 'a\\^$.*+?()[]{}|-/ b';
  expect([escapeRegex(text), new RegExp(`^${escapeRegex(text)}$`).test(text)]).toEqual([
    'a\\\\\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|-/ b',
    true,
  ]);
});

describe('a line that seems to define a name', () => {
  const defines = (text: string) => new RegExp(definitionPattern('run')).test(text);
  const keywords =
    'function,function*,func,fn,def,class,interface,struct,enum,union,trait,type,module,mod,namespace,package,protocol,object,record,const,let,var,val,macro,sub,proc,#define';

  test.for([
    ...keywords.split(',').map((keyword) => `${keyword} runAll`),
    ...[
      'func (s *Shop) run()',
      'func (Shop) run()',
      'def Shop.run',
      'fn shop::inner::run()',
      ' export const run',
    ],
    ...[
      'run(a) {',
      '  run (a, b) : T {  ',
      'public static async run() {',
      'private run() {',
      'protected run() {',
    ],
    ...['override run() {', 'final run() {', 'abstract run() {', 'get run() {', 'set run(x) {'],
    ...['exports.run = 1', 'module.exports.run = x', ';exports.runAll= y'],
    ...[
      'run: function () {}',
      'run = async function () {}',
      "'run': (a) => a",
      '"run": a => a',
      '{ run: (x) => x',
    ],
    ...[', run: x => x', 'Shop.run = () => 1', 'static run = () => 1', '  run = async (a, b) => {'],
  ])('%s', (text) => {
    expect(defines(text)).toBe(true);
  });

  test.for([
    ...['run(a);', 'run(a) { return; }', 'x run', 'redefine run', 'exports.run == 1', 'myexports.run = 1'],
    ...[
      'run: 3',
      'run = x',
      'a.exports.run = 1',
      'functional run',
      'if (run) {',
      'typeof run',
      'x + run() {',
    ],
  ])('is not: %s', (text) => {
    expect(defines(text)).toBe(false);
  });

  test('has the word anywhere in its name, ignoring underscores', () => {
    const holds = (word: string, name: string) => new RegExp(`^${namePart(word)}$`).test(name);
    expect([
      holds('ab', 'ab'),
      holds('ab', 'xa__b'),
      holds('a_b', 'xab'),
      holds('_', 'x_'),
      holds('a.', 'a.'),
      holds('a.', 'ab'),
      holds('ab', 'ba'),
    ]).toEqual([true, true, true, true, true, false, false]);
  });

  test.for([
    ...['import a from "a"', '  import type { A }', 'const a = require("a")', 'let a = await import("a")'],
    ...['export const a = require ("a")', 'var { a, b } = import("a")', 'use std::io', '\tuse a'],
  ])('%s only imports a name', (text) => {
    expect(isImport(text)).toBe(true);
  });

  test.for([
    'important()',
    'const a = b',
    'xconst a = require("a")',
    'a = require("a")',
    'user a',
    'const a = b = require("a")',
  ])('%s does more', (text) => {
    expect(isImport(text)).toBe(false);
  });
});

test('the words of a question are those of four letters, else all, else the whole question', () => {
  expect([
    searchWords('Who does listen to a.b-c_$?'),
    searchWords('who is it?'),
    searchWords('?!'),
    searchWords('größe, 1234!'),
  ]).toEqual([['does', 'listen', 'a.b-c_$'], ['who', 'is', 'it'], ['?!'], ['größe', '1234']]);
});
