import { expect, test } from 'vitest';
import { takeBuiltins } from '../../scripts/builtin-modules.ts';

test('every form of importing a Node module is replaced without a namespace, before all other code', () => {
  const script = [
    '#!/usr/bin/env node',
    'import{a as b,c}from"node:fs";import*as all from"node:path";import whole from"util";',
    'const x=1;import both,{d}from"node:os";import{other}from"./parts/chunk.js";function f(){}import{e}from"events";f(x)',
  ].join('\n');
  const take = (name: string) => `process.getBuiltinModule("${name}")`;
  expect(takeBuiltins(script, 5)).toBe(
    [
      '#!/usr/bin/env node',
      `const {a:b,c}=${take('node:fs')},all=${take('node:path')},whole=${take('util')},both=${take('node:os')},{d}=${take('node:os')},{e}=${take('events')};`,
      'const x=1;import{other}from"./parts/chunk.js";function f(){}f(x)',
    ].join('\n'),
  );
});

test('a script without such imports stays unchanged', () => {
  expect(takeBuiltins('import{a}from"./b.js";a();', 0)).toBe('import{a}from"./b.js";a();');
});

test('an import that could not be parsed fails the build', () => {
  expect(() => takeBuiltins('import "node:fs";', 1)).toThrow("0 of 1 imports of Node's modules were read");
});
