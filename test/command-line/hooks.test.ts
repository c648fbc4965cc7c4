import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

vi.setConfig({ maxConcurrency: 3 });

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const canary = 'canary-of-the-linter-8d1f';

/** Rejects what names a deployment, and nothing else. */
const judge = '#!/bin/sh\nif grep -q deploy; then echo "no deployments on Fridays" >&2; exit 2; fi\n';

/** A run that makes these calls in one turn each, with a configuration in the checkout. */
async function run(name: string, config: string, files: Tree, ...turns: (readonly ScriptedCall[])[]) {
  const results: string[] = [];
  local.learn(name, (turn, request) => {
    if (turn > 1) results.push(lastResults(request));
    const calls = turns[turn - 1];
    return calls === undefined ? { text: 'Done.' } : { calls };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n', '.github/anode.yml': config, ...files });
  const { stdout, stderr } = await local.anode(
    folder,
    ['run', '--prompt', name, '--config', '.github/anode.yml', '--sandbox', 'required', '--output', 'json'],
    { environment: { LINT_TOKEN: canary } },
  );
  const report = JSON.parse(stdout);
  const ledger = await readFile(path.join(folder, '.anode-harness', report.run_id, 'ledger.jsonl'), 'utf8');
  const sent = local.requestsFor(name).map(allTextOf).join('\n');
  return { results, refusals: report.refusals, stderr, ledger, sent, stdout };
}

describe.skipIf(!available)('hooks of a run', () => {
  test.concurrent('run for every call: direct, through use_tool, and in a child run', async () => {
    const config = "hooks: { before: [{ name: friday, tool: '*', run: ci/judge.sh }] }";
    const inner = { path: 'a.txt', insert_line: 0, insert_text: 'deploy\n' };
    // A review is a child run.
    local.learn('where the child looks', (turn) =>
      turn === 1 ? { calls: [call('grep', { pattern: 'deploy' })] } : { text: 'Nowhere.' },
    );
    const { results, refusals } = await run('make calls', config, { 'ci/judge.sh': judge }, [
      call('code_review', { diff_description: 'where the child looks' }),
      call('bash', { command: 'echo deploy' }),
      call('bash', { command: 'echo fine' }),
      call('use_tool', { name: 'insert_text', args: inner }),
    ]);
    expect(results).toEqual([expect.stringContaining('fine')]);
    expect(refusals).toEqual(
      [
        ['grep', '"deploy" in .'],
        ['bash', 'echo deploy'],
        ['insert_text', 'a.txt'],
      ].map(([tool, what]) => ({
        tool,
        what,
        reason:
          '`ci/judge.sh` rejects it, asked by hook 1 (friday), .github/anode.yml. no deployments on Fridays',
        call_id: expect.any(String),
      })),
    );
  });

  test.concurrent('run for the calls inside a batch under their own names', async () => {
    const config = 'hooks: { before: [{ tool: edit_file, run: ci/judge.sh }] }';
    const edit = (to: string) => ({
      tool: 'edit_file',
      args: { path: 'a.txt', old_str: 'red', new_str: to },
    });
    const { results, refusals } = await run('make a batch', config, { 'ci/judge.sh': judge }, [
      call('batch', { calls: [edit('deploy'), { tool: 'read', args: { path: 'a.txt' } }] }),
    ]);
    expect([results.join().includes('no deployments'), refusals.length]).toEqual([true, 1]);
  });

  test.concurrent('get results, add a note or an objection, and see what the model sees', async () => {
    const config = [
      'hooks:',
      '  after:',
      '    - { name: lint, tool: edit_file, run: ci/lint.sh }',
      '    - { name: note, tool: bash, run: ci/note.sh }',
      '    - { name: calm, tool: "*", run: "true" }',
    ].join('\n');
    const files = {
      'ci/lint.sh': `grep -q '"result":{"ok":true' && grep -q blue "$AGENT_WORKSPACE/a.txt" && echo "blue is not allowed" >&2; exit 2\n`,
      'ci/note.sh': 'grep -o \'"content":"[^"]*"\' >&2; exit 1\n',
    };
    const { results, stderr, ledger } = await run('make edits', config, files, [
      call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' }),
      call('bash', { command: `printf 'out of ${localSecretLike}'` }),
      call('bash', { command: 'cat missing' }),
    ]);
    const objection =
      '[hook 1 (lint), .github/anode.yml:3: the call was made, and `ci/lint.sh` objects to its result. blue is not allowed]';
    expect(results[0]).toContain(objection);
    expect(results[0]).toContain('[hook 2 (note), .github/anode.yml:4 notes: "content":"out of ');
    expect(results[0]).not.toContain('(calm)');
    expect([stderr.includes('blue is not allowed'), ledger.includes('blue is not allowed')]).toEqual([
      true,
      true,
    ]);
    expect(`${results[0]}${ledger}`).not.toContain(localSecretLike);
  });

  test.concurrent('can get a secret that nothing else of the run finds', async () => {
    const config = [
      'hooks: { before: [{ name: lint, tool: bash, run: ci/lint.sh }] }',
      "env: { pass: { 'hook:lint': [LINT_TOKEN] } }",
    ].join('\n');
    const lint =
      'case "$(cat)" in *later*) ;; *) test -n "$LINT_TOKEN" && echo "given $LINT_TOKEN" >&2; exit 2;; esac; sleep 0.3\n';
    const look = "env; for d in /proc/[0-9]*; do cat $d/env* $d/cmdline | tr '\\0' '\\n'; done; echo later";
    const told = await run(
      'look around',
      config,
      { 'ci/lint.sh': lint },
      [call('bash', { command: 'ls' })],
      [call('bash', { command: look }), call('bash', { command: `${look} again` })],
    );
    expect(told.results[0]).toContain('given [redacted]');
    expect(told.results[1]).toContain('later again');
    expect(told.results[1]).not.toContain('LINT_TOKEN');
    expect(`${told.sent}${told.ledger}${told.stdout}${told.stderr}`).not.toContain(canary);
  });
});

/** What has the form of a token is taken out of results, before hooks see them too. */
const localSecretLike = `ghp_${'a1B2'.repeat(9)}`;

test("anode policy runs a run's hooks, lists them, and warns of useless ones", async () => {
  const folder = await local.checkout({
    'a.txt': 'red\n',
    judge: 'cat >&2; exit 2\n',
    '.github/anode.yml': [
      'hooks: { before: [{ name: freeze, tool: bash, run: ./judge }, { tool: bassh, run: ./judge }] }',
      'permissions: { rules: [{ tool: bash, action: allow }, { tool: grep, action: delegate, to: ./judge now }] }',
      "env: { pass: { 'hook:freze': [A], 'hook:freeze': [A], 'delegate:./judge': [A], 'hook:undefined': [A], bash: [A] } }",
    ].join('\n'),
  });
  const policy = (...args: string[]) =>
    local.anode(folder, ['policy', ...args, '--policy', '.github/anode.yml']);
  const checked = await policy('check', '--tool', 'bash', '--json', '{"command":"ls"}');
  expect(checked.stdout.split('\n').slice(0, 3)).toEqual([
    'reject',
    '  by hook 1 (freeze), .github/anode.yml:1',
    expect.stringContaining('hook 1 (freeze), .github/anode.yml:1. {"command":"ls"'),
  ]);
  expect(checked.stderr.split('\n')).toEqual([
    '! hook 2 (./judge), .github/anode.yml:1: it can never match: there is no tool bassh. Did you mean bash?',
    '! env.pass: there is no hook:freze to give variables to.',
    '! env.pass: there is no hook:undefined to give variables to.',
    '! env.pass: there is no bash to give variables to.',
    '',
  ]);
  const read = await policy('check', '--tool', 'read', '--json', '{"path":"a.txt"}');
  expect(read.stdout).toMatch(/^allow/);
  const explained = await policy('explain');
  expect(explained.stdout).toContain(
    'after it, they add to its result\n   before 1  bash   ./judge  freeze, .github/anode.yml:1\n',
  );
});
