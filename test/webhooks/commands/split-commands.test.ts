import { expect, test } from 'vitest';
import { splitCommands } from '../../../src/webhooks/commands/split-commands.ts';
import type { TriggerSettings } from '../../../src/webhooks/commands/trigger.ts';
import { findTrigger } from '../../../src/webhooks/triggers/events.ts';

const settings: TriggerSettings = {
  mention: 'anode',
  labels: {},
  accounts: [],
  allowBots: [],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: ['your-app[bot]'],
  waiting: null,
};
const bodies = (body: string, more: Partial<TriggerSettings> = {}) => {
  const several = splitCommands(body, 'pull_request', { ...settings, ...more });
  return several?.kind === 'commands' ? several.bodies : several;
};

test('a comment is split at lines that begin with a command or a mention', () => {
  expect([
    bodies('/anode review\n/anode fix all of it'),
    bodies('/anode review -i\r\n\r\nOnly the tests.\r\n\r\n/anode fix\r\n'),
    bodies('@anode fix the loader.\n@anode write a test\nfor it'),
    bodies('Thanks!\n\n@anode review\n\n@your-app describe'),
    bodies('/anode stop\n@anode fix it another way'),
    bodies('/your-app review\n/anode fix'),
    bodies('@anode do this:\n\n- one\n\n@anode review'),
    bodies('Some words\n/anode review\n/anode fix'),
    bodies('Some words\n@anode review\nand more\n@anode fix'),
    bodies('@anode look here\n/anode fix\n\n<details>\n\n/anode review\n\n</details>'),
  ]).toEqual([
    ['/anode review', '/anode fix all of it'],
    ['/anode review -i\n\nOnly the tests.', '/anode fix'],
    ['@anode fix the loader.', '@anode write a test\nfor it'],
    ['Thanks!\n\n@anode review', '@your-app describe'],
    ['/anode stop', '@anode fix it another way'],
    ['/your-app review', '/anode fix'],
    ['@anode do this:\n\n- one', '@anode review'],
    ['Some words\n/anode review', '/anode fix'],
    ['Some words\n@anode review\nand more', '@anode fix'],
    ['@anode look here', '/anode fix\n\n<details>\n\n/anode review\n\n</details>'],
  ]);
});

test('a comment with one command, or with quotes, code or an answer, is not split', () => {
  const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
  expect([
    bodies('/anode implement, only a warning'),
    bodies('/anode fix\n\n```\n/anode review\n```'),
    bodies('/anode fix\n\n> /anode review'),
    bodies('/anode fix\n\n- /anode review'),
    bodies('@anode please ask\n@anodes, or\n@anode.dev'),
    bodies('Can you tell\n@anode to fix this, as\n@anode did before?'),
    bodies('Some words\n/anode review\nand more'),
    bodies('@anode it is red\n@anode or blue', { waiting: question }),
    bodies(''),
  ]).toEqual(Array(9).fill(null));
});

test('unclear commands start nothing and are reported', () => {
  const told = (...lines: string[]) => ({
    ...{ kind: 'unclear', problem: ['None of these commands was started:', ...lines].join('\n') },
  });
  const hash = '0123456789abcdef';
  const line = {
    kind: 'unclear',
    problem: 'Nothing was started: write each command on a line of its own.',
  };
  expect([
    bodies('/anode review\n/anode fxi'),
    bodies(`/anode approve ${hash}\n/anode review`),
    bodies('/anode review\n@anode'),
    bodies(Array(6).fill('/anode review').join('\n')),
    bodies('/anode review and then /anode fix'),
  ]).toEqual([
    told('- `/anode fxi` is not a command. Did you mean `/anode fix`?'),
    told('- `approve` counts in a comment of its own only.'),
    told('- A line names me without a request.'),
    { kind: 'unclear', problem: 'At most 5 commands count in one comment, and this one has 6.' },
    line,
  ]);
});

const comment = (body: string) => ({
  name: 'issue_comment',
  delivery_id: null,
  payload: {
    ...{ action: 'created', repository: { name: 'shop', owner: { login: 'acme' } } },
    sender: { login: 'ada', id: 7, type: 'User' },
    issue: { number: 5, pull_request: { url: 'u' } },
    comment: {
      ...{ id: 99, body, user: { login: 'ada', id: 7, type: 'User' } },
      created_at: '2026-01-02T03:04:05Z',
    },
  },
});

test('a trigger has all commands of its comment, and unclear ones ask for help', () => {
  const found = (body: string) => {
    const trigger = findTrigger(comment(body), settings);
    return trigger.kind === 'ignored' ? trigger : [trigger.kind, trigger.commands, trigger.note];
  };
  expect([
    found('/anode review\n/anode fix'),
    found('/anode review /anode fix'),
    found('/anode implement, only a warning'),
    found('/anode fix, only a warning'),
  ]).toEqual([
    ['review', ['/anode review', '/anode fix'], null],
    ['help', undefined, 'Nothing was started: write each command on a line of its own.'],
    ['help', undefined, '`implement` works on issues only.'],
    ['fix', undefined, null],
  ]);
});

test.for([
  ['@anode reveiw', 'review'],
  ['@anode reveiw this, please', 'review'],
  ['@anode expalin why this fails', 'explain'],
])('%j is answered with a question about %j', ([body = '', verb]) => {
  const trigger = findTrigger(comment(body), settings);
  expect(trigger.kind === 'help' && trigger.note).toContain(
    `Did you mean \`/anode ${verb === 'explain' ? 'ask' : verb}\`?`,
  );
});

test.for([
  '@anode remove this file',
  '@anode revert it',
  '@anode show the log',
  '@anode text me why',
])('%j is a task', (body) => {
  expect(findTrigger(comment(body), settings).kind).toBe('task');
});
