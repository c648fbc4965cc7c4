import { expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { setLabels } from '../../../src/tools/people/set-labels.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

async function state(
  input: JsonObject,
  choices: object | null = { labels: ['Bug', 'docs'], candidates: [3, 5] },
) {
  const recorded: unknown[] = [];
  const context = { choices, record: (entry: unknown) => recorded.push(entry) } as unknown as ToolContext;
  const output = await setLabels
    .execute(setLabels.input.parse(input), context, undefined)
    .catch((error: ToolError) => `${error.kind}: ${error.message}`);
  return [output, ...recorded];
}
const entry = (labels: readonly string[], duplicates: readonly number[]) => ({
  type: 'triage',
  triage: { labels, duplicates },
});
const [noLabels, notAlike] = [
  'Not labels of this repository: ui, x. There are: Bug, docs.',
  'Not among the threads that were found alike: 4, 6. There are: 3, 5.',
];

test.each([
  [{ labels: ['bug', 'BUG', 'docs'], duplicate_of: ['#3', 3] }, ['Bug', 'docs'], [3]],
  [{ labels: ['BUG'] }, ['Bug'], []],
  [{ labels: [] }, [], []],
  [{}, [], []],
])("%j is recorded once in the repository's spelling", async (input, labels, duplicates) => {
  expect(await state(input as JsonObject)).toEqual([
    { content: 'Recorded. It is done when the run ends.', data: { labels, duplicates } },
    entry(labels, duplicates),
  ]);
});

test.each([
  [{ labels: ['ui', 'x'] }, `${noLabels} State all of it again, corrected.`, []],
  [
    { duplicate_of: [4, 5, 6] },
    `${notAlike} Recorded of it: #5. State all of it again, corrected.`,
    [entry([], [5])],
  ],
  [{ duplicate_of: [4, 6] }, `${notAlike} State all of it again, corrected.`, []],
  [
    { labels: ['ui', 'x', 'bug'], duplicate_of: [4, 5, 6] },
    `${noLabels} ${notAlike} Recorded of it: Bug, #5. State all of it again, corrected.`,
    [entry(['Bug'], [5])],
  ],
])('%j is refused with the existing labels, and valid ones are stored', async (input, words, recorded) => {
  expect(await state(input as JsonObject)).toEqual([`invalid_input: ${words}`, ...recorded]);
});

test('a refusal works without similar labels and without a thread', async () => {
  expect([
    await state({ duplicate_of: [4] }, { labels: [], candidates: [] }),
    await state({ labels: ['bug'] }, null),
    setLabels.targets(setLabels.input.parse({ labels: ['a', 'b'], duplicate_of: [3] })),
  ]).toEqual([
    [
      'invalid_input: Not among the threads that were found alike: 4. There are: none. State all of it again, corrected.',
    ],
    ['unavailable: This run has no thread that could get labels. Answer in words.'],
    { what: 'a, b, #3' },
  ]);
});
