import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal, type Tree } from '../uses/support/start-local.ts';

const evals = path.resolve(import.meta.dirname, '../../evals');
const ownTasks = readdirSync(evals).sort();

let local: Local;
let kept: string;
beforeAll(async () => {
  local = await startLocal();
  kept = await mkdtemp(path.join(os.tmpdir(), 'eval-kept-'));
});
afterAll(async () => {
  await local.close();
  await rm(kept, { recursive: true, force: true });
});

/** A folder of tasks. */
const tasks = (files: Tree) => local.plainFolder(files);
const evaluate = (folder: string, ...args: string[]) => local.anode(folder, ['eval', '.', ...args]);

/** Task, result and reason of each trial of each candidate. */
function resultsOf(stdout: string): unknown {
  const { candidates } = JSON.parse(stdout);
  return candidates.map(({ tasks: all }: { tasks: { trials: Record<string, unknown>[] }[] }) =>
    all.flatMap(({ trials }) => trials.map(({ task, result, why }) => [task, result, why])),
  );
}

const colour: Tree = {
  'paint/task.yml': 'prompt: EVAL-PAINT the wall blue.\ncheck: grep -q blue wall.txt\n',
  'paint/repo/wall.txt': 'red\n',
};
/** Paints on the first turn, unless the request names another colour. */
const paint = (to: string) => (turn: number) =>
  turn === 1
    ? { calls: [call('edit_file', { path: 'wall.txt', old_str: 'red', new_str: to })] }
    : { text: `It is ${to}.` };

describe.skipIf(!available)('the tasks of the repository', () => {
  test('fail their checks before, and pass with the reference solution', async () => {
    const { code, stdout } = await local.anode(evals, ['eval', '.', '--reference', '--json']);
    expect(resultsOf(stdout)).toEqual([ownTasks.map((name) => [name, 'passed', null])]);
    expect([code, ownTasks.length]).toEqual([0, 10]);
  });

  test('pass with a transcript, and again with the transcript that was kept of it', async () => {
    const named = ['--task', 'ask-first,fix-rounding,review-change', '--json'];
    const first = await local.anode(evals, ['eval', '.', '--transcript', '.', '--keep', kept, ...named]);
    const passed = ['ask-first', 'fix-rounding', 'review-change'].map((name) => [name, 'passed', null]);
    expect([first.code, resultsOf(first.stdout)]).toEqual([0, [passed]]);
    const trial = path.join(kept, 'transcript/ask-first/1');
    expect((await readdir(trial)).sort()).toEqual(['check.txt', 'result.json', 'runs', 'transcript.json']);
    // One run asked, and another went on with the answer.
    expect((await readdir(path.join(trial, 'runs'))).filter((name) => name.startsWith('run_'))).toHaveLength(
      2,
    );
    const again = await local.anode(evals, [
      ...['eval', '.', '--transcript', path.join(kept, 'transcript'), ...named],
    ]);
    expect([again.code, resultsOf(again.stdout)]).toEqual([0, [passed]]);
  });
});

describe.skipIf(!available)('anode eval', () => {
  test('compares prompts by a model, and leaves no folder behind', async () => {
    local.learn('Paint nothing', paint('green'));
    local.learn('EVAL-PAINT', paint('blue'));
    const folder = await tasks({ ...colour, 'other.md': 'Paint nothing. It was: {{prompt}}' });
    const before = evalFolders();
    const ended = await evaluate(folder, '--template', 'task,other.md', '--least', '50%');
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toMatch(
      /^configured model\n {2}task {3}result .*\n {2}paint {2}passed .*\n1 of 1 passed \(100 %\)/,
    );
    expect(ended.stdout).toMatch(/\nconfigured model, prompt other\.md\n.*\n.*failed/);
    expect(ended.stdout).toMatch(/\n {2}candidate +passed .*\n.*1\/1 +100 %.*\n.*0\/1 +0 %/);
    expect(ended.stderr).toContain(
      'failed paint, configured model, prompt other.md: check failed: no output',
    );
    expect(evalFolders()).toEqual(before);
  });

  test('repeats a task, and takes the least share from the option', async () => {
    let runs = 0;
    local.learn('EVAL-TIMES', (turn) => {
      if (turn === 1) runs += 1;
      return paint(runs === 1 ? 'blue' : 'green')(turn);
    });
    const folder = await tasks({
      ...{ 'paint/task.yml': 'prompt: EVAL-TIMES\ncheck: grep -q blue wall.txt\n' },
      'paint/repo/wall.txt': 'red\n',
    });
    const { code, stdout } = await evaluate(folder, '--repeat', '2', '--least', '50', '--json');
    expect([code, resultsOf(stdout)]).toEqual([
      0,
      [
        [
          ['paint', 'passed', null],
          ['paint', 'failed', 'check failed: no output'],
        ],
      ],
    ]);
    expect(JSON.parse(stdout).candidates[0]).toMatchObject({ pass_rate: 0.5, k: 2, pass_at_k: 1 });
  });

  test('refuses a task whose check passes or cannot start before the run, and calls no model', async () => {
    const folder = await tasks({
      ...{ 'done/task.yml': 'prompt: EVAL-NEVER\ncheck: "true"\n', 'done/repo/a': '' },
      ...{ 'lost/task.yml': 'prompt: EVAL-NEVER\ncheck: no-such-program\n', 'lost/repo/a': '' },
    });
    const { code, stdout, stderr } = await evaluate(folder);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('The task done is not valid: its check passes before the run');
    expect(stderr).toContain('The task lost is not valid: its check cannot be started: ');
    expect(local.requestsFor('EVAL-NEVER')).toEqual([]);
  });

  test('a run cannot change the hidden tests', async () => {
    local.learn('EVAL-CHEAT', (turn) => {
      if (turn === 1) return { calls: [call('bash', { command: 'mkdir t && echo "exit 0" > t/check.sh' })] };
      return { text: 'Done.' };
    });
    const folder = await tasks({
      'cheat/task.yml': 'prompt: EVAL-CHEAT\ncheck: sh t/check.sh\n',
      ...{ 'cheat/repo/a.txt': 'a\n', 'cheat/tests/t/check.sh': 'grep -q b a.txt\n' },
    });
    const { code, stdout } = await evaluate(folder, '--json');
    expect([code, resultsOf(stdout)]).toEqual([1, [[['cheat', 'failed', 'check failed: no output']]]]);
  });

  test('Ctrl-C ends the trial, prints those that ended, and leaves no folder behind', async () => {
    const folder = await tasks({
      ...{ 'a/task.yml': 'prompt: EVAL-FIRST\ncheck: test -e b\n', 'a/repo/a': '' },
      ...{ 'b/task.yml': 'prompt: EVAL-WAIT\ncheck: test -e b\n', 'b/repo/a': '' },
    });
    local.learn('EVAL-FIRST', () => ({ text: 'Nothing.' }));
    const before = evalFolders();
    let begun = () => {};
    const asked = new Promise<void>((resolve) => {
      begun = resolve;
    });
    local.learn('EVAL-WAIT', (turn) => {
      begun();
      return turn > 99 ? { text: '' } : { calls: [call('bash', { command: 'read x < <(sleep 600)' })] };
    });
    const started = local.start(folder, ['eval', '.', '--json']);
    await asked;
    started.child.kill('SIGINT');
    const { code, stdout } = await started.ended;
    expect([code, resultsOf(stdout), JSON.parse(stdout).interrupted]).toEqual([
      1,
      [[['a', 'failed', 'check failed: no output']]],
      true,
    ]);
    expect(evalFolders()).toEqual(before);
  });

  test('refuses options that exclude each other, an unknown task, and a template without a place', async () => {
    const folder = await tasks({ ...colour, 'flat.md': 'Paint.' });
    const stderrOf = async (...args: string[]) => (await evaluate(folder, ...args)).stderr.split('\n')[0];
    expect([
      await stderrOf('--reference', '--model', 'a/b'),
      await stderrOf('--task', 'pant'),
      await stderrOf('--template', 'flat.md'),
      await stderrOf('--least', '120%'),
    ]).toEqual([
      'anode eval: --reference and --model exclude each other.',
      'anode eval: there is no task pant. The tasks: paint.',
      "--template: flat.md has no {{prompt}}, where the task's prompt would stand.",
      'anode eval: --least takes a percentage from 0% to 100%, not "120%".',
    ]);
  });
});

function evalFolders(): string[] {
  return readdirSync(os.tmpdir()).filter((name) => name.startsWith('anode-eval-'));
}
