import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import {
  renderReviewMarkdown,
  renderReviewText,
  worstFirst,
} from '../../../src/reporting/review/render-review-file.ts';

const findings: Finding[] = [
  {
    path: 'a.py',
    side: 'RIGHT',
    start_line: 3,
    line: 4,
    severity: 'low',
    category: 'bug',
    title: 'Never closed',
    body: 'The file stays open.\n\nSee b.',
    suggestion: '    with open(a):\n        read()\n',
  },
  {
    path: 'a.py',
    side: 'RIGHT',
    line: 9,
    severity: 'high',
    category: 'syntax',
    title: 'python: invalid syntax',
    body: 'invalid syntax',
    check: 'linters',
  },
];
const answer = 'Sound but for the file.';

test('renders suggestions and the answer for a terminal, nothing twice', () => {
  expect(renderReviewText(findings, answer).split('\n')).toEqual([
    'a.py:9 high python: invalid syntax [linters]',
    '',
    'a.py:3-4 low Never closed [review]',
    '    The file stays open.',
    '',
    '    See b.',
    '    suggested:',
    '          with open(a):',
    '              read()',
    '',
    'Sound but for the file.',
    '',
    '2 findings: 1 high, 1 low',
    '',
  ]);
  expect(renderReviewText([], answer)).toBe(`${answer}\n\nNo findings\n`);
});

test('puts the neutralised answer first in Markdown', () => {
  expect(renderReviewMarkdown([], 'Ask @kim.')).toBe('## No findings\n\nAsk @\u200bkim.\n');
});

test('renders location, source and suggestion of a finding in Markdown', () => {
  const [first, second] = findings;
  if (first === undefined || second === undefined) throw new Error('there are two');
  expect(renderReviewMarkdown([first, { ...second, side: 'LEFT', body: ' @kim ' }])).toBe(
    [
      '## 2 findings: 1 high, 1 low',
      '### high: python: invalid syntax',
      '`a.py:9 (before the change)`, check `linters`',
      '@\u200bkim',
      '### low: Never closed\u200b',
      '`a.py:3-4`, review',
      'The file stays open.\n\nSee b.',
      'Suggested:',
      '        with open(a):\n            read()\n',
    ].join('\n\n'),
  );
});

test('removes control characters for a terminal, and text that repeats the title', () => {
  const [first, second] = findings;
  if (first === undefined || second === undefined) throw new Error('there are two');
  const one = { ...first, start_line: 4, title: 'a\nb', body: 'c\u001b[2J', suggestion: 'd  \n\n' };
  expect(renderReviewText([one, { ...second, title: 'x', body: 'y' }, second])).toBe(
    [
      'a.py:9 high x [linters]\n    y\n',
      'a.py:9 high python: invalid syntax [linters]\n',
      'a.py:4 low a b [review]\n    c[2J\n    suggested:\n      d\n',
      '3 findings: 2 high, 1 low\n',
    ].join('\n'),
  );
});

test('sorts by severity, file and line', () => {
  const [one] = findings;
  if (one === undefined) throw new Error('there is one');
  const at = (path: string, line: number, severity: Finding['severity']) => ({
    ...one,
    path,
    line,
    severity,
  });
  const all = [
    at('b', 1, 'low'),
    at('a', 2, 'low'),
    at('a', 1, 'low'),
    at('c', 9, 'critical'),
    at('b', 3, 'info'),
  ];
  expect(worstFirst(all).map(({ path, line }) => `${path}${line}`)).toEqual(['c9', 'a1', 'a2', 'b1', 'b3']);
});
