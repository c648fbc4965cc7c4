import { expect, test } from 'vitest';
import { renderLogLine } from '../../../src/reporting/report/render-log-line.ts';

const done = { conclusion: 'success', question: null } as const;

test.each([
  [
    '**Done.** Committed [`abc1234`](https://github.com/a/b/commit/abc1234) to `dates`: 1 file changed.\n\nIt is.',
    'Done. Committed abc1234 to dates: 1 file changed.',
  ],
  [
    '**Not committed.** The changes are in the patch below.\n\n- Why.',
    'Not committed. The changes are in the patch of the job’s summary.',
  ],
  [
    '**Waiting for approval.** [What it wants](https://x.test/1) is below.',
    'Waiting for approval. What it wants is on the thread.',
  ],
  ['**Answered, nothing changed.**\n', 'Answered, nothing changed.'],
  ['', ''],
])('the report %j is logged as %j', (report, line) => {
  expect(renderLogLine(report, done)).toBe(line);
});

test('a run that waits is logged with its question', () => {
  const one = { question: 'Which\ncolour?', options: [], allow_freeform: true, required: true };
  const question = { ...one, questions: [] };
  expect(
    renderLogLine('**Waiting for an answer.** [The question](u) is below.', {
      conclusion: 'waiting',
      question,
    }),
  ).toBe('Waiting for an answer: Which colour?');
});

test('a message that the log shows anyway is left out', () => {
  const failed = { conclusion: 'failure', question: null } as const;
  const message = 'The model refused `this`.';
  expect(renderLogLine(`**Failed.** ${message}`, failed, message)).toBe('');
  expect(renderLogLine(`**Failed.** ${message} The changes are in the patch below.`, failed, message)).toBe(
    'The changes are in the patch of the job’s summary.',
  );
});
