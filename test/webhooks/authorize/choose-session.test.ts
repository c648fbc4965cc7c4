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
  ['a ticked comment to its own question', ticked('run_1'), 'run_1'],
  ['a ticked comment whose question is over to none', ticked('run_0'), null],
  ['an alarm to its run', event('anode_alarm', { action: 'deadline', run_id: 'run_1' }), 'run_1'],
  ['an approval to its hash', said(`/anode approve ${hash}`), 'run_2'],
  ['a quote to what it quotes', said('> Which calendar?\n\n@anode the newer one'), 'run_1'],
  ['an option to the question that has it', said('iso'), 'run_1'],
  ['an option behind a command as well', said('/anode ANSWER  ISO.'), 'run_1'],
  ['an option in a review as well', review('iso'), 'run_1'],
  ['a ticked comment that only quotes its mark to the newest question', quoting, 'run_3'],
  ['an option behind a mention as well', said('@anode iso'), 'run_1'],
  ['other words to the newest question', said('/anode answer whatever you like'), 'run_3'],
  ['a word that is no command to the newest question', said('**answer iso**'), 'run_3'],
  ['a number to the newest question', said('1'), 'run_3'],
])('Of several runs that wait, %s goes.', (_, which, run) => {
  expect(chooseSession(which, waiting, 'anode')?.run_id ?? null).toBe(run);
});

test('An approval alone is what waits, and nothing where nothing does.', () => {
  expect(chooseSession(said('/anode deny'), [wants], 'anode')).toBe(wants);
  expect(chooseSession(said('blue'), [], 'anode')).toBeNull();
  const [, , older] = waiting;
  expect(chooseSession(said('whatever'), waiting.slice(1), 'anode')).toBe(older);
});
