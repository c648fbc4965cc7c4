import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

test('several questions are printed completely, and answered by key', async () => {
  const asks = {
    ...{ question: 'Red or blue?', reason: 'The logo is both.', topic: 'colour', required: true },
    options: [
      { id: 'red', label: 'Red', description: 'as the door' },
      { id: 'blue', label: 'Blue' },
    ],
    questions: [
      { question: 'What is it called?', default: 'Nightjar', options: ['Nightjar'], allow_freeform: true },
    ],
  };
  local.learn('ask all of it', (turn, request) =>
    turn === 1
      ? {
          calls: [
            call('handoff', {
              ...{ target: 'user', goal: 'Paint the door', summary: 'It is red.', reason: 'No brush.' },
              ...{
                recommended_next_steps: ['Buy a brush'],
                relevant_files: ['a.txt'],
                artifacts: ['door.png'],
              },
            }),
            call('ask_user', asks),
          ],
        }
      : { text: `You said: ${lastResults(request)}` },
  );
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const first = await local.anode(folder, ['run', '--prompt', 'ask all of it']);
  const [, runId = ''] = /anode resume (run_\w+)/.exec(first.stdout) ?? [];
  const wrong = await local.anode(folder, ['resume', runId, '--answer', 'colour=green']);
  const again = await local.anode(folder, ['resume', runId, '--answer', 'colour=2', '--answer', '2=Wren']);
  expect({
    code: first.code,
    printed: first.stdout.slice(first.stdout.indexOf('Question 1'), first.stdout.indexOf('\n\nwaiting:')),
    wrong: [wrong.code, wrong.stderr],
    said: again.stdout.split('\n').slice(2, 4),
  }).toEqual({
    code: 4,
    printed: [
      'Question 1 of 2 (colour): Red or blue?',
      '  Why: The logo is both.',
      '  1. Red (red): as the door',
      '  2. Blue (blue)',
      '  (it has to be answered)',
      'Question 2 of 2 (2): What is it called?',
      '  1. Nightjar (nightjar) [default]',
      '  (your own words are welcome)',
      `Answer with: anode resume ${runId} --answer colour="<answer>" --answer 2="<answer>" --cwd ${folder}`,
      'handoff to user: Paint the door',
      '  It is red.',
      '  why: No brush.',
      '  next: Buy a brush',
      '  file: a.txt',
      '  material: door.png',
    ].join('\n'),
    wrong: [
      2,
      'anode resume: "green" is no answer to colour: Red or blue?\nIt takes red, blue.\nHelp: anode help resume\n',
    ],
    said: ['The user answered: 1. Red or blue? blue (Blue)', '2. What is it called? Wren'],
  });
});
