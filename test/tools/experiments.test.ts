import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { experimentsOf } from '../../src/contract/experiment-results.ts';
import { openTools, type ToolHarness } from './tool-harness.ts';

const files = { 'speed.txt': '40\n', 'old.txt': 'old\n', '.gitignore': 'ignored\n' };
/** What the benchmark of these tests is: it reads its metric out of a file. */
const command =
  'echo "METRIC p95_ms=$(cat speed.txt)"; echo METRIC hits=7; cat broken 2>/dev/null; test ! -e crash';

let tools: ToolHarness;
beforeEach(async () => {
  tools = await openTools(files, { git: true });
});
afterEach(() => tools.close());

const begin = (more: Record<string, string | number | boolean> = {}) =>
  tools.call('init_experiment', {
    name: 'exa tuning',
    primary_metric: 'p95_ms',
    unit: 'ms',
    direction: 'lower',
    command,
    checks: 'test ! -e broken',
    ...more,
  });

async function baseline(): Promise<void> {
  await begin();
  await tools.call('run_experiment', {});
  await tools.call('log_experiment', { status: 'baseline', description: 'as it is' });
}

const histories = () => {
  const entries = tools.entries.flatMap((entry) => (entry.type === 'experiment' ? [entry] : []));
  return experimentsOf(entries).map(({ runs }) =>
    runs.map(({ duration_ms: _, commit, ...run }) => ({
      ...run,
      ...(commit === undefined ? {} : { commit: commit.length }),
    })),
  );
};

const ownFile = async (name: string) => {
  const { files: own } = await tools.context.storage.open();
  return (await own.stat(name)) === null ? null : (await own.read(name)).bytes.toString();
};

test('an experiment measures, commits improvements, and reverts the rest', async () => {
  tools.write('before.txt', 'of a person, not committed\n');
  tools.write('ignored', 'not git’s\n');
  await baseline();

  await tools.call('create_file', { path: 'speed.txt', content: '25\n', overwrite: true });
  expect((await tools.call('run_experiment', {})).data).toEqual({
    run: {
      number: 2,
      value: 25,
      metrics: { hits: 7 },
      duration_ms: expect.any(Number),
      outcome: 'measured',
      why: '',
    },
  });
  const stored = await tools.say('log_experiment', {
    status: 'keep',
    description: 'read less',
    commit_message: 'Read half of it',
  });
  expect(stored).toMatch(
    /^Run 2 is logged as keep: 37.5 % better than the baseline \(40 ms\)\.\nCommitted as [0-9a-f]{12};.*\n1\. baseline 40 ms: as it is\n2\. keep 25 ms \(best\): read less\nChange one thing/,
  );

  await tools.call('create_file', { path: 'speed.txt', content: '90\n', overwrite: true });
  await tools.call('create_file', { path: 'new/dir/file.txt', content: 'new\n' });
  await tools.call('bash', { command: 'rm old.txt; ln -s speed.txt link; mkdir dead' });
  expect(await tools.say('run_experiment', {})).toMatch(
    /^Run 3: p95_ms 90 ms, 125\.0 % worse than the baseline \(40 ms\), 260\.0 % worse than the best, run 2 \(25 ms\)/,
  );
  const dropped = await tools.say('log_experiment', { status: 'discard', description: 'write more' });
  const [, own3 = ''] =
    /Put back: link, new\/dir\/file\.txt, old\.txt, speed\.txt\.\nThe change is kept as (scratch\/experiments\/exa-tuning-[0-9a-f]{6})-run-3\.patch/.exec(
      dropped,
    ) ?? [];
  expect(tools.tree()).toEqual({
    ...files,
    'speed.txt': '25\n',
    'before.txt': 'of a person, not committed\n',
    ignored: 'not git\u00e2\u0080\u0099s\n',
  });
  expect(await ownFile(`${own3}-run-3.patch`)).toContain('+++ b/new/dir/file.txt');
  expect((await ownFile(`${own3}.jsonl`))?.split('\n')).toHaveLength(4);

  const own = { metrics: { hits: 7 } };
  expect(histories()).toEqual([
    [
      { ...own, number: 1, value: 40, status: 'baseline', description: 'as it is' },
      { ...own, number: 2, value: 25, status: 'keep', description: 'read less', commit: 40 },
      { ...own, number: 3, value: 90, status: 'discard', description: 'write more' },
    ],
  ]);
  const changes = tools.entries.flatMap((entry) =>
    entry.type === 'change' && entry.change.tool === 'log_experiment'
      ? [`${entry.change.kind} ${entry.change.path}`]
      : [],
  );
  expect(changes.sort()).toEqual([
    'add old.txt',
    'delete link',
    'delete new/dir/file.txt',
    'modify speed.txt',
  ]);
});

test("a commit stores only the run's own change: no files of the checkout or ledger, and no hooks run", async () => {
  tools.write('.anode-harness/run.json', '{}');
  tools.write('.git/hooks/pre-commit', { executable: '#!/bin/sh\ntouch hooked\n' });
  await baseline();
  tools.write('speed.txt', '30\n');
  await tools.call('run_experiment', {});
  const { data } = await tools.call('log_experiment', { status: 'keep', commit_message: 'One\ntwo' });
  const { commit } = (data as { run: { commit: string } }).run;
  const git = (directory: string, ...args: string[]) =>
    execFileSync('git', ['--git-dir', directory, ...args], { encoding: 'utf8' });
  const own = (await tools.context.workspace.agentGitDirectory()) ?? '';
  expect(git(own, 'show', '--name-status', '--format=%an <%ae>%n%B', commit)).toBe(
    'Anode CI <anode-ci@users.noreply.github.com>\nOne\n\nexa tuning, run 2: p95_ms 30 ms, 25.0 % better than the baseline (40 ms).\n\n\nM\tspeed.txt\n',
  );
  expect(git(path.join(tools.root, '.git'), 'log', '--format=%s')).toBe('start\n');
  expect(Object.keys(tools.tree())).not.toContain('hooked');
});

test('every run must be logged before the next, with its real status', async () => {
  expect(await tools.say('run_experiment', {})).toBe(
    'unavailable: No experiment was begun. Call init_experiment first.',
  );
  await begin({ max_runs: '3' });
  expect(await tools.say('init_experiment', { name: 'b', primary_metric: 'x', direction: 'higher' })).toBe(
    'exists: The experiment exa tuning is already active, with 0 runs. Continue it, or call init_experiment with reset: true, which starts a new one and leaves the files unchanged.',
  );
  expect(await tools.say('log_experiment', { status: 'keep' })).toBe(
    'nothing_to_log: There is no run to log. Call run_experiment first.',
  );
  expect(await tools.say('run_experiment', {})).toContain(
    'The checks passed.\nNow call log_experiment with status baseline.',
  );
  expect(await tools.say('run_experiment', {})).toBe(
    'not_logged: Run 1 is not logged yet. Call log_experiment with status baseline first.',
  );
  expect(await tools.say('log_experiment', { status: 'keep' })).toContain('no baseline to be better than');
  await tools.call('log_experiment', { status: 'baseline' });

  tools.write('crash', '');
  expect(await tools.say('run_experiment', {})).toContain('Run 2: crash, as it ended with exit code 1');
  expect(await tools.say('log_experiment', { status: 'baseline' })).toContain('there is a baseline already');
  expect(await tools.say('log_experiment', { status: 'crash' })).toContain('Put back: crash.');

  tools.write('broken', 'p95_ms');
  expect(await tools.say('run_experiment', {})).toContain(
    'Run 3: checks_failed, as the checks: test ! -e broken ended with exit code 1',
  );
  expect(await tools.say('log_experiment', { status: 'keep' })).toContain('run 3 failed its checks');
  expect(await tools.say('log_experiment', { status: 'checks-failed', revert: 'false' })).toMatch(
    /The files stay as they are\.\n[\s\S]*That was the last run\./,
  );
  expect(tools.tree()).toMatchObject({ broken: 'p95_ms' });
  expect(await tools.say('run_experiment', {})).toContain(
    'used_up: All 3 runs of the experiment exa tuning were made.',
  );

  await begin({ reset: true });
  expect(tools.context.state.experiment?.runs).toEqual([]);
});

test('a dropped change is still stored if an experiment restarts under the same name', async () => {
  const drop = async (text: string) => {
    await tools.call('bash', { command: `echo ${text} > speed.txt` });
    await tools.say('run_experiment', {});
    const said = await tools.say('log_experiment', { status: 'discard', description: text });
    return ownFile(/kept as (\S+\.patch)/.exec(said)?.[1] ?? '').then((patch) => ({ said, patch }));
  };
  await begin();
  const first = await drop('91');
  // As each call of a model has an id of its own.
  Object.assign(tools.context, { callId: 'call_of_the_second' });
  await begin({ reset: true });
  const second = await drop('92');
  const storedPart = /kept as (\S+\.patch)/.exec(first.said)?.[1] ?? '';
  expect([
    (await ownFile(storedPart))?.includes('+91'),
    second.patch?.includes('+92'),
    second.said.includes(storedPart),
  ]).toEqual([true, true, false]);
});

test('a run over its time limit or without a metric is a crash, unless the model states a value, which is recorded', async () => {
  await begin();
  expect(
    await tools.say('run_experiment', { command: 'echo METRIC p95_ms=1; sleep 60', timeout_ms: 200 }),
  ).toContain('Run 1: crash, as it was stopped after 200 ms');
  await tools.call('log_experiment', { status: 'crash' });
  expect(await tools.say('run_experiment', { command: 'echo took nine' })).toContain(
    'it printed no number for p95_ms',
  );
  expect(await tools.say('log_experiment', { status: 'baseline' })).toContain('measured nothing');
  await tools.call('log_experiment', { status: 'baseline', metric_value: '9 ms' });
  expect(histories()[0]?.[1]).toEqual({
    number: 2,
    status: 'baseline',
    value: 9,
    stated: true,
    metrics: {},
    description: 'it printed no number for p95_ms; print a line METRIC p95_ms=<number>',
  });
  await tools.call('run_experiment', { command: 'echo METRIC p95_ms=8; echo METRIC hits=2' });
  expect(await tools.say('log_experiment', { status: 'keep', metric_value: 1 })).toContain(
    '3. keep 1 ms, stated (best)',
  );
  expect(histories()[0]?.[2]).toMatchObject({
    ...{ value: 1, stated: true, metrics: { 'measured p95_ms': 8, hits: 2 } },
  });
});

test('the command and the checks go through the gate before they run', async () => {
  await begin();
  expect((await tools.prepare('run_experiment', {})).targets).toEqual({
    what: `${command} && test ! -e broken`,
    commands: [command, 'test ! -e broken'],
  });
  expect((await tools.prepare('run_experiment', { command: ['echo', 'a b'] })).targets.commands).toEqual([
    "echo 'a b'",
    'test ! -e broken',
  ]);
});

test('a resumed session continues the experiment and can still revert its changes', async () => {
  await baseline();
  tools.write('speed.txt', '30\n');
  await tools.call('run_experiment', {});
  await tools.call('log_experiment', { status: 'keep' });
  tools.write('speed.txt', '99\n');
  await tools.call('run_experiment', {});
  const storage = (await tools.context.storage.snapshot()) ?? {};
  const { experiment } = tools.context.state;

  const later = await openTools(files, { git: true });
  try {
    // The changes of the session come back into the checkout behind the baseline.
    await later.context.workspace.baseline();
    later.write('speed.txt', '99\n');
    later.context.state.experiment = JSON.parse(JSON.stringify(experiment));
    for (const [name, text] of Object.entries(storage))
      await later.context.storage.change(name, { tool: 'resume', callId: 'r' }, () => text);
    // A tree that only the earlier part had.
    const tree = 'f'.repeat(40);
    const state = later.context.state.experiment;
    if (state == null) throw new Error('no experiment');
    later.context.state.experiment = { ...state, experiment: { ...state.experiment, checkpoint: tree } };
    expect(await later.say('log_experiment', { status: 'discard' })).toContain('Put back: speed.txt.');
    expect(later.tree()).toEqual({ ...files, 'speed.txt': '30\n' });
  } finally {
    await later.close();
  }
});

test('a child has no experiments, and nothing is reverted while one works', async () => {
  const child = await openTools(files, { git: true, inChild: true });
  try {
    Object.assign(child.context.state, { name: 'child_1' });
    expect(
      await child.say('init_experiment', { name: 'a', primary_metric: 'x', direction: 'min' }),
    ).toContain('unavailable: A child works on the files of its parent');
  } finally {
    await child.close();
  }
  await baseline();
  tools.write('speed.txt', '99\n');
  await tools.call('run_experiment', {});
  const children = { list: async () => [{ id: 'child_2', title: 'Look', state: 'running' }] };
  Object.assign(tools.context, { children });
  expect(await tools.say('log_experiment', { status: 'discard' })).toContain(
    'unavailable: The files cannot be reverted while children work on them: child_2 (Look).',
  );
  expect(tools.tree()).toMatchObject({ 'speed.txt': '99\n' });
});

test('a checkpoint file from the model restores no protected path and none of our files', async () => {
  await baseline();
  const { experiment } = tools.context.state;
  if (experiment == null) throw new Error('no experiment');
  // Another part of the session took the checkpoint; the model then wrote a patch of its own into its place.
  experiment.experiment.checkpoint = 'f'.repeat(40);
  const added = (name: string) =>
    `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
  await tools.context.storage.change('scratch/experiments/checkpoint.patch', { tool: 'x', callId: 'x' }, () =>
    ['AGENTS.md', '.anode-harness/a', 'fine.txt'].map(added).join(''),
  );
  const reported: string[] = [];
  Object.assign(tools.context, {
    changeEvaluator: {
      evaluate: async (changes: readonly { path: string }[]) =>
        changes
          .filter(({ path: one }) => one === 'AGENTS.md')
          .map(({ path: one }) => ({ path: one, reason: 'protected', short: 'protected' })),
      report: (putBack: readonly { path: string }[]) => reported.push(...putBack.map(({ path: one }) => one)),
    },
  });
  await tools.call('run_experiment', {});
  await tools.call('log_experiment', { status: 'discard' });
  expect([tools.tree(), reported]).toEqual([{ ...files, 'fine.txt': 'x\n' }, ['AGENTS.md']]);
});
