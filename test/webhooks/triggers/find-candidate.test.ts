import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { modeEvent, timerEvent } from '../../../src/contract/thread-records.ts';
import { asPullEvent, clickedVerb } from '../../../src/webhooks/triggers/check-run-click.ts';
import { events } from '../../../src/webhooks/triggers/events.ts';
import { findCandidate } from '../../../src/webhooks/triggers/find-candidate.ts';
import {
  integerAt,
  isRetargeted,
  isTrueAt,
  objectAt,
  stringAt,
  timeAt,
} from '../../../src/webhooks/triggers/payload-reader.ts';

const basis: JsonObject = {
  repository: { name: 'shop', owner: { login: 'acme' } },
  sender: { login: 'ada', id: 7, type: 'User' },
};
const onPull: JsonObject = { ...basis, pull_request: { number: 5 } };
const onIssue: JsonObject = { ...basis, issue: { number: 4 } };
const find = (name: string, action: string | null, payload: JsonObject) =>
  findCandidate({ name, delivery_id: 'guid', payload: action === null ? payload : { ...payload, action } });
const candidate = (kind: string, number: number, silent: boolean) => ({
  kind: 'candidate',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind, number },
  sender: 'ada',
  silent,
});

test('these events and actions can start something', () => {
  const actions = Object.groupBy(Object.keys(events), (key) => key.split('.')[0] ?? '');
  expect(
    Object.fromEntries(
      Object.entries(actions).map(([name, keys = []]) => [
        name,
        keys.map((key) => key.split('.')[1]).join(' '),
      ]),
    ),
  ).toEqual({
    check_suite: 'completed',
    workflow_run: 'completed',
    issue_comment: 'created edited',
    [timerEvent]: 'reminder deadline',
    [modeEvent]: 'review implement',
    pull_request_review_comment: 'created',
    pull_request_review: 'submitted',
    check_run: 'requested_action rerequested',
    issues: 'labeled assigned',
    pull_request: 'opened ready_for_review synchronize reopened edited labeled review_requested',
  });
  expect([
    find('push', null, onPull),
    find('issues', 'opened', onIssue),
    find('pull_request', 'edited', { ...onPull, changes: { title: { from: 'a' } } }),
  ]).toEqual([
    { kind: 'ignored', reason: 'push. starts nothing' },
    { kind: 'ignored', reason: 'issues.opened starts nothing' },
    { kind: 'ignored', reason: 'the base branch stays' },
  ]);
});

test('the thread is an issue or a pull request, depending on the event', () => {
  const retargeted = { ...onPull, changes: { base: { ref: { from: 'main' } } } };
  const pullAsIssue = { ...basis, issue: { number: 6, pull_request: { url: 'u' } } };
  expect([
    find('issues', 'labeled', onIssue),
    find('pull_request', 'opened', onPull),
    find('pull_request', 'edited', retargeted),
    find('issue_comment', 'created', { ...pullAsIssue, comment: { body: 'said' } }),
    find(timerEvent, 'reminder', onIssue),
    find('check_run', 'rerequested', { ...basis, check_run: { external_id: 'run/9', head_sha: 'a' } }),
  ]).toEqual([
    candidate('issue', 4, false),
    candidate('pull_request', 5, false),
    candidate('pull_request', 5, false),
    candidate('pull_request', 6, true),
    candidate('issue', 4, false),
    candidate('pull_request', 9, false),
  ]);
  expect([isRetargeted(retargeted), isRetargeted(onPull)]).toEqual([true, false]);
});

test('an edited comment is a candidate if it had boxes of ours, and is not silent', () => {
  const edited = (from: string) =>
    find('issue_comment', 'edited', {
      ...{ ...onIssue, changes: { body: { from } } },
      comment: { id: 7, body: 'x', updated_at: '2026-01-02T03:04:05Z' },
    });
  expect([edited('<!-- anode:head v1 hash=f0 -->'), edited('Looks good.')]).toEqual([
    candidate('issue', 4, false),
    { kind: 'ignored', reason: 'the edited comment has no boxes of ours' },
  ]);
});

test('a comment or review is silent unless it contains @ or a line starting with /', () => {
  const silent = (name: string, key: string, action: string, body: string | null) => {
    const found = find(name, action, { ...onPull, [key]: { body } });
    return found.kind === 'candidate' && found.silent;
  };
  const bodies = ['Looks good.', 'a / b', null, 'ask @ada', '/anode fix', ' \n/anode', 'so\n /anode'];
  for (const [name, key, action] of [
    ['issue_comment', 'comment', 'created'],
    ['pull_request_review_comment', 'comment', 'created'],
    ['pull_request_review', 'review', 'submitted'],
  ] as const)
    expect(bodies.map((body) => silent(name, key, action, body))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
});

test.each([
  ['owner', { ...onPull, repository: { name: 'shop' } }],
  ['name', { ...onPull, repository: { owner: { login: 'acme' } } }],
  ['thread', basis],
  ['number', { ...onPull, pull_request: { number: '5' } }],
  ['sender', { ...onPull, sender: {} }],
])('an event without the %s is no candidate', (_, payload) => {
  expect(find('pull_request', 'opened', payload as JsonObject)).toEqual({
    kind: 'ignored',
    reason: 'pull_request.opened without repository, thread or sender',
  });
});

test('a check run is read as an event of the pull request in its external id', () => {
  const event = (check_run: JsonObject, name = 'check_run') => ({
    ...{ name, delivery_id: null },
    payload: { ...basis, check_run },
  });
  const check = { external_id: 'run/12', head_sha: 'abc', completed_at: 'late', started_at: 'early' };
  const pull = (updated_at: string | null) => ({
    pull_request: { number: 12, state: 'open', head: { sha: 'abc' }, updated_at },
  });
  const { completed_at: _, ...running } = check;
  expect([asPullEvent(event(check)), asPullEvent(event(running))].map(({ payload }) => payload)).toEqual([
    { ...basis, check_run: check, ...pull('late') },
    { ...basis, check_run: running, ...pull('early') },
  ]);
  for (const external_id of ['run/0', 'run/01', '12', 'run/12345678901', 'run/12x', ''])
    expect(asPullEvent(event({ ...check, external_id }))).toEqual(event({ ...check, external_id }));
  expect(asPullEvent(event(check, 'check_suite'))).toEqual(event(check, 'check_suite'));
  expect(asPullEvent(event({}))).toEqual(event({}));
});

test('a button has its verb, and a repeated check run the verb of its name', () => {
  const pressed = (payload: JsonObject) => clickedVerb({ name: 'check_run', delivery_id: null, payload });
  const requested = (identifier: string) => ({
    action: 'requested_action',
    requested_action: { identifier },
  });
  expect([
    pressed(requested('retry')),
    pressed(requested('fix')),
    pressed(requested('review')),
    pressed(requested('')),
    pressed({ action: 'rerequested', check_run: { name: 'anode review' } }),
    pressed({ action: 'rerequested', check_run: { name: 'anode' } }),
  ]).toEqual(['retry', 'fix', null, null, 'review', 'retry']);
});

test('values of a payload are read by path and kind, without inherited ones', () => {
  const a: JsonObject = {
    text: 't',
    number: 3,
    list: [1],
    yes: true,
    no: false,
    one: 1,
    half: 0.5,
    big: 2 ** 53,
    nothing: null,
  };
  const payload: JsonObject = { a };
  const at = (key: string) => [
    objectAt(payload, 'a', key),
    stringAt(payload, 'a', key),
    integerAt(payload, 'a', key),
    isTrueAt(payload, 'a', key),
  ];
  expect(
    ['text', 'number', 'list', 'yes', 'no', 'one', 'half', 'big', 'nothing', 'toString'].map(at),
  ).toEqual([
    [null, 't', null, false],
    [null, null, 3, false],
    [null, null, null, false],
    [null, null, null, true],
    [null, null, null, false],
    [null, null, 1, false],
    ...[0, 1, 2, 3].map(() => [null, null, null, false]),
  ]);
  expect([objectAt(payload, 'a'), objectAt(payload), stringAt(payload, 'a', 'text', 'length')]).toEqual([
    a,
    payload,
    null,
  ]);
  const times: JsonObject = { at: '2026-01-02T03:04:05Z', soon: 'soon', number: 1 };
  expect(['at', 'soon', 'number', 'none'].map((key) => timeAt(times, key))).toEqual([
    ...[Date.UTC(2026, 0, 2, 3, 4, 5), null, null, null],
  ]);
  expect([stringAt(payload, 'a', 'nothing', 'x'), integerAt(payload, 'a', 'list', 'length')]).toEqual([
    null,
    null,
  ]);
});
