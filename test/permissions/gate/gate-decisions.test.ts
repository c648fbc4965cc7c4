import { expect, test } from 'vitest';
import type { Hook } from '../../../src/contract/hooks.ts';
import {
  type AskProgram,
  afterHookText,
  askHooks,
  describeHook,
  hooksFor,
  programReply,
  questionOf,
  resolveAnswer,
} from '../../../src/permissions/gate/ask-programs.ts';
import { decide, decideCall } from '../../../src/permissions/gate/gate.ts';
import { bashCall, decided, pathCall, policy } from '../gate-fixtures.ts';

const rules = [
  { tool: 'bash', matches: { command: 'deploy *' }, action: 'ask' as const },
  { tool: 'bash', matches: { command: 'judge *' }, action: 'delegate' as const, to: 'judge.sh' },
  { tool: 'bash', matches: { command: 'nobody *' }, action: 'delegate' as const },
  { tool: 'bash', matches: { command: 'never *' }, action: 'reject' as const },
  { tool: 'bash', matches: { command: 'always *' }, action: 'allow' as const },
];
const named = {
  ask: 'rule 1 (bash, command "deploy *")',
  judge: 'rule 2 (bash, command "judge *")',
  nobody: 'rule 3 (bash, command "nobody *")',
  never: 'rule 4 (bash, command "never *")',
  always: 'rule 5 (bash, command "always *")',
};

test('a decision names the first of the strictest parts of a script and lists all parts', () => {
  expect(decided(bashCall('always a; deploy b; deploy c'), { rules })).toEqual({
    action: 'ask',
    level: 'confirm_execute',
    reason: `\`deploy b\` needs the agreement of a person by ${named.ask}.`,
    rule: named.ask,
    hard: false,
    commands: [
      { command: 'always a', action: 'allow', reason: `\`always a\` is allowed by ${named.always}.` },
      {
        command: 'deploy b',
        action: 'ask',
        reason: `\`deploy b\` needs the agreement of a person by ${named.ask}.`,
      },
      {
        command: 'deploy c',
        action: 'ask',
        reason: `\`deploy c\` needs the agreement of a person by ${named.ask}.`,
      },
    ],
  });
  expect(decided(bashCall('deploy b; never c; nobody d'), { rules })).toMatchObject({
    ...{
      action: 'reject',
      rule: named.never,
      reason: `\`never c\` is rejected by ${named.never}.`,
      hard: false,
    },
  });
  expect(decided(bashCall('nobody d'), { rules })).toEqual({
    ...{ action: 'reject', level: 'confirm_execute', rule: named.nobody, hard: false },
    reason: `${named.nobody} delegates without naming a program in \`to\`.`,
    commands: [
      {
        command: 'nobody d',
        action: 'reject',
        reason: `${named.nobody} delegates without naming a program in \`to\`.`,
      },
    ],
  });
  expect(decided(pathCall('read', 'read', 'a'))).toEqual({
    ...{ action: 'allow', level: 'auto_read', rule: null, hard: false, commands: [] },
    reason: '`a` would only be read; the preset careful allows that.',
  });
});

test('hard denies and foreign start folders are reported without parts', () => {
  const elsewhere = bashCall('ls', { input: { command: 'ls', cwd: '../x' } });
  expect([decided(bashCall('cat ~/.netrc')), decided(elsewhere)]).toEqual([
    {
      ...{ action: 'reject', level: 'confirm_execute', rule: null, hard: true, commands: [] },
      reason: expect.stringMatching(/\S/),
    },
    {
      ...{ action: 'reject', level: 'confirm_execute', rule: null, hard: true, mistake: true, commands: [] },
      ...{ reason: expect.stringMatching(/\S/), advice: expect.stringMatching(/^Leave the folder out/) },
    },
  ]);
  const both = bashCall('cat ~/.netrc', { input: { command: 'cat ~/.netrc', cwd: '../x' } });
  expect(decided(both)).toEqual(decided(bashCall('cat ~/.netrc')));
});

test('a read-only run and the ceiling on commands explain why a changing call is refused', () => {
  const output = (change: Parameters<typeof decided>[1], command = 'npm test') => {
    const { action, reason, rule, hard } = decided(bashCall(command), change);
    return [action, reason, rule, hard];
  };
  const cure = 'and runs nothing but commands that are known to read.';
  expect([
    output({ readOnly: true }),
    output({ commandCeiling: 'strangers are read only' }),
    output({ readOnly: true, commandCeiling: 'strangers are read only' }),
    output({ readOnly: true }, 'ls'),
  ]).toEqual([
    ['reject', `\`npm test\` is not known to read only; this run may only read, ${cure}`, null, true],
    ['reject', `\`npm test\` is not known to read only; strangers are read only, ${cure}`, null, true],
    ['reject', `\`npm test\` is not known to read only; this run may only read, ${cure}`, null, true],
    ['allow', '`ls` only reads; the preset careful allows that.', null, false],
  ]);
});

test('refusals and questions of a preset name the effect to people, and to the model an alternative', () => {
  const reason = (command: string, change: Parameters<typeof decided>[1] = {}) => {
    const { reason: told, advice } = decided(bashCall(command), change);
    return [told.slice(told.indexOf('`', 1) + 2), advice ?? ''].join(' | ');
  };
  expect([
    reason('rm -rf a'),
    reason('git reset --hard'),
    reason('git clean -fd'),
    reason('npm publish'),
    reason('git push --force'),
    reason('sudo ls'),
    reason('dd if=a of=/dev/sda'),
    reason('wget u', { sandboxed: false }),
    reason('wget u', { preset: 'strict' }),
    reason('wget u', { preset: 'strict', sandboxed: false }),
  ]).toEqual([
    'deletes folders without asking; the preset careful refuses that. | Delete the files by their names, without `-f`: the run stores their content, except for files that git ignores.',
    'throws away uncommitted work; the preset careful refuses that. | Take back your own edits file by file, with the edit tools.',
    'deletes untracked files; the preset careful refuses that. | Delete the files you made by their names.',
    'publishes to the world; the preset careful refuses that. | Say in your answer that a person should publish, and what.',
    'overwrites or deletes what others have pushed; the preset careful refuses that. | What the run changed is published at its end; say in your answer what else a person should push.',
    'runs as another user; the preset careful refuses that. | Run it without them, or say in your answer what a person should do.',
    'overwrites the file named by `of=`; the preset careful refuses that. | Use something narrower, or say in your answer what a person should do.',
    "is not known to read only; the preset careful requires a person's approval without a sandbox. A rule can allow it. | ",
    "is not known to read only; the preset strict requires a person's approval. A rule can allow it. | ",
    "is not known to read only; the preset strict requires a person's approval. A rule can allow it. | ",
  ]);
});

test('a grant lifts a question but no refusal', () => {
  const grants = [
    {
      hash: 'abc',
      permissions: [{ tool: 'bash', action: 'allow' as const }],
      reason: '',
      by: 'ada',
      head_sha: null,
    },
  ];
  expect([
    decided(bashCall('deploy a'), { rules, grants }),
    decided(bashCall('never a'), { rules, grants }).action,
  ]).toEqual([
    {
      ...{ action: 'allow', level: 'confirm_execute', rule: named.ask, hard: false },
      reason: '`deploy a` was granted by ada for this session (abc).',
      commands: [
        {
          command: 'deploy a',
          action: 'allow',
          reason: '`deploy a` was granted by ada for this session (abc).',
        },
      ],
    },
    'reject',
  ]);
});

test('an unreadable script is rejected with a correction unless a rule rejects a part of it', () => {
  const broken = (first: string) => decided(bashCall(`${first}\nls &&& x`), { rules });
  const { action, rule, mistake, reason } = broken('deploy a');
  expect([action, rule, mistake, reason.startsWith('Syntax error in line 2: ')]).toEqual([
    'reject',
    null,
    true,
    true,
  ]);
  const { mistake: none, ...rejected } = broken('never a');
  expect([rejected.rule, none]).toEqual([named.never, undefined]);
});

/** A program that answers by the part in question, and records each question. */
function program(exits: Readonly<Record<string, number>>) {
  const asked: (string | undefined)[] = [];
  const ask: AskProgram = async ({ part, program: { name, run } }) => {
    asked.push(part ?? name ?? run);
    return { exitCode: exits[part ?? name ?? run] ?? 0, stderr: '', problem: null };
  };
  return { ask, asked };
}

test('a program makes a decision stricter, and its answer is stored with each part it decided', async () => {
  const of = async (script: string, exits: Readonly<Record<string, number>>, hooks: Hook[] = []) => {
    const { ask, asked } = program(exits);
    const { action, reason, rule, commands } = await decide(bashCall(script), policy({ rules }), ask, hooks);
    return [action, reason, rule, commands.map((one) => one.action), asked];
  };
  const says = (part: string, verb: string) => `\`${part}\` ${verb}, says \`judge.sh\` for ${named.judge}.`;
  const hook = { name: 'lint', tool: '*', run: 'lint.sh' };
  expect([
    await of('judge a', {}),
    await of('judge a; judge b', { 'judge a': 1 }),
    await of('judge a; judge b; judge c', { 'judge b': 2 }),
    await of('deploy a; judge b', { 'judge b': 1 }),
    await of('deploy a; judge b', {}),
    await of('deploy a; judge b', { 'judge b': 2 }),
    await of('never a; judge b', {}),
    await of('deploy a; judge b', { lint: 1 }, [hook]),
    await of('always a; judge b', { lint: 1 }, [hook]),
    await of('never a', { lint: 2 }, [hook]),
  ]).toEqual([
    ['allow', says('judge a', 'is allowed'), named.judge, ['allow'], ['judge a']],
    [
      'ask',
      says('judge a', 'needs the agreement of a person'),
      named.judge,
      ['ask', 'allow'],
      ['judge a', 'judge b'],
    ],
    [
      'reject',
      says('judge b', 'is rejected'),
      named.judge,
      ['allow', 'reject', 'allow'],
      ['judge a', 'judge b'],
    ],
    [
      'ask',
      `\`deploy a\` needs the agreement of a person by ${named.ask}.`,
      named.ask,
      ['ask', 'ask'],
      ['judge b'],
    ],
    [
      'ask',
      `\`deploy a\` needs the agreement of a person by ${named.ask}.`,
      named.ask,
      ['ask', 'allow'],
      ['judge b'],
    ],
    ['reject', says('judge b', 'is rejected'), named.judge, ['ask', 'reject'], ['judge b']],
    ['reject', `\`never a\` is rejected by ${named.never}.`, named.never, ['reject', 'allow'], []],
    [
      'ask',
      `\`deploy a\` needs the agreement of a person by ${named.ask}.`,
      named.ask,
      ['ask', 'allow'],
      ['lint', 'judge b'],
    ],
    [
      'ask',
      '`lint.sh` wants a person to be asked, asked by hook 1 (lint).',
      'hook 1 (lint)',
      ['allow', 'allow'],
      ['lint', 'judge b'],
    ],
    ['reject', '`lint.sh` rejects it, asked by hook 1 (lint).', 'hook 1 (lint)', ['reject'], ['lint']],
  ]);
});

test('a program decides on at most twenty parts of a script, and on any other call once', async () => {
  const script = (count: number) => Array.from({ length: count }, (_, index) => `judge ${index}`).join('; ');
  const { ask, asked } = program({});
  const decision = await decide(bashCall(script(20)), policy({ rules }), ask);
  const edit = { tool: 'edit_file', action: 'delegate' as const, to: 'judge.sh' };
  const whole = await decide(pathCall('edit_file', 'write', 'a.ts'), policy({ rules: [edit] }), ask);
  expect([decision.action, asked, whole.reason]).toEqual([
    'allow',
    [...Array.from({ length: 20 }, (_, index) => `judge ${index}`), 'judge.sh'],
    '`a.ts` is allowed, says `judge.sh` for rule 1 (edit_file).',
  ]);
  expect(decideCall(bashCall('judge a'), policy({ rules }))).toEqual({
    delegate: [{ to: 'judge.sh', rule: named.judge, display: 'judge a', text: 'judge a' }],
    rest: {
      ...{ action: 'allow', level: 'confirm_execute', rule: named.judge, hard: false },
      reason: '`judge a` is for `judge.sh` to decide.',
      commands: [{ command: 'judge a', action: 'allow', reason: '`judge a` is for `judge.sh` to decide.' }],
    },
  });
});

test("a program's answer is reported for a call, for a part, and if it is missing", () => {
  const answer = (exitCode: number | null, stderr = ' words\n', problem: string | null = null) => ({
    exitCode,
    stderr,
    problem,
  });
  expect([
    ...[0, 1, 2, 127, null].map((exit) => resolveAnswer('p', 'rule 1', answer(exit))),
    ...[0, 1, 2].map((exit) => resolveAnswer('p', 'rule 1', answer(exit), 'a')),
    resolveAnswer('p', 'rule 1', answer(0, ' '), 'a'),
    resolveAnswer('p', 'rule 1', answer(0, '', 'was not found')),
    resolveAnswer('p', 'rule 1', answer(0, 'x', 'was not found'), 'a'),
  ]).toEqual([
    { action: 'allow', reason: '`p` allows it, asked by rule 1. words' },
    { action: 'ask', reason: '`p` wants a person to be asked, asked by rule 1. words' },
    ...Array(3).fill({ action: 'reject', reason: '`p` rejects it, asked by rule 1. words' }),
    { action: 'allow', reason: '`a` is allowed, says `p` for rule 1: words' },
    { action: 'ask', reason: '`a` needs the agreement of a person, says `p` for rule 1: words' },
    { action: 'reject', reason: '`a` is rejected, says `p` for rule 1: words' },
    { action: 'allow', reason: '`a` is allowed, says `p` for rule 1.' },
    {
      action: 'reject',
      reason: '`p`, which rule 1 names, was not found, and without its answer nothing is done.',
    },
    {
      action: 'reject',
      reason:
        '`a` is rejected: `p`, which rule 1 names, was not found, and without its answer nothing is done. x',
    },
  ]);
  expect([2_000, 2_001].map((length) => programReply(answer(0, `${'x'.repeat(length)}\n`)))).toEqual([
    ` ${'x'.repeat(2_000)}`,
    ` ${'x'.repeat(2_000)}…`,
  ]);
});

test('a program receives the arguments, the diff if there is one, and the part to decide on', () => {
  const input = { command: 'x' };
  expect([
    questionOf({ input }),
    questionOf({ input, diff: '' }),
    questionOf({ input, diff: '+a' }, 'b'),
    questionOf({ input }, ''),
  ]).toEqual([
    input,
    input,
    { command: 'x', diff: '+a', command_part: 'b' },
    { command: 'x', command_part: '' },
  ]);
});

test('hooks are identified by position, name or program, and file; the first of several questions counts', async () => {
  const hooks: Hook[] = [
    { tool: 'bash', run: 'a.sh', source: '.github/anode.yml:5' },
    { tool: 'other', run: 'b.sh' },
    { name: 'c', tool: '*', run: 'c.sh' },
    { name: 'd', tool: '/^(bash|x)$/', run: 'd.sh' },
  ];
  const seen: unknown[] = [];
  const printed = await askHooks(bashCall('ls'), hooks, async ({ program: { run, by, name } }) => {
    seen.push([run, by, name]);
    return { exitCode: run === 'a.sh' ? 0 : 1, stderr: '', problem: null };
  });
  expect([
    hooks.map(describeHook),
    hooksFor(hooks, bashCall('ls')).map(({ hook }) => hook.run),
    seen,
    printed,
  ]).toEqual([
    ['hook 1 (a.sh), .github/anode.yml:5', 'hook 2 (b.sh)', 'hook 3 (c)', 'hook 4 (d)'],
    ['a.sh', 'c.sh', 'd.sh'],
    [
      ['a.sh', 'hook 1 (a.sh), .github/anode.yml:5', undefined],
      ['c.sh', 'hook 3 (c)', 'c'],
      ['d.sh', 'hook 4 (d)', 'd'],
    ],
    { action: 'ask', reason: '`c.sh` wants a person to be asked, asked by hook 3 (c).', rule: 'hook 3 (c)' },
  ]);
});

test('an after-hook that objects without a message is reported as such', () => {
  const answer = (exitCode: number | null, stderr: string, problem: string | null = null) => ({
    exitCode,
    stderr,
    problem,
  });
  expect([
    afterHookText('lint', 'hook 1', answer(3, 'bad')),
    afterHookText('lint', 'hook 1', answer(null, '')),
    afterHookText('lint', 'hook 1', answer(0, '', 'was ended')),
    afterHookText('lint', 'hook 1', answer(1, ' \n')),
  ]).toEqual([
    { text: '[hook 1: the call was made, and `lint` objects to its result. bad]', objects: true },
    { text: '[hook 1: the call was made, and `lint` objects to its result.]', objects: true },
    { text: '[hook 1: the call was made, but `lint` was ended.]', objects: true },
    null,
  ]);
});
