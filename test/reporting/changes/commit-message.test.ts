import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { commitMessage, headlineOf, withoutHeadline } from '../../../src/reporting/changes/commit-message.ts';
import {
  type CommitStyle,
  learnCommitStyle,
  plainStyle,
} from '../../../src/reporting/changes/commit-style.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';
import { histories } from './histories.ts';

test('states task, result, requester and run', () => {
  expect(
    commitMessage(sampleOutcome({ answer: '## Result\n\nThe loop reaches the end.\n\nMore.' }), samplePlan()),
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

test('takes the headline from the answer, and the rest as body', () => {
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

test('names no bot as co-author, and writes only the trailer for an empty answer', () => {
  const plan = samplePlan({
    requester: { login: 'renovate[bot]', id: 7, type: 'Bot', permission: 'write' },
  });
  expect(commitMessage(sampleOutcome({ answer: '' }), plan).body).toBe('Anode-Run: run_1');
});

test('names nobody as co-author of a workflow’s task', () => {
  const workflow = { name: 'Upkeep', task: 'upkeep.yml#paint' };
  const plan = samplePlan({ thread: null, workflow });
  expect(commitMessage(sampleOutcome({ answer: '' }), plan).body).toBe('Anode-Run: run_1');
});

test('uses the issue’s title, the task or the answer as headline', () => {
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
    'dates: support week numbers',
    `Long ${'long '.repeat(12)}long…`,
    'Done: all weeks',
    'Align the title',
    'dates: support week numbers',
    'Apply the changes of a run',
  ]);
});

test('removes marks only in pairs around words, outside of code', () => {
  const headline = (line: string) => headlineOf(sampleOutcome({ answer: `${line}\n\nMore.` }), samplePlan());
  const same = [
    'Require both Secure and Path=/ for __Host- cookies',
    'Treat __Host- and __Secure- cookies alike',
    'Export __init__ again',
    'Ignore `**x**` and `__y__ z` in code',
    'Match src/**/a and lib/**/b',
    'Compute 2**3 and 3**2 once',
    'Encode the names of cookies with the base64 alphabet of a URL',
  ];
  expect(same.map(headline)).toEqual(same);
  expect([
    headline('**Keep** the __later end__ of ranges'),
    headline('**Keep `__Host-` names**'),
    headline('## Keep (**all**) `a**` of **b**'),
  ]).toEqual(['Keep the later end of ranges', 'Keep `__Host-` names', 'Keep (all) `a**` of b']);
});

test('disables closing words that a prefix and a text form together', () => {
  const typed = { ...plainStyle, form: 'conventional' as const, types: ['fix'], capital: false };
  const message = (answer: string, style?: CommitStyle) =>
    commitMessage(sampleOutcome({ answer }), samplePlan(), { style: style ?? plainStyle, coAuthor: false });
  const body = (words: string) => `${words}\n\nAnode-Run: run_1`;
  expect([
    message('#12 breaks again\n\nacme/shop#3 too.', typed),
    message('Take the second fix\n\n#12 is gone.'),
    message('Take the second one\n\n#12 is gone.'),
  ]).toEqual([
    { headline: 'fix: 12 breaks again', body: body('acme/shop#3 too.') },
    { headline: 'Take the second fix', body: body('12 is gone.') },
    { headline: 'Take the second one', body: body('#12 is gone.') },
  ]);
});

test('trims the answer around its headline', () => {
  expect(
    ['\n One thing.\n\nMore. \n', ' Do one thing\n\n\n More. \n', ' Word \n\nMore.', 'Do it\nMore.'].map(
      (answer) => withoutHeadline(answer),
    ),
  ).toEqual(['One thing.\n\nMore.', 'More.', 'Word \n\nMore.', 'Do it\nMore.']);
});

test('accepts a headline of one clause and two words', () => {
  expect(
    [
      'Do it. Now\n\nMore.',
      'Do it!\n\nMore.',
      'Say a.b now\n\nMore.',
      'fix: it\n\nMore.',
      'fix: do it\n\nMore.',
    ].map((answer) => withoutHeadline(answer)),
  ).toEqual(['Do it. Now\n\nMore.', 'Do it!\n\nMore.', 'More.', 'fix: it\n\nMore.', 'More.']);
});

const tagged = learnCommitStyle(histories.tags);
const areas = learnCommitStyle(histories.areas);
const tickets = learnCommitStyle(histories.tickets);
const typed = learnCommitStyle(histories.packages);
const marked = learnCommitStyle(histories.marks);

test.each([
  ['[Tests] `stringify`: cover the comma format', tagged],
  ['[Fix] `parse`: keep a.b where depth: 0', tagged],
  ['[Tests] stringify: cover the comma format', plainStyle],
  ['stringify: cover the comma format', plainStyle],
  ['Read two forms: the old and the new', plainStyle],
  ['lint/checks/loops: skip an empty body', areas],
  ['src: keep the last line', areas],
  ['KEEPER-77: Close the second session', tickets],
  ['fix(@harbour/store)!: drop the old port', typed],
  ['💄 Space the footer', marked],
  ['Name the port.', { ...plainStyle, stop: true }],
] as const)('keeps the headline %j of an answer as it is', (line, style) => {
  const outcome = sampleOutcome({ answer: `${line}\n\nThe reason.` });
  const { headline, body } = commitMessage(outcome, samplePlan(), { style, coAuthor: false });
  expect({ headline, body }).toEqual({ headline: line, body: 'The reason.\n\nAnode-Run: run_1' });
});

test.each([
  ['Cover the comma format', tagged, 'cover the comma format'],
  ['Add tests for the comma format', tagged, '[Tests] add tests for the comma format'],
  ['[tests] cover the comma format', tagged, '[Tests] cover the comma format'],
  ['feat(@harbour/other): say it aloud', typed, 'feat: say it aloud'],
  ['I covered the comma format', plainStyle, 'Fix the failing test'],
  ['Summary: all of it works', plainStyle, 'Fix the failing test'],
  ['What I have changed:', plainStyle, 'Fix the failing test'],
  ['Name the port of each server', { ...plainStyle, length: 20 }, 'Fix the failing test'],
])('makes a headline of %j that the repository can use', (line, style, expected) => {
  const outcome = sampleOutcome({ answer: `${line}\n\nThe reason.` });
  expect(headlineOf(outcome, samplePlan(), style)).toBe(expected);
});
