import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { commitMessage, headlineOf } from '../../../src/reporting/changes/commit-message.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';

test('The message says the task, what was done, for whom and by which run.', () => {
  expect(
    commitMessage(sampleOutcome({ answer: '## The loop reaches the end.\n\nMore.' }), samplePlan()),
  ).toEqual({
    headline: 'Fix the failing test',
    body: [
      'The loop reaches the end.',
      '',
      'Co-authored-by: ada <42+ada@users.noreply.github.com>',
      'Anode-Run: run_1',
    ].join('\n'),
  });
});

test('A headline that the answer begins with is the commit’s, and what follows it the body.', () => {
  const answer =
    'Keep the later end when merging ranges\n\nA range inside an earlier one cut it short.\n\nMore.';
  expect(commitMessage(sampleOutcome({ answer }), samplePlan())).toEqual({
    headline: 'Keep the later end when merging ranges',
    body: [
      'A range inside an earlier one cut it short.',
      '',
      'Co-authored-by: ada <42+ada@users.noreply.github.com>',
      'Anode-Run: run_1',
    ].join('\n'),
  });
});

test('A bot that asked is no co-author, and an answer of nothing leaves the trailer alone.', () => {
  const plan = samplePlan({
    requester: { login: 'renovate[bot]', id: 7, type: 'Bot', permission: 'write' },
  });
  expect(commitMessage(sampleOutcome({ answer: '' }), plan).body).toBe('Anode-Run: run_1');
});

test('The headline is the issue’s title, the task, or the answer, whichever says something.', () => {
  const thread = { kind: 'issue' as const, number: 3, title: 'dates: support week numbers.' };
  const headline = (plan: Partial<RunPlan>, answer = 'Done: all weeks.\n\nx') =>
    headlineOf(sampleOutcome({ answer }), samplePlan({ thread, ...plan }));
  expect([
    headline({ verb: 'implement' }),
    headline({ prompt: `${'long '.repeat(30)}\nsecond line` }),
    headline({ prompt: 'continue' }),
    headline({ prompt: 'align the title [image-1, attached]' }),
    headline({ verb: 'answer', prompt: '2' }, 'Yes'),
    headline({ verb: 'answer', thread: null }, '2'),
  ]).toEqual([
    'Dates: support week numbers',
    `Long ${'long '.repeat(13)}l…`,
    'Done: all weeks',
    'Align the title',
    'Dates: support week numbers',
    'Apply the changes of a run',
  ]);
});

test('A list keeps an item on each line, and prose is one line.', () => {
  const summary = (answer: string) =>
    commitMessage(sampleOutcome({ answer }), samplePlan()).body.split('\n\n')[0];
  expect([
    summary('Pass it on\n\n- `loads` takes **it**,\n  as last.\n* A test.\n\nMore.'),
    summary('Pass it on\n\nTwo things:\n1. one\n2. two'),
    summary('Pass it on\n\n- one thing\n  only'),
    summary('Pass it on\n\nA line\nand 2. another - too.'),
  ]).toEqual([
    '- `loads` takes it, as last.\n- A test.',
    'Two things:\n1. one\n2. two',
    'one thing only',
    'A line and 2. another - too.',
  ]);
});
