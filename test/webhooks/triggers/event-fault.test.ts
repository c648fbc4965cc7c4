import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { modeEvent, timerEvent } from '../../../src/contract/thread-records.ts';
import { eventFault } from '../../../src/webhooks/triggers/event-fault.ts';
import { eventShapes, events } from '../../../src/webhooks/triggers/events.ts';

const fault = (name: string, payload: JsonObject) => eventFault({ name, payload });
const payloads = examples.flatMap(({ name, examples: all }) =>
  all.map((payload) => ({ name, payload: payload as unknown as JsonObject })),
);

test("GitHub's own examples are valid under their own names", () => {
  expect(payloads.map(({ name, payload }) => fault(name, payload)).filter((one) => one !== null)).toEqual([]);
});

test('every event that starts something has a shape', () => {
  const names = Object.keys(events).map((key) => key.split('.')[0] ?? '');
  const missing = names.filter(
    (name) => ![timerEvent, modeEvent].includes(name) && !Object.hasOwn(eventShapes, name),
  );
  expect(missing).toEqual([]);
});

test('the body of one event is invalid under the name of another', () => {
  const taken = payloads.flatMap(({ name, payload }) =>
    Object.keys(eventShapes)
      .filter((other) => other !== name && fault(other, payload) === null)
      .map((other) => `${name}.${payload.action} as ${other}`),
  );
  // GitHub sends nothing with these that a repository's own event has not. Their actions steer nothing.
  expect([...new Set(taken)].sort()).toEqual([
    'public.undefined as repository',
    'watch.started as repository',
  ]);
});

test('a body with the subjects of two events is invalid for both', () => {
  const repository = { id: 7 };
  const full = { id: 42, account: { login: 'acme' } };
  expect([
    fault('repository', { action: 'deleted', repository, comment: { id: 1 } }),
    fault('repository', { action: 'deleted', repository, starred_at: null }),
    fault('installation', { action: 'deleted', installation: { id: 42 } }),
    fault('installation', { action: 'deleted', installation: full, repositories_removed: [] }),
    fault('installation_repositories', {
      action: 'removed',
      installation: { id: 42 },
      repositories_removed: [],
    }),
    fault('issues', { action: 'labeled', issue: { number: 1 }, comment: { id: 1 } }),
    fault('pull_request', { action: 'opened', pull_request: 'one' }),
  ]).toEqual(
    [
      'repository',
      'repository',
      'installation',
      'installation',
      'installation_repositories',
      'issues',
      'pull_request',
    ].map((name) => `The body is not of an event ${name}. GitHub does not sign the header X-GitHub-Event.`),
  );
});

test('invalid event names and ids of a wrong type are malformed', () => {
  const named = 'X-GitHub-Event names no event of GitHub.';
  const foreign = ['__proto__', '../x', 'Issues', 'a'.repeat(101), timerEvent, modeEvent];
  expect(foreign.map((name) => fault(name, {}))).toEqual(foreign.map(() => named));
  expect([
    fault('ping', { installation: { id: '42' } }),
    fault('ping', { installation: { id: 1e308 } }),
    fault('ping', { repository: { id: [7] } }),
    fault('ping', { repository: 7 }),
    fault('ping', { sender: { id: -1 } }),
    fault('ping', { sender: { id: null } }),
    fault('ping', { installation: null, repository: { name: 'shop' }, sender: { id: 1 } }),
  ]).toEqual([
    'The body is malformed: installation.id is not an id.',
    'The body is malformed: installation.id is not an id.',
    'The body is malformed: repository.id is not an id.',
    'The body is malformed: repository.id is not an id.',
    'The body is malformed: sender.id is not an id.',
    'The body is malformed: sender.id is not an id.',
    null,
  ]);
});
