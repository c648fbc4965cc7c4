import { RequestError } from '@octokit/request-error';
import type { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import type { Question } from '../../../src/contract/run-results.ts';
import type { PostedBoxes } from '../../../src/contract/thread-records.ts';
import { closeQuestion, markContinued } from '../../../src/reporting/questions/close-question.ts';
import { samplePlan } from '../samples.ts';

const question: Question = {
  question: 'Which colour?',
  options: [{ id: 'blue', label: 'The blue one' }],
  allow_freeform: true,
  required: true,
  questions: [],
};
const boxes: PostedBoxes = {
  version: 1,
  ...{ comment_id: 5, url: 'https://github.test/c/5', boxes: [] },
  text: '<!-- anode:question v1 -->\n**A question**\n- [ ] blue',
};

const continuedAt = 'https://github.com/acme/shop/pull/7#issuecomment-100';
const wentOn = `[How it went on](${continuedAt})`;
const links = `\n\n[The answer](https://github.com/acme/shop/pull/7#issuecomment-99) · ${wentOn}`;

async function close(answer: string, answered_by: string, fails: Error | null = null) {
  const seen: unknown[] = [];
  const updateComment = async (comment: unknown) => {
    seen.push(comment);
    if (fails !== null) throw fails;
  };
  const plan = samplePlan({
    trigger_comment: answered_by === '' ? null : { id: 99, kind: 'issue_comment' },
    resume: { ...{ run_id: 'run_0', session_id: 'session_0' }, answer, answered_by },
  } as Parameters<typeof samplePlan>[0]);
  const run = { asked: samplePlan(), plan, continuedAt };
  await closeQuestion(boxes, question, run, {
    octokit: { rest: { issues: { updateComment }, pulls: {} } } as unknown as Octokit,
    ownLogin: 'anode-ci[bot]',
    log: { info: () => {}, warn: (...logged: unknown[]) => void seen.push(logged) },
  });
  return seen;
}

const closed = (words: string) => ({
  ...{ owner: 'acme', repo: 'shop', comment_id: 5 },
  body: `<!-- anode:question v1 -->\n${words}`,
});

test('replaces the boxes by the answer and its author, below the marker', async () => {
  expect(await close('blue', 'ada')).toEqual([
    closed(`**Answered by \`ada\`.**\n\nWhich colour?\n\n> **The blue one** (\`blue\`)${links}`),
  ]);
  expect(await close('green', '')).toEqual([
    closed(`**No one answered in time.**\n\nWhich colour?\n\n> green\n\n${wentOn}`),
  ]);
});

test('leaves a comment that GitHub refuses to edit, and throws a defect', async () => {
  const request = { method: 'PATCH', url: 'https://api.github.test', headers: {} } as const;
  const [, logged] = await close('blue', 'ada', new RequestError('Gone', 410, { request }));
  expect(logged).toEqual([{ status: 410 }, 'The question could not be closed.']);
  await expect(close('blue', 'ada', new TypeError('defect'))).rejects.toThrow('defect');
});

/** Marks the report of a stopped run as continued; the edits. */
async function mark(comments: readonly string[], trigger: object | null = null, at: string | null = null) {
  const edits: unknown[] = [];
  const asked = samplePlan({ run_id: 'run_0' });
  const data = comments.map((body, index) => ({
    ...{ id: index, html_url: '', body, created_at: '', user: { login: 'anode-ci[bot]' } },
  }));
  const octokit = {
    rest: { issues: { updateComment: async (edit: unknown) => void edits.push(edit) } },
    paginate: {
      async *iterator() {
        yield { data };
      },
    },
  } as unknown as Octokit;
  const plan = samplePlan({ trigger_comment: trigger } as Parameters<typeof samplePlan>[0]);
  const ports = { octokit, ownLogin: 'anode-ci[bot]', log: { info: () => {}, warn: () => {} } };
  await markContinued({ asked, plan, continuedAt: at }, ports);
  return edits;
}

test('says in the report of a stopped run where it was continued', async () => {
  const marker = '<!-- anode:progress v1 run=run_0 -->\n';
  const report = (line: string) => `${marker}**Cancelled.** ada stopped it.\n\n${line}\n\n<sub>1 turn</sub>`;
  const offers = [
    'To go on from here: `/anode continue`. To start over, ask again.',
    'To go on from here, with a limit of its own: `/anode continue`. Or raise `limits.turns` in `a.yml`.',
  ];
  const edited = (url: string) => [
    { owner: 'acme', repo: 'shop', comment_id: 0, body: report(`Continued [here](${url}).`) },
  ];
  const request = { id: 99, kind: 'issue_comment' };
  expect([
    await mark([report(offers[0] ?? '')], request, continuedAt),
    await mark([report(offers[1] ?? '')], request),
    await mark([report('To start over, ask again.')], request, continuedAt),
    await mark([report(offers[0] ?? '').replace('run_0', 'run_9')], request, continuedAt),
  ]).toEqual([edited(continuedAt), edited('https://github.com/acme/shop/pull/7#issuecomment-99'), [], []]);
});
