import { describe, expect, it } from 'vitest';
import type { IncomingEvent } from '../../src/contract/event.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { TriggerSettings } from '../../src/webhooks/commands/trigger.ts';
import { findTrigger } from '../../src/webhooks/triggers/events.ts';

const repository = { name: 'shop', owner: { login: 'acme' } };
const ada = { login: 'ada', id: 7, type: 'User' };
const installation = { id: 42 };

describe('labels and assignment', () => {
  const own: TriggerSettings = {
    mention: 'anode',
    allowBots: [],
    autoReview: true,
    reviewDrafts: false,
    ownLogins: ['anode-ci[bot]'],
    waiting: null,
    labels: { 'ai:fix': 'fix', 'ai:do': 'implement' },
    accounts: ['anode-helper'],
  };
  const at = { updated_at: '2026-01-02T03:04:05Z', state: 'open' };
  const issue = { number: 5, ...at };
  const pull = { number: 5, ...at, head: { sha: 'a'.repeat(40) } };
  const event = (name: string, payload: JsonObject): IncomingEvent => ({
    name,
    delivery_id: null,
    payload: { repository, installation, sender: ada, ...payload },
  });
  const started = (name: string, payload: JsonObject) => findTrigger(event(name, payload), own);
  const begun = {
    automated: false,
    repository: { owner: 'acme', name: 'shop' },
    thread: { kind: 'pull_request', number: 5 },
    actor: ada,
    note: null,
    comment: null,
    location: null,
    at: '2026-01-02T03:04:05.000Z',
    head_sha: null,
    installation_id: 42,
    text: '',
  };

  it('start what the configuration states, on the labelled head', () => {
    expect(
      started('pull_request', { action: 'labeled', label: { name: 'ai:fix' }, pull_request: pull }),
    ).toEqual({
      ...begun,
      event: 'pull_request.labeled',
      kind: 'fix',
      head_sha: 'a'.repeat(40),
    });
    expect(started('issues', { action: 'labeled', label: { name: 'ai:do' }, issue })).toEqual({
      ...begun,
      event: 'issues.labeled',
      thread: { kind: 'issue', number: 5 },
      kind: 'implement',
    });
    expect(started('issues', { action: 'assigned', assignee: { login: 'Anode-Helper' }, issue })).toEqual({
      ...begun,
      event: 'issues.assigned',
      thread: { kind: 'issue', number: 5 },
      kind: 'implement',
    });
    expect(
      started('pull_request', {
        action: 'review_requested',
        requested_reviewer: { login: 'anode-ci[bot]' },
        pull_request: pull,
      }),
    ).toEqual({
      ...begun,
      event: 'pull_request.review_requested',
      kind: 'review',
      head_sha: 'a'.repeat(40),
    });
  });

  it.each([
    ['issues', { action: 'labeled', label: { name: 'ai:fix' }, issue }, /pull requests only/],
    ['pull_request', { action: 'labeled', label: { name: 'ai:do' }, pull_request: pull }, /issues only/],
    ['issues', { action: 'labeled', label: { name: 'constructor' }, issue }, /starts nothing/],
    [
      'issues',
      { action: 'labeled', label: { name: 'ai:do' }, issue: { ...issue, state: 'closed' } },
      /closed/,
    ],
    ['issues', { action: 'unlabeled', label: { name: 'ai:do' }, issue }, /starts nothing/],
    ['issues', { action: 'assigned', assignee: ada, issue }, /not one of our accounts/],
    ['issues', { action: 'assigned', assignee: { login: 'anode-ci' }, issue }, /not one of our accounts/],
    [
      'pull_request',
      { action: 'review_requested', requested_team: { name: 'x' }, pull_request: pull },
      /accounts/,
    ],
    [
      'issues',
      { action: 'labeled', label: { name: 'ai:do' }, issue, sender: { ...ada, login: 'anode-ci[bot]' } },
      /own doing/,
    ],
  ])('%s with %j starts nothing', (name, payload, reason) => {
    expect(started(name, payload)).toEqual({ kind: 'ignored', reason: expect.stringMatching(reason) });
  });
});
