import { mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { ignoreRules } from '../../../src/tools/search/ignore-rules.ts';

let base: string;
let count = 0;
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'ignore-rules-'));
});
afterAll(() => rmSync(base, { recursive: true }));

/** Tells of each path whether rules leave it out; a path that ends with a slash is a folder. */
function ignored(rules: Readonly<Record<string, string>>, paths: readonly string[], top = '') {
  const folder = path.join(base, String(count++));
  for (const [name, text] of Object.entries(rules)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const read: string[] = [];
  const files = {
    hold(name: string) {
      read.push(name);
      const file = path.join(folder, name.slice(top.length));
      const info = statSync(file, { throwIfNoEntry: false });
      if (info === undefined) throw new ToolError('not_found', 'gone');
      return { kind: info.isDirectory() ? 'directory' : 'file', fd: openSync(file, 'r') };
    },
  };
  const ignores = ignoreRules(files as never, top);
  const left = paths.filter((one) =>
    one.endsWith('/') ? ignores(one.slice(0, -1), 'directory') : ignores(one, 'file'),
  );
  return { left, read };
}

test.for<[Record<string, string>, string[], string[]]>([
  [{}, ['a', 'b/', 'b/c'], []],
  [{ '.gitignore': 'a\n' }, ['a', 'b/a', 'ab', 'a/', 'b/a/'], ['a', 'b/a', 'a/', 'b/a/']],
  [{ '.gitignore': '/a\n' }, ['a', 'b/a'], ['a']],
  [{ '.gitignore': 'a/\n' }, ['a', 'a/', 'a/b', 'c/a', 'c/a/b/d'], ['a/', 'a/b', 'c/a/b/d']],
  [{ '.gitignore': 'A\n' }, ['a', 'A'], ['A']],
  [{ '.gitignore': '*\n!b\n' }, ['a', 'b', 'c/b'], ['a', 'c/b']],
  [
    { '.gitignore': '*.x\n', 'b/.gitignore': '!k.x\n' },
    ['a.x', 'b/a.x', 'b/k.x', 'k.x'],
    ['a.x', 'b/a.x', 'k.x'],
  ],
  [{ 'b/.gitignore': '/a\nc/d\n' }, ['a', 'b/a', 'b/c/a', 'b/c/d', 'c/d'], ['b/a', 'b/c/d']],
  [{ '.gitignore': 'b/\n', 'b/.gitignore': '!a\n' }, ['b/a'], ['b/a']],
  [{ '.gitignore': '/b/*\n!/b/c/\n' }, ['b/a', 'b/c/', 'b/c/d'], ['b/a']],
  [{ '.gitignore': 'c\n', 'b/.gitignore': '!c/\n' }, ['b/c/', 'b/c/a', 'c/', 'c/a'], ['c/', 'c/a']],
  [{ '.gitignore': 'c\n', 'b/.gitignore': '!c/\n*.x\n' }, ['b/c/a.x', 'b/c/a'], ['b/c/a.x']],
  [{ '.gitignore/x': '' }, ['a'], []],
])('the rules %j of %j exclude: %j', ([rules, paths, left]) => {
  expect(ignored(rules, paths).left).toEqual(left);
});

test('the rules of another repository are read from there, and its top folder is never excluded', () => {
  const rules = { '.gitignore': 'a\n', 'b/.gitignore': 'c\n' };
  expect(ignored(rules, ['../lib/a', '../lib/b/c', '../lib/', '../lib/d'], '../lib/')).toEqual({
    left: ['../lib/a', '../lib/b/c'],
    read: ['../lib/.gitignore', '../lib/b/.gitignore'],
  });
});

test('each file of rules is read once, and excluded folders are not read', () => {
  const rules = { '.gitignore': 'a/\n' };
  expect(ignored(rules, ['a/b/c', 'a/b/d', 'e/f', 'e/g', 'e/'])).toEqual({
    left: ['a/b/c', 'a/b/d'],
    read: ['.gitignore', 'e/.gitignore'],
  });
});

test('the first 1 MiB of a list of rules counts', () => {
  const line = `#${'x'.repeat(1022)}\n`;
  const rules = (last: string) => ({ '.gitignore': `${line.repeat(1023)}${last}` });
  expect([
    ignored(rules(`#${'x'.repeat(1021)}\nab`), ['a', 'ab']).left,
    ignored(rules(`#${'x'.repeat(1020)}\nab`), ['a', 'ab']).left,
  ]).toEqual([['a'], ['ab']]);
});

test('other errors do not come from ignore rules', () => {
  const files = {
    hold() {
      throw new TypeError('broken');
    },
  };
  expect(() => ignoreRules(files as never, '')('a', 'file')).toThrow(new TypeError('broken'));
});
