import { expect, test } from 'vitest';
import { readCommand } from '../../../src/webhooks/commands/read-command.ts';
import type { TriggerSettings } from '../../../src/webhooks/commands/trigger.ts';

const settings: TriggerSettings = {
  mention: 'anode',
  labels: {},
  accounts: [],
  allowBots: [],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: ['anode-ci[bot]'],
  waiting: null,
};
const read = (body: string) => readCommand(body, 'pull_request', settings);

test.each([
  ['It is slow.\n/anode review', 'review', 'It is slow.'],
  ['It is slow\n/anode review\nand long', 'review', 'It is slow\n\nand long'],
  ['> said\n\n/anode review the `docs`', 'review', '> said\n\nthe `docs`'],
  ['Thanks\n@anode review', 'review', 'Thanks'],
  ['Thanks\r\n\r\n@Anode, review!\r\nSoon.', 'review', 'Thanks\n\nSoon.'],
  ['@anode review\nSoon.', 'review', 'Soon.'],
  ['Is it?\n@anode ask why it is so', 'ask', 'Is it?\n\nwhy it is so'],
  ['Is it so?\n/anode ask', 'ask', 'Is it so?'],
  ['Enough.\n/anode stop', 'stop', ''],
  ['[^1]: note\n\nSee[^1]\n/anode review', 'review', '[^1]: note\n\nSee[^1]'],
  ['I fear\n@anode review is slow', 'task', 'I fear\n@anode review is slow'],
])('in %j the command is %j with the text %j', (body, kind, text) => {
  expect(read(body)).toEqual({ kind, text, note: null });
});

test.each([
  ['<!-- x\n/anode review\n-->'],
  ['said\n> /anode review'],
  ['said\n\n    /anode review'],
  ['said\n```\n/anode review\n```'],
  ['said `a\n/anode review\nb`'],
  ['said\n- /anode review'],
  ['said\n- one\n/anode review'],
  ['said\n\n<details>\n\n/anode review\n\n</details>'],
  ['said <details>\n/anode review\n</details>'],
  ['said\n\n[^1]: note\n/anode review'],
  ['said $$\n/anode review\n$$'],
  ['said, and then please run /anode review'],
  [`${'said '.repeat(1_600)}\n/anode review`],
])('%j contains no command', (body) => {
  expect(read(body).kind).toBe('ignored');
});

test.each([
  ['said\n/anode approve 0123456789abcdef', '`approve` counts in a comment of its own only.'],
  ['said\n/anode reveiw', '`/anode reveiw` is not a command. Did you mean `/anode review`?'],
  ['said\n/anode review --force', expect.stringContaining('`--force` is not a flag')],
])('%j is answered with its mistake', (body, note) => {
  expect(read(body)).toEqual({ kind: 'help', text: '', note });
});
