import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/extensions/language/diagnostic.ts';
import type { CheckedFile } from '../../../src/extensions/language/read-diagnostics.ts';
import { renderDiagnostics, severityFilter } from '../../../src/extensions/language/render-diagnostics.ts';

const start = { line: 0, character: 0 };
const warning: Diagnostic = {
  ...{ range: { start, end: start }, severity: 'warning', message: 'odd', code: null, source: null },
  related: [],
};
const checked = (path: string, leftOut: number, ...diagnostics: Diagnostic[]): CheckedFile => ({
  ...{ path, server: 'toy', state: 'fresh', diagnostics, leftOut },
});
const cut = checked('a.ts', 3, warning);

test.for([
  [
    'of what is kept alone',
    'error',
    [cut],
    [
      'No error diagnostics among the stored ones of a.ts.',
      '[too many to keep: 3 more of any severity in a.ts]',
    ],
  ],
  [
    'of whole files by their names',
    'error',
    [cut, checked('b.ts', 0)],
    [
      'No error diagnostics in b.ts.',
      'No error diagnostics among the stored ones of a.ts.',
      '[too many to keep: 3 more of any severity in a.ts; ask for fewer files at once]',
    ],
  ],
  [
    'not of a file of which nothing is kept',
    'error',
    [checked('a.ts', 3)],
    ['[too many to keep: 3 more of any severity in a.ts]'],
  ],
  ['of a whole file', 'any', [checked('a.ts', 0)], ['No diagnostics in a.ts.']],
  [
    'of several',
    'error',
    [checked('a.ts', 0), checked('b.ts', 0, warning)],
    ['No error diagnostics in 2 files.'],
  ],
] as const)('an empty result is reported %s', ([, severity, files, lines]) => {
  expect(renderDiagnostics(files, { root: '/w', severity, limit: 10 }).content).toBe(lines.join('\n'));
});

const at = (line: number, character: number) => ({
  start: { line, character },
  end: { line, character: character + 1 },
});
const reported = (
  severity: Diagnostic['severity'],
  line: number,
  more: Partial<Diagnostic> = {},
): Diagnostic => ({
  ...warning,
  ...{ severity, range: at(line, 4), message: `m${line}` },
  ...more,
});
const note =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';

test('diagnostics of a file are sorted by severity, line and column, with source and related locations', () => {
  const related = [
    { location: { uri: 'file:///w/b.ts', range: at(6, 2) }, message: 'first\nhere' },
    { location: { uri: 'file:///w/c.ts', range: at(0, 0) }, message: 'second' },
  ];
  const file = checked(
    'a.ts',
    0,
    ...[
      reported('hint', 0),
      reported('info', 1),
      reported('info', 2),
      reported('warning', 3),
      reported('error', 9),
    ],
    reported('error', 8, { range: at(8, 7), source: 'ts', code: '2322' }),
    reported('error', 8, { range: at(8, 5), code: 'c', related }),
  );
  const { content, data } = renderDiagnostics([file], { root: '/w', severity: 'any', limit: 6 });
  expect(content.split('\n')).toEqual([
    '3 errors, 1 warning, 2 info, 1 hint in a.ts',
    'a.ts:9:6 error [c]: m8 (see b.ts:7:3: first here)',
    'a.ts:9:8 error [ts 2322]: m8',
    'a.ts:10:5 error: m9',
    'a.ts:4:5 warning: m3',
    'a.ts:2:5 info: m1',
    'a.ts:3:5 info: m2',
    '[1 more; narrow path or severity]',
    note,
  ]);
  expect(data).toEqual({
    files: [{ path: 'a.ts', server: 'toy', state: 'fresh' }],
    diagnostics: [
      ...[
        { line: 8, character: 5, severity: 'error', code: 'c', source: null, message: 'm8' },
        { line: 8, character: 7, severity: 'error', code: '2322', source: 'ts', message: 'm8' },
        { line: 9, character: 4, severity: 'error', code: null, source: null, message: 'm9' },
        { line: 3, character: 4, severity: 'warning', code: null, source: null, message: 'm3' },
        { line: 1, character: 4, severity: 'info', code: null, source: null, message: 'm1' },
        { line: 2, character: 4, severity: 'info', code: null, source: null, message: 'm2' },
      ].map((one) => ({ path: 'a.ts', ...one })),
    ],
    total: 7,
  });
});

test('files without current diagnostics are named, at most five', () => {
  const files = Array.from({ length: 6 }, (_, index) => ({
    ...checked(`n${index}`, 0),
    state: 'none' as const,
  }));
  const earlier = { ...checked('e', 2, warning), state: 'earlier' as const };
  const { content, data } = renderDiagnostics([...files, earlier], { root: '/w', severity: 'any', limit: 9 });
  expect(content.split('\n')).toEqual([
    '1 warning in 7 files',
    'e:1:1 warning: odd',
    '[nothing known yet of n0, n1, n2, n3, n4 and 1 more; ask again with wait: true]',
    '[of an earlier text: e; ask again with wait: true]',
    '[too many to keep: 2 more in e; ask for fewer files at once]',
    note,
  ]);
  expect((data as { files: unknown[] }).files.slice(-2)).toEqual([
    { path: 'n5', server: 'toy', state: 'none' },
    { path: 'e', server: 'toy', state: 'earlier', leftOut: 2 },
  ]);
  expect(renderDiagnostics(files.slice(0, 5), { root: '/w', severity: 'any', limit: 9 }).content).toBe(
    '[nothing known yet of n0, n1, n2, n3, n4; ask again with wait: true]',
  );
});

test('long messages and sources are cut', () => {
  const long = reported('error', 0, { message: 'm'.repeat(700), source: 's'.repeat(70) });
  const { content } = renderDiagnostics([checked('a.ts', 0, long)], {
    root: '/w',
    severity: 'any',
    limit: 9,
  });
  const [, line = ''] = content.split('\n');
  expect([line.match(/s+(?=…?\])/)?.[0].length, line.match(/m+/)?.[0].length]).toEqual([59, 599]);
});

test.each([
  [undefined, 'any'],
  [null, 'any'],
  ['', 'any'],
  ['all', 'any'],
  ['any', 'any'],
  ['Error', 'error'],
  ['errors', 'error'],
  ['WARNINGS', 'warning'],
  ['hints', 'hint'],
  ['Information', 'info'],
  ['info', 'info'],
])('%j selects %j', (given, severity) => {
  expect(severityFilter.parse(given)).toBe(severity);
});

test.each([['infos'], ['no errors'], ['errors!'], [3], [['error']]])('%j is no severity', (given) => {
  expect(severityFilter.safeParse(given).success).toBe(false);
});
