import { afterAll, beforeAll, expect, test } from 'vitest';
import { events } from '../../src/webhooks/triggers/events.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { type Job, type StepOptions, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: {
      'a.txt': 'red\n',
      '.github/anode.yml': `triggers: { label: { 'ai:implement': implement, 'ai:describe': describe }, accounts: [anode-helper] }\n`,
    },
  });
  shop.setPermission('ada', 'write');
  await shop.commit('other', { files: { 'o.txt': 'other\n' }, message: 'Other', author: 'ada' });
  job.learn('Review the changes', reviewing);
  job.learn('Implement what this issue asks for', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'Painted.' },
  );
  job.learn('EVENT-', () => ({ text: 'Seen.' }));
  job.learn('Describe this pull request', (turn) =>
    turn === 1
      ? { calls: [call('describe_pull_request', { body: 'It adds one.' })] }
      : { text: 'Described.' },
  );
});
afterAll(() => job.close());

const finding = { path: 'b.txt', line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'It is.' };
const reviewing = (turn: number) =>
  turn === 1 ? { calls: [call('report_findings', { findings: [finding] })] } : { text: 'One.' };

/** A pull request on a branch of its own. */
async function pull(name: string, draft = false): Promise<number> {
  await shop.commit(name, { files: { 'b.txt': 'one\n' }, message: name, author: 'ada' });
  return (await shop.openPullRequest({ title: name, head: name, author: 'ada', body: 'By hand.', draft }))
    .number;
}
const issue = async (name: string) =>
  (await shop.openIssue({ title: name, body: `EVENT-${name}`, author: 'ada' })).number;

/** An event, and the end of the step for it. */
interface Row {
  /** Has it happen, and returns the thread and the payload where the stand-in makes none. */
  readonly happens: () => Promise<{ readonly number: number; readonly payload?: object }>;
  /** The answer of the run, or the text of a step that starts none. */
  readonly says: string;
  /** True where no run is started. */
  readonly ignored?: true;
}

/** The payload of the newest event of a kind, as another one. */
const as = (event: string, change: object) => ({ ...job.github.lastEventPayload(event), ...change });

const rows: Readonly<Record<string, Row>> = {
  'issue_comment.created': {
    says: 'Seen.',
    happens: async () => {
      const number = await issue('commented');
      shop.comment(number, { author: 'ada', body: '/anode ask EVENT-commented' });
      return { number };
    },
  },
  'issue_comment.edited': {
    ignored: true,
    says: 'No run was started: the edited comment has no boxes of ours.',
    happens: async () => {
      const number = await issue('edited');
      const { id } = shop.comment(number, { author: 'ada', body: 'Hello.' });
      shop.editComment(id, { author: 'ada', body: '/anode ask EVENT-edited' });
      return { number };
    },
  },
  'pull_request_review_comment.created': {
    says: 'Seen.',
    happens: async () => {
      const number = await pull('lines');
      const comments = [{ path: 'b.txt', line: 1, side: 'RIGHT', body: 'Here.' }] as const;
      await shop.review(number, { author: 'ada', comments });
      const [root] = shop.reviewComments(number);
      shop.replyToReviewComment(root?.id ?? 0, { author: 'ada', body: '/anode ask EVENT-lines' });
      return { number };
    },
  },
  'pull_request_review.submitted': {
    says: 'Seen.',
    happens: async () => {
      const number = await pull('reviewed');
      await shop.review(number, { author: 'ada', body: '/anode ask EVENT-reviewed' });
      return { number };
    },
  },
  'issues.labeled': {
    says: 'Painted.',
    happens: async () => {
      const number = await issue('labelled');
      shop.addLabel(number, 'ai:implement', { actor: 'ada' });
      return { number };
    },
  },
  'issues.assigned': {
    says: 'Painted.',
    happens: async () => {
      const number = await issue('assigned');
      const assignee = { login: 'anode-helper', id: 7, type: 'User' };
      shop.addLabel(number, 'none', { actor: 'ada' });
      return { number, payload: as('issues', { action: 'assigned', assignee }) };
    },
  },
  'pull_request.opened': { says: 'One.', happens: async () => ({ number: await pull('opened') }) },
  'pull_request.ready_for_review': {
    says: 'One.',
    happens: async () => {
      const number = await pull('ready', true);
      shop.markReady(number, { actor: 'ada' });
      return { number };
    },
  },
  'pull_request.synchronize': {
    says: 'One.',
    happens: async () => {
      const number = await pull('pushed');
      await shop.commit('pushed', { files: { 'b.txt': 'two\n' }, message: 'Two', author: 'ada' });
      return { number };
    },
  },
  'pull_request.reopened': {
    says: 'One.',
    happens: async () => {
      const number = await pull('again');
      shop.close(number, { actor: 'ada' });
      shop.reopen(number, { actor: 'ada' });
      return { number };
    },
  },
  'pull_request.edited': {
    says: 'One.',
    happens: async () => {
      const number = await pull('retargeted');
      const changes = { base: { ref: { from: 'other' }, sha: { from: await shop.head('other') } } };
      return { number, payload: as('pull_request', { action: 'edited', changes }) };
    },
  },
  'pull_request.labeled': {
    says: 'Described.',
    happens: async () => {
      const number = await pull('labelled-pull');
      shop.addLabel(number, 'ai:describe', { actor: 'ada' });
      return { number };
    },
  },
  'pull_request.review_requested': {
    says: 'One.',
    happens: async () => {
      const number = await pull('wanted');
      const requested_reviewer = { login: 'anode-helper', id: 7, type: 'User' };
      return { number, payload: as('pull_request', { action: 'review_requested', requested_reviewer }) };
    },
  },
  'workflow_run.completed': {
    ignored: true,
    says: 'No run was started: the pull request is not ours, and `triggers.failedBuild` is not `all`.',
    happens: async () => {
      const number = await pull('built');
      await shop.endBuild({ branch: 'built', conclusion: 'failure', job: 'test', log: 'Error: no' });
      return { number };
    },
  },
  'check_run.requested_action': checkPress('requested_action', 'fix'),
  'check_run.rerequested': checkPress('rerequested', null),
};

/** A check of the App's: in a workflow none is ours, as no run of one has a check. */
function checkPress(action: string, button: string | null): Row {
  return {
    ignored: true,
    says: 'No run was started: the check run is not ours.',
    happens: async () => {
      const number = await pull(`check-${action}`);
      const { repository, sender } = job.github.lastEventPayload('pull_request');
      const check_run = {
        ...{ id: 1, name: 'anode review', external_id: `run_1/${number}` },
        ...{ head_sha: await shop.head(`check-${action}`), completed_at: new Date().toISOString() },
      };
      const pressed = button === null ? {} : { requested_action: { identifier: button } };
      return { number, payload: { action, repository, sender, check_run, ...pressed } };
    },
  };
}

const bot = 'github-actions[bot]';

test.each(Object.entries(rows))('%s starts a run, or a notice gives the reason', async (key, {
  happens,
  says,
  ignored,
}) => {
  const [event = '', action = ''] = key.split('.');
  const { number, payload } = await happens();
  const options: StepOptions = {
    ...{ event, action, actor: 'ada', inputs: {} },
    ...(payload === undefined ? {} : { payload }),
  };
  const { code, stdout, outputs } = await job.run(shop, options);
  const notice = /^::notice::(.*)$/m.exec(stdout)?.[1];
  const posted = [...shop.comments(number), ...shop.reviews(number)].filter(({ author }) => author === bot);
  expect({
    ...{ code, conclusion: outputs.conclusion ?? null },
    ...{ says: ignored ? notice : outputs.final_message, posts: posted.length > 0 },
  }).toEqual({ code: 0, conclusion: ignored ? 'skipped' : 'success', says, posts: !ignored });
});

test('the table has a row for each event that can start a run', () => {
  // Alarms are the App's own, and modes are the matter of another test.
  // GitHub starts no workflow for the check suites of its own Actions; others are the App's matter.
  const known = Object.keys(events).filter(
    (name) => !name.startsWith('anode_') && name !== 'check_suite.completed',
  );
  expect(Object.keys(rows).toSorted()).toEqual(known.toSorted());
});
