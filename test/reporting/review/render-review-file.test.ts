import { expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { renderReviewMarkdown, renderReviewText } from '../../../src/reporting/review/render-review-file.ts';

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

test('A review for a terminal has suggestions and what is said of the whole, and says nothing twice.', () => {
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

test('As Markdown what is said of the whole stands first, harmless as the rest.', () => {
  expect(renderReviewMarkdown([], 'Ask @kim.')).toBe('## No findings\n\nAsk @\u200bkim.\n');
});
