import { expect, test } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Autorun } from '../../../src/contract/thread-records.ts';
import type { TriggerSettings } from '../../../src/webhooks/commands/trigger.ts';
import { readCommentEdit } from '../../../src/webhooks/triggers/comment-edited.ts';
import { findTrigger } from '../../../src/webhooks/triggers/events.ts';

const own = 'anode-ci[bot]';
const settings: TriggerSettings = {
  mention: 'anode',
  labels: { 'ai:do': 'implement', 'ai:fix': 'fix' },
  accounts: ['helper'],
  allowBots: ['Renovate[bot]'],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: [own],
  waiting: null,
};
const ada = { login: 'ada', id: 7, type: 'User' };
const time = '2026-01-02T03:04:05Z';
const sha = 'a'.repeat(40);
const issue = { number: 5, updated_at: time, state: 'open' };
const pull = { number: 5, updated_at: time, state: 'open', head: { sha } };
const begun = {
  automated: false,
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: ada,
  text: '',
  note: null,
  comment: null,
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: 42,
};
const event = (name: string, payload: JsonObject): IncomingEvent => ({
  name,
  delivery_id: null,
  payload: {
    repository: { name: 'shop', owner: { login: 'acme' } },
    installation: { id: 42 },
    sender: ada,
    ...payload,
  },
});
const started = (name: string, payload: JsonObject, change: Partial<TriggerSettings> = {}) =>
  findTrigger(event(name, payload), { ...settings, ...change });
const ignored = (reason: string) => ({ kind: 'ignored', reason });
const said = { id: 99, body: '/anode task go', user: ada, created_at: time };
const commented = (comment: JsonObject, more: JsonObject = {}) =>
  started('issue_comment', { action: 'created', issue, comment, ...more });

test('a comment needs its id, its time and an author who is the sender', () => {
  const { id: _id, ...unnamed } = said;
  const { created_at: _at, ...undated } = said;
  const lacks = ignored('issue_comment.created without a comment, its id and its time');
  expect([
    commented(unnamed),
    commented({ ...said, id: 0 }),
    commented(undated),
    commented({ ...said, created_at: 'soon' }),
    started('issue_comment', { action: 'created', issue }),
  ]).toEqual([lacks, lacks, lacks, lacks, lacks]);
  expect(commented({ ...said, user: { id: 8 } })).toEqual(
    ignored('the comment was written by another account than the sender'),
  );
  expect(commented({ ...said, body: null })).toEqual(
    ignored('the comment neither mentions @anode nor begins a line with /anode'),
  );
  expect(started('pull_request_review', { action: 'submitted', pull_request: pull })).toEqual(
    ignored('pull_request_review.submitted without a review, its id and its time'),
  );
});

test('a comment has its own creation time, before any other', () => {
  expect(commented({ ...said, submitted_at: '2027-01-01T00:00:00Z' })).toEqual({
    ...begun,
    event: 'issue_comment.created',
    thread: { kind: 'issue', number: 5 },
    kind: 'task',
    text: 'go',
    comment: { id: 99, kind: 'issue_comment' },
  });
});

test('a review comment has its location in the diff', () => {
  const at = (place: JsonObject) => {
    const comment = { ...said, ...place };
    const found = started('pull_request_review_comment', { action: 'created', pull_request: pull, comment });
    return found.kind === 'ignored' ? found.reason : found.location;
  };
  expect([
    at({ path: 'a.ts', line: 3, side: 'RIGHT', diff_hunk: '@@', in_reply_to_id: 12 }),
    at({ path: 'a.ts', line: null, side: 'other' }),
    at({ path: 'a.ts', side: 'LEFT' }),
    at({ line: 3 }),
  ]).toEqual([
    { path: 'a.ts', line: 3, side: 'RIGHT', diff_hunk: '@@', root_id: 12 },
    { path: 'a.ts', line: null, side: 'RIGHT', diff_hunk: '', root_id: null },
    { path: 'a.ts', line: null, side: 'LEFT', diff_hunk: '', root_id: null },
    null,
  ]);
  // Only a review comment stands in a diff.
  expect(commented({ ...said, path: 'a.ts', line: 3 })).toMatchObject({ kind: 'task', location: null });
});

const marker = '<!-- anode:question v1 run=run_1 -->';
const edited = (change: JsonObject = {}): JsonObject => ({
  action: 'edited',
  issue,
  changes: { body: { from: `${marker}\n- [ ] a` } },
  comment: { id: 7, body: `${marker}\n- [x] a`, updated_at: time },
  ...change,
});

test('an edit of a question is an answer, and of a confirmation a continue', () => {
  const trigger = {
    ...begun,
    event: 'issue_comment.edited',
    thread: { kind: 'issue', number: 5 },
    edited: { from: `${marker}\n- [ ] a`, body: `${marker}\n- [x] a` },
  };
  const at = (change: Partial<TriggerSettings>) => started('issue_comment', edited(), change);
  expect([
    at({ questionComment: 7 }),
    at({ confirmationComment: 7 }),
    at({ questionComment: 8, confirmationComment: 9 }),
    at({}),
  ]).toEqual([
    { ...trigger, kind: 'answer' },
    { ...trigger, kind: 'continue' },
    ignored('the edited comment asks nothing that waits'),
    ignored('the edited comment asks nothing that waits'),
  ]);
  const bot = { login: 'evil[bot]', id: 9, type: 'Bot' };
  expect(started('issue_comment', edited({ sender: bot }), { questionComment: 7 })).toEqual(
    ignored('evil[bot] is a Bot that triggers.allowBots does not name'),
  );
});

test('a timer is an answer without text, by the requester of the run', () => {
  const timer = (payload: JsonObject) =>
    started('anode_alarm', { issue, run_id: 'run_1', due: time, ...payload });
  const trigger = { ...begun, kind: 'answer', thread: { kind: 'issue', number: 5 } };
  expect([timer({ action: 'reminder' }), timer({ action: 'deadline' })]).toEqual([
    { ...trigger, event: 'anode_alarm.reminder', timer: { kind: 'reminder', run_id: 'run_1' } },
    { ...trigger, event: 'anode_alarm.deadline', timer: { kind: 'deadline', run_id: 'run_1' } },
  ]);
  expect([
    timer({ action: 'reminder', run_id: null }),
    timer({ action: 'deadline', due: 'soon' }),
    timer({ action: 'deadline', sender: {} }),
    timer({ action: 'other' }),
  ]).toEqual([
    ignored('anode_alarm.reminder without its run and time'),
    ignored('anode_alarm.deadline without its run and time'),
    ignored('anode_alarm.deadline without repository, thread or sender'),
    ignored('anode_alarm.other starts nothing'),
  ]);
});

test('a button of our check run starts its verb, and one of another app nothing', () => {
  const check = {
    ...{ external_id: 'run/5', head_sha: sha, completed_at: time, name: 'anode' },
    app: { slug: 'Anode-CI' },
  };
  const press = (identifier: string, run: JsonObject = {}) =>
    started('check_run', {
      action: 'requested_action',
      requested_action: { identifier },
      check_run: { ...check, ...run },
    });
  const rerun = (name: string) =>
    started('check_run', { action: 'rerequested', check_run: { ...check, name } });
  const trigger = { ...begun, head_sha: sha };
  expect([press('fix'), rerun('anode'), rerun('anode review')]).toEqual([
    { ...trigger, event: 'check_run.requested_action', kind: 'fix' },
    { ...trigger, event: 'check_run.rerequested', kind: 'retry' },
    { ...trigger, event: 'check_run.rerequested', kind: 'review' },
  ]);
  expect([
    press('other'),
    press('fix', { app: { slug: 'ci' } }),
    press('fix', { app: {} }),
    press('fix', { external_id: 'none' }),
    press('fix', { completed_at: null }),
  ]).toEqual([
    ignored('the button has no known action'),
    ignored('the check run is not ours'),
    ignored('the check run is not ours'),
    ignored('check_run.requested_action without repository, thread or sender'),
    ignored('check_run.requested_action without the time of the thread'),
  ]);
});

test('a label or an assignment that starts nothing has a reason', () => {
  const labelled = (name: string, subject: JsonObject, more: JsonObject = {}) =>
    started(name, { action: 'labeled', ...subject, ...more });
  const assigned = (payload: JsonObject) => started('issues', { action: 'assigned', issue, ...payload });
  expect([
    labelled('issues', { issue }, { label: { name: 'ai:fix' } }),
    labelled('pull_request', { pull_request: pull }, { label: { name: 'ai:do' } }),
    labelled('issues', { issue }),
    labelled('issues', { issue: { ...issue, state: 'closed' } }, { label: { name: 'ai:do' } }),
    labelled('issues', { issue: { number: 5 } }, { label: { name: 'ai:do' } }),
    labelled('issues', { issue: { updated_at: time } }, { label: { name: 'ai:do' } }),
    assigned({}),
    assigned({ assignee: { login: 'rex' } }),
    assigned({ requested_reviewer: { login: 'helper' } }),
    started('pull_request', {
      action: 'review_requested',
      pull_request: pull,
      assignee: { login: 'helper' },
    }),
  ]).toEqual(
    [
      'the label starts `fix`, which works on pull requests only',
      'the label starts `implement`, which works on issues only',
      'the label starts nothing',
      'the thread is closed',
      'issues.labeled without the time of the thread',
      'issues.labeled without repository, thread or sender',
      'it is not one of our accounts',
      'it is not one of our accounts',
      'it is not one of our accounts',
      'it is not one of our accounts',
    ].map(ignored),
  );
  expect(assigned({ assignee: { login: 'HELPER' } })).toEqual({
    ...begun,
    event: 'issues.assigned',
    thread: { kind: 'issue', number: 5 },
    kind: 'implement',
  });
});

test('a pull request with a new base is reviewed, and needs its head and time', () => {
  const base = { changes: { base: { ref: { from: 'main' } } } };
  const opened = (change: JsonObject, more: JsonObject = {}) =>
    started('pull_request', { action: 'edited', pull_request: { ...pull, ...change }, ...base, ...more });
  expect(opened({})).toEqual({
    ...begun,
    ...{ kind: 'review', automated: true, incremental: true, event: 'pull_request.edited', head_sha: sha },
  });
  const lacks = ignored('pull_request.edited without the head and the time of the pull request');
  expect([opened({ head: {} }), opened({ updated_at: 'x' }), opened({ draft: true })]).toEqual([
    lacks,
    lacks,
    ignored('drafts are not reviewed (review.drafts)'),
  ]);
  expect(opened({}, { sender: {} })).toEqual(
    ignored('pull_request.edited without repository, thread or sender'),
  );
  expect([
    started('push', { action: 'opened', pull_request: pull }),
    started('pull_request', { pull_request: pull }),
  ]).toEqual([ignored('push.opened starts nothing'), ignored('pull_request starts nothing')]);
});

test.each<[string, JsonObject]>([
  ['owner', { repository: { name: 'shop' } }],
  ['repository', { repository: { owner: { login: 'acme' } } }],
  ['thread', { issue: null }],
  ['number', { issue: { updated_at: time } }],
  ['login', { sender: { id: 7, type: 'User' } }],
  ['id', { sender: { login: 'ada', type: 'User' } }],
  ['type', { sender: { login: 'ada', id: 7 } }],
])('an event without its %s starts nothing', (_, change) => {
  expect(commented(said, change)).toEqual(
    ignored('issue_comment.created without repository, thread or sender'),
  );
});

test('permitted bots start runs, and our own label the run of a handoff', () => {
  const by = (sender: JsonObject, change: Partial<TriggerSettings> = {}) => {
    const found = started('issues', { action: 'labeled', issue, label: { name: 'ai:do' }, sender }, change);
    return found.kind === 'ignored' ? found.reason : found.actor;
  };
  const renovate = { login: 'renovate[bot]', id: 3, type: 'Bot' };
  const autorun: Autorun = { run_id: 'run_0', requester: { login: 'eve', id: 8, type: 'User' }, depth: 1 };
  const ours = { login: 'Anode-CI[bot]', id: 1, type: 'Bot' };
  expect([
    by(renovate),
    by({ ...renovate, type: 'User' }),
    by({ ...renovate, login: 'app' }),
    by({ ...renovate, login: 'other[bot]', type: 'User' }),
    by(ours),
    by(ours, { autorun: null }),
    by(ours, { autorun }),
    by(ada, { autorun }),
    by(ours, { autorun: { ...autorun, requester: { login: own, id: 1, type: 'Bot' } } }),
  ]).toEqual([
    renovate,
    { ...renovate, type: 'User' },
    'app is a Bot that triggers.allowBots does not name',
    'other[bot] is a User that triggers.allowBots does not name',
    'it is our own doing',
    'it is our own doing',
    { login: 'eve', id: 8, type: 'User' },
    ada,
    'it is our own doing',
  ]);
});

test('an edit is recognised by the marker of the comment before it', () => {
  const of = (from: string) => {
    const found = readCommentEdit(event('issue_comment', edited({ changes: { body: { from } } })), [own]);
    return found.kind === 'ignored' ? found.reason : `${found.of} ${found.named}`;
  };
  const none = 'the edited comment has no boxes of ours';
  expect(
    [
      '<!-- anode:controls v1 run=run-1_a -->',
      '<!-- anode:question v1 run=1 -->\nmore',
      '<!-- anode:head v1 hash=f0 other=1 -->',
      `<!-- anode:head v1 hash=${'f'.repeat(100)} -->`,
      `<!-- anode:head v1 hash=${'f'.repeat(101)} -->`,
      '<!-- anode:review v1 run=1 -->',
      '<!-- anode:head v2 run=1 -->',
      '<!-- anode:head v1 id=1 -->',
      '<!-- anode:head v1 run= -->',
      '<!-- anode:head v1 run=1 a>b -->',
      '<!-- anode:head v1 run=1 a\nb -->',
      ' <!-- anode:head v1 run=1 -->',
    ].map(of),
  ).toEqual([
    'controls run-1_a',
    'question 1',
    'head f0',
    `head ${'f'.repeat(100)}`,
    ...Array.from({ length: 8 }, () => none),
  ]);
});

test.each<[string, JsonObject]>([
  ['owner', { repository: { name: 'shop' } }],
  ['repository', { repository: { owner: { login: 'acme' } } }],
  ['number', { issue: {} }],
  ['comment', { comment: { body: 'a', updated_at: time } }],
  ['body', { comment: { id: 7, updated_at: time } }],
  ['time', { comment: { id: 7, body: 'a' } }],
  ['login', { sender: { id: 7, type: 'User' } }],
  ['id', { sender: { login: 'ada', type: 'User' } }],
  ['type', { sender: { login: 'ada', id: 7 } }],
])('an edit without its %s does not count', (_, change) => {
  expect(readCommentEdit(event('issue_comment', edited(change)), [own])).toEqual(
    ignored('an edit without repository, thread, comment, time or sender'),
  );
});

test('only an edit of a comment by another account counts, even with an empty body', () => {
  const read = (name: string, change: JsonObject) => {
    const found = readCommentEdit(event(name, edited(change)), [own]);
    return found.kind === 'ignored' ? found.reason : found;
  };
  expect([
    read('issue_comment', { action: 'created' }),
    read('issues', {}),
    read('issue_comment', { sender: { login: 'ANODE-ci[bot]', id: 1, type: 'Bot' } }),
    read('issue_comment', { comment: { id: 7, body: '', updated_at: time } }),
  ]).toEqual([
    'no comment was edited',
    'no comment was edited',
    'it is our own doing',
    {
      ...{ kind: 'edit', of: 'question', named: 'run_1', repository: begun.repository },
      ...{ thread: { kind: 'issue', number: 5 }, comment_id: 7, from: `${marker}\n- [ ] a`, body: '' },
      ...{ editor: ada, at: begun.at, installation_id: 42 },
    },
  ]);
});
