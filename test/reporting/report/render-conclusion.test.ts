import { expect, test } from 'vitest';
import { renderConclusion } from '../../../src/reporting/report/render-conclusion.ts';
import { finding, sampleOutcome, samplePlan } from '../samples.ts';

type Context = Parameters<typeof renderConclusion>[1];
const said = (
  outcome: Parameters<typeof sampleOutcome>[0],
  published: object = {},
  more: object = {},
  plan: Parameters<typeof samplePlan>[0] = {},
) =>
  renderConclusion(sampleOutcome(outcome), {
    plan: samplePlan(plan),
    published: { issues: [], patch: '', ...published },
    ...{ findings: [], carried: 0 },
    ...more,
  } as unknown as Context);
const stop = (kind: string) => ({ kind, message: 'because\nof that' }) as never;
const files = ['a', 'b'].map((path) => ({ path }));
const changes = { base_sha: 'a', patch: '', files } as never;
const link = (url: string) => ({ url: `https://github.test/${url}` });

test('renders each conclusion with its cause', () => {
  expect([
    said({}),
    said({ conclusion: 'failure', stop: stop('provider_failed') }),
    said({ conclusion: 'limit', stop: stop('max_turns') }),
    said({ conclusion: 'waiting', stop: stop('question') }),
    said({ conclusion: 'waiting', pending_approval: {} as never }),
    said({ conclusion: 'cancelled', stop: stop('cancelled') }),
    said({ conclusion: 'cancelled', stop: stop('superseded') }),
  ]).toEqual([
    '**Answered, nothing changed.**',
    '**Failed.** because of that.',
    '**Stopped at a limit.** because of that.',
    '**Waiting for an answer.**',
    '**Waiting for approval.**',
    '**Cancelled.** because of that.',
    '**Superseded.** because of that.',
  ]);
});

test('begins with why the changes are no commit, if the pull request changed meanwhile', () => {
  const withheld = 'Not committed: the pull request is merged.';
  expect([
    said({ changes }, { patch: 'p', withheld }),
    said({ changes, conclusion: 'limit', stop: stop('max_turns') }, { patch: 'p', withheld }),
  ]).toEqual([
    '**Not committed: the pull request is merged.** The changes are in the patch below.',
    '**Stopped at a limit.** because of that. The changes are in the patch below.',
  ]);
});

test('begins with why the commit was refused, if the changes are only a patch', () => {
  const uncommitted = 'Not committed, as GitHub refused it: No';
  const review = { comments: 2, ...link('r') };
  expect([
    said({ changes }, { patch: 'p', uncommitted }),
    said({ changes }, { patch: 'p', uncommitted: uncommitted.repeat(99) }),
    said({ changes }, { review, uncommitted }),
  ]).toEqual([
    '**Not committed, as GitHub refused it: No.** The changes are in the patch below.',
    expect.stringMatching(/^\*\*Not committed, .{500,600}…\*\* The changes are in the patch below\.$/),
    '**Done.** [Review](https://github.test/r) with 2 comments on lines.',
  ]);
});

test('names each published result in a sentence', () => {
  const commit = { sha: '0123456789', branch: 'dates', ...link('c') };
  const review = { comments: 2, ...link('r') };
  expect([
    said({ changes }, { commit }),
    said({ changes }, { commit, pull_request: { number: 8, ...link('p') } }),
    said({ changes }, { review }),
    said({ changes }, { review: { ...review, comments: 1 } }, { tally: '1 new' }),
    said({ changes }, { question: link('q'), plan: link('pl'), approval: link('a') }),
    said(
      {},
      { described: true, triage: { labels: ['bug', 'ui'], duplicates: [3, 4] } },
      {},
      { verb: 'describe' },
    ),
    said({}, { triage: { labels: [], duplicates: [3] } }, {}, { verb: 'triage' }),
    said({}, { triage: { labels: ['bug'], duplicates: [] } }, {}, { verb: 'triage' }),
    said(
      { changes },
      {
        issues: [
          { number: 1, started: true, follow: false },
          { number: 2, started: false, follow: true },
          { number: 3, started: false, follow: false },
        ],
        changes_issue: { number: 4 },
      },
    ),
    said({ changes }, { patch: 'x' }),
    said({ changes }, { patch: 'x' }, {}, { verb: 'step' }),
    said({ changes }, { patch: 'x', handedOn: true }),
  ]).toEqual([
    '**Done.** Committed [`0123456`](https://github.test/c) to `dates`: 2 files changed.',
    '**Done.** Opened #8 with 2 files changed.',
    '**Done.** [Review](https://github.test/r) with 2 comments on lines.',
    '**Done.** [Review](https://github.test/r) with 1 comment on lines: 1 new.',
    '**Done.** [The question](https://github.test/q) is below. [The plan](https://github.test/pl) is below. [What it wants to do](https://github.test/a) is below.',
    '**Done.** The description says what changes. Labels: `bug`, `ui`. Perhaps the same as #3, #4.',
    '**Done.** Perhaps the same as #3.',
    '**Done.** Labels: `bug`.',
    '**Not committed.** Handed over in #1, where a run is started. Handed over in #2, where it goes on. Handed over in #3. The changes are in #4.',
    '**Not committed.** The changes are in the patch below.',
    '**Done.** The changes are in the checkout of the job, and in the patch below.',
    '**Done.** The changes are in the patch below, and wait for the publishing job.',
  ]);
});

test('states the meaning of a review without posts', () => {
  const review = { verb: 'review', profile: 'review' } as const;
  const found = { findings: [finding] };
  expect([
    said({}, {}, {}, review),
    said(found, {}, {}, review),
    said(found, {}, { findings: [finding] }, review),
    said({}, {}, { tally: '2 open', carried: 1 }, review),
    said({}, {}, { tally: '2 fixed', carried: 0 }, review),
    said({ unreported: 'report_findings' }, {}, { tally: '2 open' }, review),
    said({ conclusion: 'failure' }, {}, {}, review),
    said({}, {}, {}, { verb: 'task' }),
  ]).toEqual([
    '**Done.** No findings.',
    '**Done.** Nothing new.',
    '**Done.**',
    '**Done.** Nothing new: 2 open.',
    '**Done.** Nothing is open: 2 fixed.',
    '**Done.** The review did not call `report_findings`. Anything it found is only in its answer, and earlier findings stay as they were.',
    '**Failed.**',
    '**Answered, nothing changed.**',
  ]);
});
