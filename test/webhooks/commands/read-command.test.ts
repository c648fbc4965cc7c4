import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { verbNames, verbOf } from '../../../src/contract/verbs.ts';
import { hashIn, readCommand } from '../../../src/webhooks/commands/read-command.ts';
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
const read = (body: string, thread: 'pull_request' | 'issue' = 'pull_request') =>
  readCommand(body, thread, settings);

describe('flags', () => {
  it.each([
    ['/anode review budget=$2', { kind: 'review', text: '', flags: { budget: 2 } }],
    [
      '/anode review --budget=2.50 the errors',
      { kind: 'review', text: 'the errors', flags: { budget: 2.5 } },
    ],
    [
      '/anode fix the errors turns=20 effort=HIGH',
      { kind: 'fix', text: 'the errors', flags: { turns: 20, effort: 'high' } },
    ],
    ['/anode task model=openai/gpt-5.2 go', { kind: 'task', text: 'go', flags: { model: 'openai/gpt-5.2' } }],
    ['/anode ask why effort=max', { kind: 'ask', text: 'why', flags: { effort: 'max' } }],
    ['/anode fix profile=deep', { kind: 'fix', text: '', flags: { profile: 'study' } }],
    ['/anode review -i budget=1', { kind: 'review', text: '', incremental: true, flags: { budget: 1 } }],
    ['/anode review src --checks-only', { kind: 'review', text: 'src', checksOnly: true }],
    ['@anode review -i turns=3', { kind: 'review', text: '', incremental: true, flags: { turns: 3 } }],
    ['@anode tidy up budget=$1', { kind: 'task', text: 'tidy up', flags: { budget: 1 } }],
    ['/anode fix budget=1 x budget=2', { kind: 'fix', text: 'x', flags: { budget: 1 } }],
    ['/anode fix x\n\nand\nbudget=2', { kind: 'fix', text: 'x\n\nand\nbudget=2' }],
    ['/anode ask why a=b', { kind: 'ask', text: 'why a=b' }],
    ['/anode ask what does grep -i', { kind: 'ask', text: 'what does grep -i' }],
    ['@anode set x=5', { kind: 'task', text: 'set x=5' }],
    ['/anode deny 0123456789abcdef budget=2', { kind: 'deny', text: '0123456789abcdef budget=2' }],
  ])('%j', (body, expected) => {
    expect(read(body)).toEqual({ note: null, ...expected });
  });

  it.each([
    '/anode fix `x budget=2`',
    '/anode fix `x budget=2\nmore`',
    '/anode fix <!-- budget=2 -->',
    '/anode fix <!-- x budget=2\n-->',
    '/anode fix <code>x budget=2\n</code>',
    '/anode fix\n> budget=2',
    '/anode fix\n\n    budget=2',
    '/anode fix\n```\nbudget=2\n```',
    '/anode fix the link [budget=2](https://x.test) budget=2`',
    '@anode\n\n    review -i',
  ])('are not read from code, quotes, comments or other lines: %j', (body) => {
    const command = read(body);
    expect({ ...command, text: '' }).toEqual({
      kind: body.startsWith('@') ? 'task' : 'fix',
      text: '',
      note: null,
    });
  });

  it.each([
    ['/anode fix preset=unrestricted', /^`preset` cannot be set in a comment/],
    ['/anode fix it SANDBOX=off', /^`sandbox` cannot be set in a comment/],
    ['@anode do it network=all', /^`network` cannot be set in a comment/],
    ['/anode fix --permissions=all', /^`permissions` cannot/],
    ['/anode fix buget=$2', /^`buget` is not a flag in this form; write `budget=\$2`\./],
    ['/anode fix it modl=x', /write `model=NAME`/],
    ['/anode review --chek-only', /did you mean `--checks-only`\?$/],
    ['/anode fix x=5 is wrong', /^`x` is not a flag\. .*backticks/],
    ['/anode fix --force', /^`--force` is not a flag/],
    ['/anode fix budget=lots', /^`budget` is written like `budget=\$2`/],
    ['/anode fix budget=0', /^`budget` is written like/],
    ['/anode fix budget=-1', /^`budget` is written like/],
    ['/anode fix turns=1e9', /^`turns` is written like `turns=20`/],
    ['/anode fix effort=extreme', /^`effort` is written like/],
    ['/anode fix profile=../root', /^`profile` is written like/],
    ['/anode fix model=$(id)', /^`model` is written like/],
    ['/anode fix -i', /^`-i` does not go with this command/],
    ['/anode review profile=study', /^`profile` does not go with this command/],
  ])('in %j are invalid, which gives only a message', (body, note) => {
    expect(read(body)).toEqual({ kind: 'help', text: '', note: expect.stringMatching(note) });
  });
});

describe('a verb', () => {
  it.each(verbNames)('%s is recognised by its name and aliases, on its kinds of thread', (name) => {
    const { aliases, on, text: words, afterMention } = verbOf(name);
    const behind = words === 'hash' ? ' 0123456789abcdef' : words === 'required' ? ' something' : '';
    const waiting = { question: '?', options: [], allow_freeform: true, required: true, questions: [] };
    for (const thread of ['pull_request', 'issue'] as const) {
      const kinds = [name, ...aliases, name.toUpperCase()].map(
        (word) => readCommand(`/anode ${word}${behind}`, thread, { ...settings, waiting }).kind,
      );
      const here = on.includes(thread);
      expect([...new Set(kinds)]).toEqual([here ? name : 'help']);
      const mentioned = readCommand(`@anode ${name}`, thread, settings).kind;
      if (here && afterMention === 'alone') expect(mentioned).toBe(name);
      if (afterMention === 'typed') expect(['task', 'help']).toContain(mentioned);
    }
  });

  it.each([
    ['/anode reveiw', 'review'],
    ['/anode fx it', 'fix'],
    ['/anode improv', 'improve'],
    ['/anode aproove 0123456789abcdef', 'approve'],
    ['@anode fxi', 'fix'],
    ['@anode, reviwe!', 'review'],
  ])('%j is answered with the nearest verb', (body, meant) => {
    expect(read(body)).toMatchObject({ kind: 'help', note: expect.stringContaining(`\`/anode ${meant}\`?`) });
  });

  it.each([
    '@anode fxi the test',
    '@anode paint',
    'see @anode fxi',
    '@anode\nfxi',
  ])('is not suggested for several words or a mention elsewhere: %j', (body) => {
    expect(read(body).kind).toBe('task');
  });

  it.each([
    ['/anode implement, only a warning', 'issue', 'implement', 'only a warning'],
    ['/anode fix: the text budget=$2', 'pull_request', 'fix', 'the text'],
    ['/anode stop!', 'issue', 'stop', ''],
    ['@anode review.', 'pull_request', 'review', ''],
    ['@anode fix, please', 'pull_request', 'task', 'fix, please'],
    ['/anode fix,please', 'pull_request', 'help', ''],
  ] as const)('may be followed by a comma, colon or full stop: %j', (body, thread, kind, text) => {
    expect(readCommand(body, thread, settings)).toMatchObject({ kind, text });
  });

  it.each([
    ['@anode-ci review', 'review', ''],
    ['please look, @anode-ci[bot]', 'task', 'please look, @anode-ci[bot]'],
    ['@anode-ci[bot] fix it', 'task', 'fix it'],
    ['/anode-ci fix it', 'fix', 'it'],
    ['@anode-cid review', 'ignored', undefined],
    ['`@anode-ci review`', 'ignored', undefined],
  ])("counts after the App's own name: %j", (body, kind, text) => {
    const { kind: found, text: words } = { text: undefined, ...read(body) };
    expect([found, words]).toEqual([kind, text]);
  });

  it('does not count after the account of all workflows', () => {
    const workflow = { ...settings, ownLogins: ['github-actions[bot]'] };
    expect(readCommand('@github-actions review', 'pull_request', workflow).kind).toBe('ignored');
  });

  it('of the other kind of thread is not suggested', () => {
    expect(read('/anode implemnt')).toMatchObject({ note: '`/anode implemnt` is not a command.' });
  });

  it.each([
    ['/anode\n\n    approve 0123456789abcdef', 'help'],
    ['/anode\n> approve 0123456789abcdef', 'help'],
    ['/anode approve\n\n    0123456789abcdef', 'help'],
    ['    @anode answer blue\n\n@anode no', 'task'],
    ['<pre>\n@anode fix\n</pre>\n\n@anode', 'task'],
  ])('in a block of code or a quote below does not count: %j', (body, kind) => {
    expect(read(body).kind).toBe(kind);
  });
});

test.each([
  ['/anode dismiss 3fa2b1c by design', { kind: 'dismiss', text: '3fa2b1c by design', note: null }],
  [
    'The loader checks it.\n/anode dismiss 3fa2b1c',
    { kind: 'dismiss', text: '3fa2b1c\n\nThe loader checks it.', note: null },
  ],
  ['@anode dismiss 3fa2b1c, by design', { kind: 'dismiss', text: '3fa2b1c, by design', note: null }],
  ['@anode dismiss the dialog on escape', { kind: 'task', text: 'dismiss the dialog on escape', note: null }],
])('%j dismisses a finding only by an id after a mention', (body, command) => {
  expect(read(body)).toEqual(command);
});

const hash = '0123456789abcdef';
const pieces = fc.constantFrom(
  ...[
    '/anode',
    '@anode',
    'review',
    'approve',
    hash,
    'fix',
    'budget=$2',
    'sandbox=off',
    '-i',
    '`',
    '```',
    '~~~',
    '> ',
  ],
  ...[
    '\n',
    '\n\n',
    '    ',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
    '<code>',
    '</code>',
    '<q>',
    '- ',
    '* ',
    '[',
    '](x)',
    '\\',
    '|',
  ],
  ...['word', '@', '/', '\0', '\u202e', '\ud800', '#', '=', '\t', '\r\n', '![', '&#64;anode', '<a href="'],
);
const text = fc.oneof(
  fc.array(pieces, { maxLength: 25 }).map((all) => all.join(' ')),
  fc.array(pieces, { maxLength: 25 }).map((all) => all.join('')),
  fc.string(),
);

test('any text can be read without an exception', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('pull_request' as const, 'issue' as const), (body, thread) => {
      const command = readCommand(body, thread, settings);
      expect(typeof command.kind).toBe('string');
    }),
    { numRuns: 2_000 },
  );
});

test('quoted, hidden and code text starts nothing and sets nothing', () => {
  const inert = (inner: string): string[] => {
    const tame = inner.replaceAll(/[`~\r\n]|-->|--!>|<|>/g, ' ');
    return [
      `> ${tame}`,
      `\`\`\`\n${tame}\n\`\`\``,
      `~~~\n${tame}`,
      `    ${tame}`,
      `<!-- ${tame} -->`,
      `<pre>\n${tame}\n</pre>`,
      `Look: \`${tame}\``,
    ];
  };
  fc.assert(
    fc.property(text, (inner) => {
      for (const body of inert(`/anode ${inner} @anode`)) {
        expect([body, read(body).kind]).toEqual([body, 'ignored']);
        const command = read(`/anode fix\n\n${body}`);
        expect([body, command.kind, 'flags' in command]).toEqual([body, 'fix', false]);
      }
    }),
    { numRuns: 300 },
  );
});

test('only a typed command with its hash on the first line decides', () => {
  fc.assert(
    fc.property(text, (body) => {
      const { kind } = read(body);
      if (kind !== 'approve' && kind !== 'deny') return;
      expect(body.trimStart()).toMatch(/^\/anode[^\S\n]+(?:approve|deny|reject)[^\S\n]+`?[0-9a-f]{16}/i);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [
    '@anode fxi!?',
    '"fxi" is not a command, so nothing was started. Did you mean `/anode fix`? If it is the task itself, write `/anode task fxi`.',
  ],
  ['/anode reveiw', '`/anode reveiw` is not a command. Did you mean `/anode review`?'],
  [`/anode ${'x'.repeat(41)}*<b>`, `\`/anode ${'x'.repeat(40)}\` is not a command.`],
  ['/anode dö_1-[é]', '`/anode dö_1-é` is not a command.'],
  [`@anode deny \`${hash}\` no`, `Type it as a command: \`/anode deny ${hash}\`.`],
  ['/anode answer blue', 'No question waits for an answer on this thread.'],
  ['/anode ask', '`ask` needs words behind it.'],
  ['@anode ask', '`ask` needs words behind it.'],
  ['@anode do', '`task` needs words behind it.'],
  ['/anode implement', '`implement` works on issues only.'],
])('%j is answered with %j', (body, note) => {
  expect(read(body)).toEqual({ kind: 'help', text: '', note });
});

test('a decision without a hash asks what waits, and more words make a task', () => {
  const list = { kind: 'help', text: '', note: null, about: 'approvals' };
  const problem = '`deny` needs the hash in my comment: 16 digits and letters from a to f.';
  const asks = [
    '@anode approve',
    '@anode, Approve this plan.',
    '@anode reject it',
    '/anode deny',
    '/anode approve',
  ];
  expect(asks.map((body) => read(body))).toEqual(asks.map(() => list));
  expect(read('/anode deny it')).toEqual({ ...list, note: problem });
  const tasks = ['@anode reject invalid emails', '@anode approve the plan of #5', '@anode explain'];
  expect(tasks.map((body) => read(body).kind)).toEqual(['task', 'task', 'task']);
  // While a question waits it may be the answer.
  const waiting = { question: '?', options: [], allow_freeform: true, required: true, questions: [] };
  expect(readCommand('@anode approve', 'issue', { ...settings, waiting }).kind).toBe('answer');
});

test('a hash has 16 hexadecimal digits and is a separate word, with or without backticks', () => {
  const upper = hash.toUpperCase();
  expect(
    [
      hash,
      `\`${hash}\``,
      `${upper} no`,
      `${hash}\nno`,
      `${hash}0`,
      hash.slice(1),
      `x${hash}`,
      `${hash}.`,
      `g${hash.slice(1)}`,
    ].map(hashIn),
  ).toEqual([hash, hash, hash, hash, null, null, null, null, null]);
});

test('a single word of 3 to 20 letters may be a misspelt verb', () => {
  expect(
    ['@anode fi', '@anode tas', `@anode ${'implement'.padEnd(21, 't')}`].map((body) => read(body).kind),
  ).toEqual([...['task', 'help', 'task']]);
  // Only what decides takes a hash.
  expect(read(`@anode review ${hash}`)).toEqual({ kind: 'task', text: `review ${hash}`, note: null });
  // While a question waits it may be the answer.
  const waiting = { question: '?', options: [], allow_freeform: true, required: true, questions: [] };
  expect(readCommand('@anode fxi', 'issue', { ...settings, waiting })).toEqual({
    ...{ kind: 'answer', text: 'fxi', note: null },
  });
});

test('text on the next line belongs to a mention, but a bare command gets help', () => {
  expect(['/anode', '/anode help', '@anode', '@anode   '].map((body) => read(body))).toEqual(
    Array.from({ length: 4 }, () => ({ kind: 'help', text: '', note: null })),
  );
  expect(
    [
      '/anode fix  \n\n a -i ',
      '/anode review\nturns=2',
      '@anode\nfix',
      '@anode, tidy\n\nup',
      '/anode retry it',
    ].map((body) => read(body)),
  ).toEqual([
    { kind: 'fix', text: 'a -i', note: null },
    { kind: 'review', text: 'turns=2', note: null },
    { kind: 'task', text: 'fix', note: null },
    { kind: 'task', text: 'tidy\n\nup', note: null },
    { kind: 'retry', text: '', note: null },
  ]);
});
