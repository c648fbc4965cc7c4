import { expect, test } from 'vitest';
import { parseQuotedPath } from '../../../src/tools/patch/quoted-path.ts';

test.each([
  ['a b', 'a b', ''],
  ['"a b"', 'a b', ''],
  ['"a" "b"', 'a', ' "b"'],
  ['x"a"', 'x"a"', ''],
  ['"a', '"a', ''],
  ['"', '"', ''],
  ['""', '', ''],
  ['"\\303\\244\\060"', 'ä0', ''],
  ['"\\a\\b\\t\\n\\v\\f\\r\\"\\\\"', '\u0007\b\t\n\v\f\r"\\', ''],
  ['"\\x\\1"', 'x1', ''],
  ['"a\\""b', 'a"', 'b'],
  ['"a\nä"\tb', 'a\nä', '\tb'],
])('%j is the path %j, and then %j', (text, path, rest) => {
  expect(parseQuotedPath(text)).toEqual({ path, rest });
});
