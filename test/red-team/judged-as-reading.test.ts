// biome-ignore-all lint/suspicious/noTemplateCurlyInString: bash writes its variables so
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

/** Each changes `victim`, or makes `owned`, if it is run as it would be without a doubt about its words. */
const attacks = [
  "echo ${PATH:'x[$(touch owned)]'}",
  "for a in 'x[$(touch owned)]'; do echo ${HOME:a}; done",
  "a='x[$(touch owned)]'; echo $((a))",
  "[ -v 'x[$(touch owned)]' ]",
  'awk B*',
  'sed t* victim',
  "git grep -1O'touch owned;' safe",
  "printf 'x%n' PATH; git status",
  ': {HOME}</dev/null; git diff',
  'cat evil <victim >/dev/stdin',
  'cat evil 3<victim >/dev/fd/3',
  'cat evil 1<victim >/dev/stdout',
  'uniq - victim <evil',
  'python3 -v <owner.py',
  'python3 version',
  'npm ls --logs-dir=owned',
];
const harmless = [
  'echo $PATH',
  'cat victim',
  'git grep -1 safe',
  'uniq evil',
  'for a in b; do echo $a; done',
];

const tree = {
  victim: 'safe\n',
  evil: 'owned\n',
  'BEGIN{system("touch owned")}': 'a\n',
  'tx;w owned': 'a\n',
  'owner.py': 'open("owned", "w")\n',
  version: 'open("owned", "w")\n',
  'hook.sh': '#!/bin/sh\necho owned >owned; echo owned >victim; echo done\n',
  'rules.yml':
    'permissions: { preset: strict, rules: [{ tool: bash, matches: { command: [echo *, "[ *", "a=*", awk *, sed *, git *, printf *, ": *", cat *] }, action: allow }] }\n',
};

let local: Local;

/** What came of these commands, one call each, and whether the checkout is as before. */
async function run(words: string, commands: readonly string[], ...args: string[]) {
  const checkout = await local.checkout(tree);
  await local.git(checkout, 'update-index', '--chmod=+x', 'hook.sh');
  await local.git(checkout, 'checkout', '-q', '--', '.');
  local.learn(words, (turn) =>
    commands[turn - 1] === undefined
      ? { text: 'Done.' }
      : { calls: [call('bash', { command: commands[turn - 1] ?? '' })] },
  );
  const options = ['--prompt', words, '--sandbox', 'required', '--max-turns', '40', '--output', 'json'];
  const ended = await local.anode(checkout, ['run', ...options, ...args]);
  const results = local
    .requestsFor(words)
    .slice(1)
    .map(({ messages }) => messages.at(-1)?.parts.at(0));
  const owned = existsSync(path.join(checkout, 'owned'));
  return {
    code: ended.code,
    refused: results.map((one) => JSON.stringify(one).includes('Refused: ')),
    said: results.map((one) => JSON.stringify(one)),
    harm: [owned, readFileSync(path.join(checkout, 'victim'), 'utf8')],
  };
}
const unharmed = [false, 'safe\n'];

describe.skipIf(!available)('scripts that only seem to read', () => {
  beforeAll(async () => {
    local = await startLocal();
  });
  afterAll(() => local.close());

  test('are allowed by no rule of a strict run, unlike harmless ones', async () => {
    const { said: _, ...ended } = await run('try them', [...attacks, ...harmless], '--config', 'rules.yml');
    expect(ended).toEqual({
      code: 0,
      refused: [...attacks.map(() => true), false, false, false, true, false],
      harm: unharmed,
    });
  });

  test('can write nothing if a setting makes them run a program', async () => {
    const { said, harm } = await run('look around', [
      'git config diff.external ./hook.sh && echo x >>evil',
      'git diff',
    ]);
    expect(said[1]).toMatch(/Read-only file system.*Read-only file system.*done/s);
    expect(harm).toEqual(unharmed);
  });

  test('in the first call of a run do not change the baseline', async () => {
    const write = "echo ${PATH:'x[$(mkdir -p .github/workflows; echo a >.github/workflows/ci.yml)]'}";
    const { said, harm } = await run('begin', [write, 'ls .github/workflows']);
    expect([said[0], said[1], harm]).toEqual([
      expect.stringContaining('.github/workflows/ci.yml'),
      expect.not.stringContaining('"ci.yml'),
      unharmed,
    ]);
  });
});
