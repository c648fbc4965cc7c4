import { expect, test } from 'vitest';
import { unsaidPart, withoutNothing } from '../../../src/reporting/report/unsaid-part.ts';
import { finding } from '../samples.ts';

const findings = [
  { ...finding, path: 'src/ranges.js', title: 'The last day is missing', body: 'The loop ends too early.' },
];
const walkthrough = {
  overview: 'Adds ranges of days, so that bookings can be counted.',
  groups: [{ title: 'Ranges', files: ['src/ranges.js'], what: 'Counts the days of a range.' }],
};
const rest = (answer: string) => unsaidPart({ answer, findings, walkthrough });

test('questions and caveats are kept, and what findings and walkthrough say is left out', () => {
  expect({
    caveat: rest('Adds ranges of days to count bookings. I could not run the tests.'),
    question: rest('One finding. Is the last day meant to be missing?'),
    lists: rest('Reviewed the change.\n\n- The last day is missing.\n- The database schema was unavailable.'),
    repeated: rest('This change adds ranges of days. The loop ends too early, so the last day is missing.'),
    empty: ['No findings.', 'Nothing to add.', 'See the lines.', 'Looks good overall.', ''].map(rest),
    code: rest('Run this:\n\n```sh\nnpm test\n```\n'),
  }).toEqual({
    caveat: 'I could not run the tests.',
    question: 'Is the last day meant to be missing?',
    lists: '- The database schema was unavailable.',
    repeated: '',
    empty: ['', '', '', '', ''],
    code: 'Run this:\n\n```sh\nnpm test\n```',
  });
});

test('the words that nothing is to add are no part of an answer', () => {
  const answers = [
    'Nothing to add.',
    'Not run: no network.\n\n**Nothing to add.**',
    'Nothing to add to the list.',
  ];
  expect(answers.map(withoutNothing)).toEqual(['', 'Not run: no network.', 'Nothing to add to the list.']);
});
