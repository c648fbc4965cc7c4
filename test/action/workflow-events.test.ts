import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { typeRemedy } from '../../action/type-remedy.ts';
import {
  checkPromptless,
  isCausedByWriters,
  threadEvent,
  workflowEvents,
} from '../../action/workflow-events.ts';
import { ConfigError } from '../../src/contract/errors.ts';
import { eventShapes } from '../../src/webhooks/triggers/events.ts';

/** Rows of the table of events in docs/action.md: event, with a prompt, without one. */
const documented = [
  ...readFileSync('docs/action.md', 'utf8').matchAll(/^\| `(\w+)` \| (anyone allowed|any) \| (.+?) \|$/gm),
].map(([, event = '', actor, without]) => ({ event, actor, without }));

/** Rows of the table for an event without a prompt. */
function ending(name: string): 'decides' | 'error' {
  try {
    checkPromptless(name);
    return 'decides';
  } catch (error) {
    if (error instanceof ConfigError) return 'error';
    throw error;
  }
}

test('docs/action.md states for each event who may start a task, and the default without a prompt', () => {
  expect(documented.map(({ event }) => event)).toEqual(Object.keys(workflowEvents));
  expect(
    documented.map(({ event, actor, without }) => ({ event, actor, fails: without === 'an error' })),
  ).toEqual(
    Object.keys(workflowEvents).map((event) => ({
      event,
      actor: isCausedByWriters(event) ? 'any' : 'anyone allowed',
      fails: ending(event) === 'error',
    })),
  );
});

test('an event that can start nothing without a task fails with the name of the input', () => {
  expect(() => checkPromptless('schedule')).toThrow(
    new ConfigError(
      'The event schedule starts nothing without a task. Set the input `prompt`, or use an event with a thread: check_run, issue_comment, issues, pull_request, pull_request_review, pull_request_review_comment, pull_request_target, workflow_run.',
      { key: 'prompt' },
    ),
  );
  expect(ending('an_event_of_next_year')).toBe('error');
  expect(ending('constructor')).toBe('error');
});

test('a type that starts nothing fails with the names of the types that do', () => {
  expect([
    typeRemedy('issues', 'opened'),
    typeRemedy('issues', 'labeled'),
    typeRemedy('pull_request_target', 'closed'),
    typeRemedy('push', null),
  ]).toEqual([
    'Without the input `prompt`, issues starts a run for the types: labeled, assigned.',
    null,
    'Without the input `prompt`, pull_request_target starts a run for the types: opened, ready_for_review, synchronize, reopened, edited, labeled, review_requested.',
    null,
  ]);
});

test('each App event that a workflow can have is handled in a workflow too', () => {
  // A workflow has `workflow_run` in place of `check_suite`; removals are the App's own.
  const others = ['check_suite', 'repository', 'installation', 'installation_repositories'];
  const handled = Object.keys(workflowEvents).filter((name) => ending(name) === 'decides');
  expect(new Set(handled.map(threadEvent))).toEqual(
    new Set(Object.keys(eventShapes).filter((name) => !others.includes(name))),
  );
});
