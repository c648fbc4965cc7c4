import fc from 'fast-check';
import { marked } from 'marked';
import { afterAll, expect, test } from 'vitest';
import { replaceLines } from '../../../src/checks/proof/with-replaced.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import type { Placement } from '../../../src/reporting/diff/place-finding.ts';
import {
  linesOf,
  type Suggestion,
  suggestFromPatch,
  suggestionOfFinding,
} from '../../../src/reporting/suggestions/suggestions.ts';
import { codeBlock } from '../../../src/reporting/text/markdown.ts';
import { createDiffRepository, type Tree } from '../diff/git-diff.ts';
import { finding } from '../samples.ts';

const repository = createDiffRepository();
afterAll(() => repository.close());

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** What GitHub does when a person accepts every suggestion: it reads the fenced block and replaces whole lines. */
function accept(content: string, suggestions: readonly Suggestion[]): string {
  const read = suggestions.map(({ firstLine, lastLine, after }) => {
    const text = after.map((line) => `${line}\n`).join('');
    const [token] = marked.lexer(codeBlock(text, 'suggestion'));
    if (token?.type !== 'code' || token.lang !== 'suggestion') throw new Error('no suggestion');
    // The token's text lacks the line end of its last line.
    return { firstLine, lastLine, after: after.length === 0 ? [] : token.text.split('\n') };
  });
  return replaceLines(content, read) ?? expect.unreachable();
}

const split = (base: Tree, head: Tree, final: Tree) =>
  suggestFromPatch(repository.diff(head, final), createHunkMap(repository.diff(base, head)));

const base = { a: text(numbered(30)) };
const head = { a: text(numbered(30).with(9, 'ten')) };

test('suggests changed, deleted and inserted lines', () => {
  const change = (lines: string[]) => split(base, head, { a: text(lines) });
  const headLines = numbered(30).with(9, 'ten');
  expect([
    change(headLines.with(9, 'TEN')),
    change(headLines.toSpliced(9, 2)),
    change(headLines.toSpliced(10, 0, 'new')),
    change(headLines.toSpliced(6, 0, 'new')),
  ]).toEqual(
    [
      { firstLine: 10, lastLine: 10, before: ['ten'], after: ['TEN'] },
      { firstLine: 10, lastLine: 11, before: ['ten', 'line 11'], after: [] },
      { firstLine: 10, lastLine: 10, before: ['ten'], after: ['ten', 'new'] },
      { firstLine: 7, lastLine: 7, before: ['line 7'], after: ['new', 'line 7'] },
    ].map((suggestion) => ({ suggestions: [{ path: 'a', ...suggestion }], leftover: '' })),
  );
});

test('combines two insertions around one line', () => {
  const final = { a: text(numbered(30).with(9, 'ten').toSpliced(7, 0, 'two').toSpliced(6, 0, 'one')) };
  expect(split(base, head, final)).toEqual({
    suggestions: [
      { path: 'a', firstLine: 7, lastLine: 7, before: ['line 7'], after: ['one', 'line 7', 'two'] },
    ],
    leftover: '',
  });
});

test('leaves the rest as a patch that applies', () => {
  const crlf = { a: 'x\r\ny\r\n' };
  const cases: [Tree, Tree, Tree][] = [
    [base, head, { a: text(numbered(30).with(9, 'ten').with(25, 'far')) }],
    [base, head, { ...head, b: 'new\n' }],
    [base, { a: 'x\ny' }, { a: 'x\nz' }],
    [base, crlf, { a: 'x\r\nz\r\n' }],
    [base, head, { c: head.a }],
    [base, { ...head, bin: Buffer.from([0, 1]) }, { ...head, bin: Buffer.from([0, 2]) }],
  ];
  for (const [before, middle, final] of cases) {
    const patch = repository.diff(middle, final);
    expect(split(before, middle, final)).toEqual({ suggestions: [], leftover: patch });
  }
});

test('splits a change exactly into suggestions and rest', () => {
  const edit = fc.record({
    at: fc.nat(38),
    remove: fc.nat(3),
    insert: fc.array(fc.constantFrom('```', '````js', '~~~', '\tx', '', '  -- y', 'w'.repeat(2_000), 'z\r'), {
      maxLength: 3,
    }),
  });
  let serial = 0;
  const change = (
    lines: readonly string[],
    edits: readonly { at: number; remove: number; insert: string[] }[],
  ) =>
    edits.reduce<readonly string[]>(
      (now, { at, remove, insert }) =>
        now.toSpliced(
          at,
          remove,
          ...insert.map((line) => (line.endsWith('\r') ? `${++serial}${line}` : `${line} ${++serial}`)),
        ),
      lines,
    );
  const edits = fc.array(edit, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(edits, edits, fc.boolean(), (first, second, ended) => {
      const start = numbered(40);
      const middle = change(start, first);
      const trees = [start, middle, change(middle, second)].map((lines) => ({
        a: ended ? text(lines) : lines.join('\n'),
      }));
      const [before = { a: '' }, now = { a: '' }, final = { a: '' }] = trees;
      const { suggestions, leftover } = split(before, now, final);
      const accepted = { a: accept(now.a, suggestions) };
      const whole = leftover === '' ? accepted.a : repository.apply(accepted, leftover, 'a');
      expect(whole).toBe(final.a);
    }),
    { numRuns: 20 },
  );
});

test('suggests nothing on lines that differ from the patch', () => {
  const patch = repository.diff(head, { a: text(numbered(30).with(9, 'TEN')) });
  const other = createHunkMap(repository.diff(base, { a: text(numbered(30).with(9, 'zehn')) }));
  expect(suggestFromPatch(patch, other)).toEqual({ suggestions: [], leftover: patch });
});

test('numbers the rest of a patch without the suggestions', () => {
  const lines = numbered(30).with(9, 'ten');
  const { leftover } = split(base, head, { a: text(lines.with(25, 'far').toSpliced(10, 0, 'one', 'two')) });
  expect(leftover).toBe(
    repository
      .diff(head, { a: text(lines.with(25, 'far')) })
      .replace(/^index .*$/mu, leftover.match(/^index .*$/mu)?.[0] ?? ''),
  );
});

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
])('splits %j into the lines %j', (text, lines) => {
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
])('a finding that suggests %s', (_, made, expected) => {
  expect(made).toEqual(expected);
});
