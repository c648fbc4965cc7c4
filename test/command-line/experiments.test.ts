import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import type { ScriptedCall } from '../support/model/script.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const config =
  "permissions: { rules: [{ tool: bash, matches: { command: 'cat secret*' }, action: reject }] }";

describe.skipIf(!available)('experiments of a run', () => {
  test('run in the sandbox under the rules for bash, are committed and reported', async () => {
    const use = (name: string, args: ScriptedCall['input']) => call('use_tool', { name, args });
    const calls = [
      use('init_experiment', {
        name: 'exa',
        primary_metric: 'ms',
        direction: 'lower',
        command: 'echo METRIC ms=$(cat speed.txt)',
      }),
      use('run_experiment', { command: 'cat secret.txt' }),
      use('run_experiment', {}),
      use('log_experiment', { status: 'baseline' }),
      call('create_file', { path: 'speed.txt', content: '20\n', overwrite: true }),
      use('run_experiment', {}),
      use('log_experiment', { status: 'keep', commit_message: 'Halve it' }),
      call('bash', { command: 'echo 99 > speed.txt; echo x > more.txt; chmod +x base.sh' }),
      use('run_experiment', {}),
      use('log_experiment', { status: 'discard', description: 'worse' }),
      call('bash', { command: 'git log --format=%an:%s; git status --short; ls; test -x base.sh; echo $?' }),
    ];
    const results: string[] = [];
    local.learn('make it fast', (turn, request) => {
      if (turn > 1) results.push(lastResults(request));
      const next = calls[turn - 1];
      return next === undefined ? { text: 'Done.' } : { calls: [next] };
    });
    const folder = await local.checkout({
      'speed.txt': '40\n',
      'base.sh': 'true\n',
      'secret.txt': 'METRIC ms=1\n',
      '.github/anode.yml': config,
    });
    const { stdout } = await local.anode(folder, [
      ...['run', '--prompt', 'make it fast', '--config', '.github/anode.yml'],
      ...['--sandbox', 'required', '--preset', 'careful', '--output', 'json'],
    ]);
    const report = JSON.parse(stdout);
    expect(results[1]).toContain('Refused: `cat secret.txt` is rejected by rule 1');
    expect(results.at(-2)).toContain('Put back: base.sh, more.txt, speed.txt.');
    expect(results.at(-1)).toBe('Anode CI:Halve it\nada:Start\nbase.sh\nsecret.txt\nspeed.txt\n1');
    expect(report.changes.map((one: { path: string; kind: string }) => `${one.kind} ${one.path}`)).toEqual([
      'modify speed.txt',
    ]);
    expect((await local.git(folder, 'log', '--format=%s')).trim()).not.toContain('Halve it');
    const runs = readdirSync(path.join(folder, '.anode-harness')).filter((name) => name.startsWith('run_'));
    const { shown } = JSON.parse(
      readFileSync(path.join(folder, '.anode-harness', runs[0] ?? '', 'outcome.json'), 'utf8'),
    );
    expect(shown).toEqual([
      { render_spec: expect.anything() },
      {
        chart: {
          type: 'line',
          title: 'exa: ms by run',
          points: [
            { label: '1 baseline', value: 40 },
            { label: '2 keep', value: 20 },
            { label: '3 discard', value: 99 },
          ],
          width: 60,
        },
      },
    ]);
  });
});
