import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };
import { expect, it } from 'vitest';
import type { IncomingEvent } from '../../src/contract/event.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { TriggerSettings } from '../../src/webhooks/commands/trigger.ts';
import { findTrigger } from '../../src/webhooks/triggers/events.ts';
import { findCandidate } from '../../src/webhooks/triggers/find-candidate.ts';

const settings: TriggerSettings = {
  mention: 'anode',
  labels: { 'anode:implement': 'implement' },
  accounts: [],
  allowBots: [],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: ['anode-ci[bot]'],
  waiting: null,
};
const events: IncomingEvent[] = examples.flatMap(({ name, examples: payloads }) =>
  payloads.map((payload) => ({ name, delivery_id: null, payload: payload as unknown as JsonObject })),
);

it('only example payloads that open or push to a pull request start a review', () => {
  const started = events
    .map((event) => findTrigger(event, settings))
    .filter((found) => found.kind !== 'ignored');
  expect(
    started.map(({ kind, event, actor }) => ({ kind, event, actor: actor.login })),
  ).toMatchInlineSnapshot(`
    [
      {
        "actor": "Codertocat",
        "event": "pull_request.opened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.opened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.opened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.opened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.ready_for_review",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.ready_for_review",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.ready_for_review",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.reopened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.reopened",
        "kind": "review",
      },
      {
        "actor": "Codertocat",
        "event": "pull_request.synchronize",
        "kind": "review",
      },
    ]
  `);
  expect(events.length).toBeGreaterThan(300);
});

it('every trigger is also a candidate, so none is excluded too early', () => {
  const triggers = events.filter((event) => findTrigger(event, settings).kind !== 'ignored');
  expect(triggers.filter((event) => findCandidate(event).kind === 'ignored')).toEqual([]);
});

it('payloads with a missing or invalid part start nothing else', () => {
  const broken = events.flatMap(({ name, payload }) =>
    Object.keys(payload).flatMap((key) =>
      [undefined, null, 'text', 7, [], {}].map((value) => ({
        name,
        delivery_id: null,
        payload: { ...payload, [key]: value } as JsonObject,
      })),
    ),
  );
  for (const event of broken) {
    const found = findTrigger(event, settings);
    if (found.kind !== 'ignored') expect(found).toMatchObject({ kind: 'review', automated: true });
    findCandidate(event);
  }
});
