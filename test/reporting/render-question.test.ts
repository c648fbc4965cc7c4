import { expect, test } from 'vitest';
import { renderQuestion } from '../../src/reporting/render-question.ts';

const asked = { question: 'Which calendar?', options: [], allow_freeform: false, required: true };
const who = 'People with write permission to this repository may answer.';

test('A question has its reason, numbered options, and how to answer it.', () => {
  expect(
    renderQuestion({
      ...asked,
      reason: 'They differ\nin January.',
      options: [
        { id: 'iso', label: 'ISO 8601', description: 'weeks start on Monday' },
        { id: 'us', label: 'US <!-- x' },
      ],
      allow_freeform: true,
      questions: [],
    }),
  ).toBe(
    [
      '**A question before this can go on**',
      'Which calendar?',
      'Why: They differ in January.',
      '1. **ISO 8601** (`iso`): weeks start on Monday\n2. **US &lt;!-- x** (`us`)',
      `<sub>Answer with \`/anode answer 1\`, or just with the number or name of an option; your own words are welcome too. ${who}</sub>`,
    ].join('\n\n'),
  );
});

test('Several questions are numbered and answered in one comment.', () => {
  expect(renderQuestion({ ...asked, questions: [{ ...asked, question: 'Since when?' }] })).toBe(
    [
      '**A question before this can go on**',
      '**1.** Which calendar?',
      '**2.** Since when?',
      `<sub>Answer all of it in one comment, one line a question: \`/anode answer …\`. ${who}</sub>`,
    ].join('\n\n'),
  );
});
