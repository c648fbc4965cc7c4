import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { describeRequest } from '../../../src/pipeline/context/describe-request.ts';
import { samplePlan } from '../../reporting/samples.ts';

const requester = { login: 'ada', id: 1, type: 'User', permission: 'maintain' } as const;
const comment = { id: 5, kind: 'issue_comment' } as const;
const thread = (kind: 'issue' | 'pull_request') => ({ kind, number: 7, title: 'Seven' });

const told = (more: Partial<RunPlan>, kind: 'issue' | 'pull_request' = 'pull_request') =>
  describeRequest(
    samplePlan({ verb: 'task', requester, trigger_comment: comment, thread: thread(kind), ...more }),
  ).split('\n');

test('the model is told in a line each who asks, and where the answer will stand', () => {
  const asked = 'Asked by ada (permission: maintain) in a comment on pull request #7.';
  const inReport = 'Your answer will stand in a report in the conversation of the pull request.';
  expect({
    task: told({}),
    'task on an issue': told({}, 'issue'),
    'automatic review': told({ verb: 'review', trigger_comment: null }),
    'review of our commit': told({ verb: 'review', trigger_comment: null, own_commit: 'full' }),
    'failed build': told({ verb: 'fix', trigger_comment: null, build: { signature: 'a', command: null } }),
    'in the thread of a finding': told({ review_thread: 3, finding: { id: 'f' } }),
    'in a thread of people': told({ review_thread: 3, finding: null }),
    description: told({ verb: 'describe' }),
    plan: told({ verb: 'plan' }, 'issue'),
    labels: told({ verb: 'triage' }, 'issue'),
    step: told({ verb: 'step', thread: null, trigger_comment: null }),
    'task that becomes a pull request': told({
      ...{ thread: null, trigger_comment: null },
      push: { kind: 'new_branch', branch: 'b', base: 'main', expected_sha: 'a', closes: null },
    }),
  }).toEqual({
    task: [asked, inReport],
    'task on an issue': [
      'Asked by ada (permission: maintain) in a comment on issue #7.',
      'Your answer will stand in a report in the conversation of the issue.',
    ],
    'automatic review': [
      'Started by an event of ada (permission: maintain) on pull request #7.',
      'Your findings will stand at their lines and in the summary of the pull request.',
    ],
    'review of our commit': [
      'Started by a commit of a run of yours on pull request #7.',
      'Your findings will stand at their lines and in the summary of the pull request.',
    ],
    'failed build': ['Started by a failed build of pull request #7.', inReport],
    'in the thread of a finding': [asked, 'Your answer will stand in the thread of the finding it is about.'],
    'in a thread of people': [asked, 'Your answer will stand in the review thread of the request.'],
    description: [asked, 'Your text will stand in the description of the pull request.'],
    plan: [
      'Asked by ada (permission: maintain) in a comment on issue #7.',
      'Your plan will stand in a comment on the issue, for approval.',
    ],
    labels: [
      'Asked by ada (permission: maintain) in a comment on issue #7.',
      'Your labels will stand on the issue.',
    ],
    step: ['Asked by a workflow step, started by ada.', 'Your answer will stand in the summary of the job.'],
    'task that becomes a pull request': [
      'Asked by a workflow step, started by ada.',
      'Your changes will become a pull request. Your answer will be its text: begin with a headline of at most 72 characters that says what changed, and an empty line. Without a change there is none.',
    ],
  });
});

test('the model is told how a closed pull request ended, and that nothing is committed there', () => {
  const ended = (merged: { sha: string | null } | null) => ({ merged, base_head: 'b'.repeat(40) });
  const last = (more: Partial<RunPlan>) => told(more).at(-1);
  expect({
    merged: last({ ended: ended({ sha: 'c'.repeat(40) }) }),
    'merged by an unnamed commit': last({ ended: ended({ sha: null }) }),
    'a question': last({ verb: 'ask', ended: ended({ sha: 'c'.repeat(40) }) }),
    closed: last({ ended: ended(null) }),
  }).toEqual({
    merged: `The pull request was merged into main as ${'c'.repeat(40)}; origin/main is the current head of main. Nothing is committed to its branch: your changed files are posted as a patch.`,
    'merged by an unnamed commit':
      'The pull request was merged into main; origin/main is the current head of main. Nothing is committed to its branch: your changed files are posted as a patch.',
    'a question': `The pull request was merged into main as ${'c'.repeat(40)}; origin/main is the current head of main.`,
    closed:
      'The pull request was closed without a merge; origin/main is the current head of main. Nothing is committed to its branch: your changed files are posted as a patch.',
  });
});
