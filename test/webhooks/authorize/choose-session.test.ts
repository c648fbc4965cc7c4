import { expect, test } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { SavedSession } from '../../../src/contract/session.ts';
import { chooseSession } from '../../../src/webhooks/authorize/choose-session.ts';
import { savedSession } from '../decide-fixture.ts';

const asks = (run_id: string, question: string, option: string) =>
  savedSession({
    run_id,
    question: {
      call_id: 'c',
      question: {
        question,
        options: [{ id: option, label: option }],
        allow_freeform: true,
        required: true,
        questions: [],
      },
    },
  });
const hash = '0123456789abcdef';
const wants: SavedSession = savedSession({
  run_id: 'run_2',
  question: null,
  approval: { tool: 'bash', what: 'make', reason: 'Asked.', hash, call_id: 'c', waits: true },
});
/** Newest first. */
const waiting = [asks('run_3', 'Which colour?', 'blue'), wants, asks('run_1', 'Which calendar?', 'iso')];

const event = (name: string, payload: JsonObject): IncomingEvent => ({ name, delivery_id: 'd', payload });
const said = (body: string) => event('issue_comment', { action: 'created', comment: { body } });
const ticked = (run: string) =>
  event('issue_comment', {
    action: 'edited',
    changes: { body: { from: `<!-- anode:question v1 run=${run} -->\n- [ ] iso` } },
    comment: { body: '' },
  });
const review = (body: string) => event('pull_request_review', { action: 'submitted', review: { body } });
const quoting = event('issue_comment', {
  action: 'edited',
  changes: { body: { from: 'See <!-- anode:question v1 run=run_1 -->' } },
});

test.each([
  ['a ticked comment goes to its own question', ticked('run_1'), 'run_1'],
  ['a ticked comment of an ended question goes to none', ticked('run_0'), null],
  ['a timer goes to its run', event('anode_alarm', { action: 'deadline', run_id: 'run_1' }), 'run_1'],
  ['an approval goes to the session with its hash', said(`/anode approve ${hash}`), 'run_2'],
  ['a quote goes to the quoted question', said('> Which calendar?\n\n@anode the newer one'), 'run_1'],
  ['an option goes to the question that has it', said('iso'), 'run_1'],
  ['an option after a command goes to the question that has it', said('/anode ANSWER  ISO.'), 'run_1'],
  ['an option in a review goes to the question that has it', review('iso'), 'run_1'],
  ['a ticked comment that only quotes a marker goes to the newest question', quoting, 'run_3'],
  ['an option after a mention goes to the question that has it', said('@anode iso'), 'run_1'],
  ['other text goes to the newest question', said('/anode answer whatever you like'), 'run_3'],
  ['a word that is no command goes to the newest question', said('**answer iso**'), 'run_3'],
  ['a number goes to the newest question', said('1'), 'run_3'],
])('with several waiting runs, %s', (_, which, run) => {
  expect(chooseSession(which, waiting, 'anode')?.run_id ?? null).toBe(run);
});

test('a single approval is chosen, and nothing if nothing waits', () => {
  expect(chooseSession(said('/anode deny'), [wants], 'anode')).toBe(wants);
  expect(chooseSession(said('blue'), [], 'anode')).toBeNull();
  const [, , older] = waiting;
  expect(chooseSession(said('whatever'), waiting.slice(1), 'anode')).toBe(older);
});
