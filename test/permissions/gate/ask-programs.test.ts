import { describe, expect, it, test } from 'vitest';
import type { Grant } from '../../../src/contract/decision.ts';
import type { Hook } from '../../../src/contract/hooks.ts';
import {
  type AskProgram,
  afterHookText,
  programReply,
  questionOf,
  resolveAnswer,
} from '../../../src/permissions/gate/ask-programs.ts';
import { decide } from '../../../src/permissions/gate/gate.ts';
import { bashCall, pathCall, policy } from '../gate-fixtures.ts';

const answer = (exitCode: number | null, stderr = '', problem: string | null = null) => ({
  ...{ exitCode, stderr, problem },
});
const settle = (...of: Parameters<typeof answer>) => resolveAnswer('check.sh', 'the rule 2', answer(...of));
const settlePart = (...of: Parameters<typeof answer>) =>
  resolveAnswer('check.sh', 'the rule 2', answer(...of), 'rm a');

test("a program's reply is appended as a sentence and truncated", () => {
  expect([
    programReply(answer(0, ' \n')),
    programReply(answer(0, ' no \n')),
    programReply(answer(0, 'x'.repeat(2_000))),
    programReply(answer(0, 'x'.repeat(2_001))),
  ]).toEqual(['', ' no', ` ${'x'.repeat(2_000)}`, ` ${'x'.repeat(2_000)}…`]);
});

test('exit code 0 allows, 1 asks, and every other code rejects', () => {
  expect([settle(0), settle(1, 'Ask Ada.'), settle(2), settle(null), settle(-1)]).toEqual([
    { action: 'allow', reason: '`check.sh` allows it, asked by the rule 2.' },
    { action: 'ask', reason: '`check.sh` wants a person to be asked, asked by the rule 2. Ask Ada.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
    { action: 'reject', reason: '`check.sh` rejects it, asked by the rule 2.' },
  ]);
});

test('the program is named the command only if it decides on a part of a script', () => {
  expect([settlePart(0), settlePart(1, 'Ask Ada.'), settlePart(2)]).toEqual([
    { action: 'allow', reason: '`rm a` is allowed, says `check.sh` for the rule 2.' },
    {
      action: 'ask',
      reason: '`rm a` needs the agreement of a person, says `check.sh` for the rule 2: Ask Ada.',
    },
    { action: 'reject', reason: '`rm a` is rejected, says `check.sh` for the rule 2.' },
  ]);
});

test('a program without an answer permits nothing, whatever its exit code', () => {
  const why = '`check.sh`, which the rule 2 names, took too long, and without its answer nothing is done.';
  expect([settle(0, '', 'took too long'), settlePart(0, 'wait', 'took too long')]).toEqual([
    { action: 'reject', reason: why },
    { action: 'reject', reason: `\`rm a\` is rejected: ${why} wait` },
  ]);
});

test('a program receives the arguments, the diff and the command', () => {
  const input = { command: 'rm a', diff: 'given' };
  expect([
    questionOf({ input }),
    questionOf({ input, diff: '' }),
    questionOf({ input, diff: '+a' }),
    questionOf({ input }, 'rm a'),
  ]).toEqual([input, input, { ...input, diff: '+a' }, { ...input, command_part: 'rm a' }]);
});

const hook = (name: string, tool = '*'): Hook => ({ name, tool, run: `ci/${name}.sh` });

/** Answers by the name of the hook, or the program of a rule, and records the calls. */
function answering(exits: Readonly<Record<string, number | null>>) {
  const asked: string[] = [];
  const ask: AskProgram = async ({ program }) => {
    const name = program.name ?? program.run;
    asked.push(name);
    return { exitCode: exits[name] === undefined ? 0 : exits[name], stderr: 'words\n', problem: null };
  };
  return { ask, asked };
}

describe('hooks before a call', () => {
  const rules = [
    { tool: 'bash', matches: { command: 'npm *' }, action: 'reject' as const },
    { tool: 'bash', matches: { command: 'deploy *' }, action: 'ask' as const },
    { tool: 'bash', matches: { command: 'judge *' }, action: 'delegate' as const, to: 'judge' },
  ];

  it.each([
    ['ls', 0, 'allow'],
    ['ls', 1, 'ask'],
    ['ls', 2, 'reject'],
    ['ls', null, 'reject'],
    ['deploy a', 0, 'ask'],
    ['deploy a', 2, 'reject'],
    ['npm publish', 0, 'reject'],
    ['npm publish', 1, 'reject'],
  ])('make a verdict stricter but never less strict: %s with exit %s is %s', async (command, exit, action) => {
    const { ask } = answering({ one: exit });
    expect(await decide(bashCall(command), policy({ rules }), ask, [hook('one')])).toMatchObject({ action });
  });

  it('run in order until one rejects, and that one decides', async () => {
    const { ask, asked } = answering({ two: 1, three: 2, judge: 2 });
    const hooks = ['one', 'two', 'three', 'four'].map((name) => hook(name));
    const decision = await decide(bashCall('judge a'), policy({ rules }), ask, hooks);
    expect([decision.rule, decision.reason, asked]).toEqual([
      'hook 3 (three)',
      '`ci/three.sh` rejects it, asked by hook 3 (three). words',
      ['one', 'two', 'three'],
    ]);
  });

  it('run before the program of a rule', async () => {
    const { ask, asked } = answering({ one: 1 });
    const decision = await decide(bashCall('judge a'), policy({ rules }), ask, [hook('one')]);
    expect([decision.action, decision.rule, asked]).toEqual(['ask', 'hook 1 (one)', ['one', 'judge']]);
  });

  it('run for calls of the tools they name, and for shell sessions if they name bash', async () => {
    const { ask, asked } = answering({});
    const hooks = [
      ...[hook('bash', 'bash'), hook('edits', '/^edit_/'), hook('reads', 'read')],
      hook('files', 'mcp__files__*'),
    ];
    await decide(pathCall('edit_file', 'write', 'a.txt'), policy(), ask, hooks);
    await decide({ ...bashCall('ls'), tool: 'shell_session' }, policy(), ask, hooks);
    await decide(
      { ...bashCall(''), tool: 'mcp__Files__Delete', targets: { what: '' } },
      policy(),
      ask,
      hooks,
    );
    expect(asked).toEqual(['edits', 'bash', 'files']);
  });

  it('ask a question that no grant answers', async () => {
    const grants: Grant[] = [
      { hash: 'h', permissions: [{ tool: 'bash', action: 'allow' }], reason: '', by: 'ada', head_sha: null },
    ];
    const { ask } = answering({ one: 1 });
    const by = async (hooks: Hook[]) =>
      (await decide(bashCall('deploy a'), policy({ rules, grants }), ask, hooks)).action;
    expect([await by([]), await by([hook('one')])]).toEqual(['allow', 'ask']);
  });

  it('cannot lift hard denies and do not run for them', async () => {
    const { ask, asked } = answering({});
    const hooks = [hook('one')];
    const calls = [
      pathCall('edit_file', 'write', '.github/anode.yml'),
      pathCall('edit_file', 'write', '../outside'),
      pathCall('read', 'read', 'home/.ssh/id_rsa'),
      bashCall('cat ~/.netrc'),
    ];
    const decided = await Promise.all(calls.map((call) => decide(call, policy(), ask, hooks)));
    expect([decided.map(({ action, hard }) => [action, hard]), asked]).toEqual([
      Array(4).fill(['reject', true]),
      [],
    ]);
  });
});

describe('notes of after-hooks', () => {
  it.each([
    [{ exitCode: 0, stderr: 'said', problem: null }, null],
    [{ exitCode: 1, stderr: '', problem: null }, null],
    [
      { exitCode: 1, stderr: 'said\n', problem: null },
      { text: '[hook 1 notes: said]', objects: false },
    ],
    [
      { exitCode: 2, stderr: '', problem: null },
      { text: '[hook 1: the call was made, and `lint` objects to its result.]', objects: true },
    ],
    [
      { exitCode: null, stderr: 'half', problem: 'was ended by SIGKILL' },
      { text: '[hook 1: the call was made, but `lint` was ended by SIGKILL. half]', objects: true },
    ],
  ])('give a note, an objection or nothing (%#)', (answer, note) => {
    expect(afterHookText('lint', 'hook 1', answer)).toEqual(note);
  });

  it('are cut after 2,000 characters', () => {
    const note = afterHookText('lint', 'hook 1', { exitCode: 1, stderr: 'x'.repeat(9_000), problem: null });
    expect(note?.text).toBe(`[hook 1 notes: ${'x'.repeat(2_000)}…]`);
  });
});
