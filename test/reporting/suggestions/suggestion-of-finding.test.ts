import { expect, test } from 'vitest';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import type { Placement } from '../../../src/reporting/diff/place-finding.ts';
import { linesOf, suggestionOfFinding } from '../../../src/reporting/suggestions/suggestion-of-finding.ts';
import { finding } from '../samples.ts';

const map = createHunkMap(
  'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -4,3 +4,4 @@\n one\n-old\n+two\n+three\r\n four\n',
);
type OnLine = Extract<Placement, { kind: 'line' }>;
const onLine: OnLine = { kind: 'line', path: 'a', side: 'RIGHT', line: 5, statedLine: null, exact: true };
const of = (suggestion: string | undefined, more: Partial<OnLine> = {}) =>
  suggestionOfFinding(
    { ...finding, ...(suggestion === undefined ? {} : { suggestion }) },
    { ...onLine, ...more },
    map,
  );
const words = { kind: 'words' };
const none = { kind: 'none' };
const offered = (firstLine: number, lastLine: number, before: string[], after: string[]) => ({
  kind: 'suggestion',
  suggestion: { path: 'a', firstLine, lastLine, before, after },
});

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['\n', ['']],
  ['a\n\n', ['a', '']],
])('The lines of %j are %j', (text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

test.each([
  ['a change of its line', of('2\n'), offered(5, 5, ['two'], ['2'])],
  ['a change of a range', of('x', { startLine: 4 }), offered(4, 5, ['one', 'two'], ['x'])],
  ['its line taken away', of(''), offered(5, 5, ['two'], [])],
  ['nothing', of(undefined), none],
  ['nothing, on other lines', of(undefined, { exact: false }), none],
  ['what stands there', of('two\n'), none],
  ['what stands there, but for a carriage return', of('three', { line: 6 }), none],
  [
    'what begins as it stands there',
    of('one\ntwo\n2', { startLine: 4 }),
    offered(4, 5, ['one', 'two'], ['one', 'two', '2']),
  ],
  ['a change of a line with a carriage return', of('3', { line: 6 }), words],
  ['a change of lines it does not name', of('2', { exact: false }), words],
  ['a change of a deleted line', of('2', { side: 'LEFT' }), words],
  ['a change of a line that the diff does not show', of('2', { line: 8 }), words],
  ['a range that the diff does not show whole', of('2', { startLine: 3 }), words],
])('A finding that suggests %s', (_, made, expected) => {
  expect(made).toEqual(expected);
});
