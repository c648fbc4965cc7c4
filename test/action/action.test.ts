import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { sarifProblems } from '../support/sarif/sarif-problems.ts';
import { commitOf } from '../uses/support/commit-of.ts';
import { call, lastResults } from '../uses/support/conversation.ts';
import { actionKey, type Job, openShop, startJob } from '../uses/support/start-job.ts';

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await openShop(job);
  shop.setPermission('rex', 'read');
});
afterAll(() => job.close());

const painting = (turn: number) =>
  turn === 1
    ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
    : { text: 'It is blue.' };

/** What a step printed, without the masking of its secrets, which comes first. */
const said = (stdout: string) => stdout.replaceAll(/^::add-mask::.*\n/gm, '');

/** The first and the last entry of a run ledger. */
async function ledgerTypes(file: string | undefined): Promise<string[]> {
  const lines = (await readFile(file ?? '', 'utf8')).trimEnd().split('\n');
  return [lines.at(0), lines.at(-1)].map((line) => JSON.parse(line ?? '').entry.type);
}

async function openPull(branch: string): Promise<number> {
  await shop.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  return (await shop.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const writes = (from: number) =>
  job.github.requests
    .slice(from)
    .filter(({ kind, method }) => kind !== 'git' && method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

test.for([
  'action/main.ts',
  'action/dist/index.js',
])('a step of %s changes the checkout, and writes outputs and the summary', async (program) => {
  job.learn('paint the checkout', painting);
  await shop.commit('main', { files: { 'pushed.txt': `${program}\n` }, message: 'Push', author: 'ada' });
  const from = job.github.requests.length;
  const step = await job.run(shop, {
    program,
    event: 'push',
    actor: 'ada',
    inputs: { prompt: 'paint the checkout' },
  });
  const { outputs } = step;
  expect({ code: step.code, status: step.status, outputs }).toEqual({
    code: 0,
    status: ' M colour.txt\n',
    outputs: {
      conclusion: 'success',
      final_message: 'It is blue.',
      run_id: expect.stringMatching(/^run_\w+$/),
      session_id: expect.stringMatching(/^sess_\w+$/),
      execution_file: expect.stringMatching(/\.anode-harness\/run_\w+\/ledger\.jsonl$/),
      report_path: expect.stringMatching(/\/temp\/anode-runs\/run_\w+\/report\.html$/),
      ...{ branch_name: '', pr_number: '', comment_id: '', findings_count: '' },
      ...{ sarif_file: '', attestation: '' },
      ...{ cost_usd: expect.stringMatching(/^0\.0\d+$/), needs_input: 'false', structured_output: '' },
    },
  });
  expect(await ledgerTypes(outputs.execution_file)).toEqual(['run.started', 'run.finished']);
  const page = await readFile(outputs.report_path ?? '', 'utf8');
  expect({
    whole: /^<!doctype html>[\s\S]*paint the checkout[\s\S]*colour\.txt[\s\S]*<\/html>\n$/.test(page),
    key: page.includes(actionKey),
  }).toEqual({ whole: true, key: false });
  const summary = visible(step.summary);
  expect(summary.split('\n\n').slice(1, 3)).toEqual([
    'It is blue.',
    '<details><summary>1 file changed</summary>',
  ]);
  expect(summary).toMatch(/^\*\*Done\.\*\*/);
  expect(summary).toMatch(/```diff\n[\s\S]*-red\n\+blue\n```/);
  expect(summary).toContain(`[run](${job.github.url}/acme/shop/actions/runs/7)`);
  expect(step.stderr).toBe('');
  expect(writes(from)).toEqual([]);
});

test('a job without the id of its workflow run links to no run', async () => {
  job.learn('say the colour', () => ({ text: 'It is red.' }));
  await shop.commit('main', { files: { 'id.txt': 'none\n' }, message: 'Push', author: 'ada' });
  const step = await job.run(shop, {
    ...{ event: 'push', actor: 'ada', inputs: { prompt: 'say the colour' } },
    environment: { GITHUB_RUN_ID: '' },
  });
  const [headline] = visible(step.summary).split('\n');
  expect([step.code, headline, step.summary.includes('/runs/')]).toEqual([
    ...[0, '**Answered, nothing changed.**', false],
  ]);
});

test('checks alone need no key, and report their findings as annotations and SARIF', async () => {
  await shop.commit('marked', { files: { 'b.c': '>>>>>>> x\n' }, message: 'Marked', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Marked', head: 'marked', author: 'ada' });
  const step = await job.run(shop, {
    ...{ event: 'pull_request', actor: 'ada', branch: 'marked' },
    inputs: { checks_only: 'true' },
    environment: { ANTHROPIC_API_KEY: '', INPUT_ANTHROPIC_API_KEY: '' },
  });
  expect([step.code, step.stderr, step.outputs.conclusion]).toEqual([0, '', 'success']);
  expect(shop.reviewComments(number).map(({ path, line }) => `${path}:${line}`)).toEqual(['b.c:1']);
  const log = JSON.parse(await readFile(step.outputs.sarif_file ?? '', 'utf8'));
  expect([sarifProblems(log), log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)]).toEqual([
    [],
    ['check/conflicts'],
  ]);
});

test('a step runs the default branch’s hooks with the workflow’s environment', async () => {
  const guard = '#!/bin/sh\ntest "$GUARD_WORD" = sesame && echo "guarded" >&2\nexit 2\n';
  const config = `sandbox: preferred\nhooks: { before: [{ name: guard, tool: edit_file, run: ci/guard.sh }] }\nenv: { pass: { 'hook:guard': [GUARD_WORD] } }\n`;
  const guarded = await job.github.createRepository('acme/guarded', {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': config, 'ci/guard.sh': guard },
  });
  guarded.setPermission('ada', 'write');
  await guarded.commit('free', { files: { 'ci/guard.sh': 'exit 0\n' }, message: 'Free', author: 'ada' });
  let answer = '';
  job.learn('paint the guarded', (turn, request) => {
    if (turn > 1) answer = lastResults(request);
    return painting(turn);
  });
  const step = await job.run(guarded, {
    event: 'push',
    actor: 'ada',
    branch: 'free',
    inputs: { prompt: 'paint the guarded' },
    environment: { GUARD_WORD: 'sesame', ANODE_ENV_PASS: 'GUARD_WORD' },
  });
  expect([step.code, step.status, answer]).toEqual([0, '', expect.stringContaining('. guarded Nothing')]);
});

test('a step with a prompt refuses a stranger’s comment', async () => {
  const number = await openPull('stranger');
  shop.comment(number, { author: 'rex', body: 'anything' });
  const from = job.github.requests.length;
  const step = await job.run(shop, {
    event: 'issue_comment',
    actor: 'rex',
    inputs: { prompt: 'never asked of the model' },
  });
  const refusal =
    'No run was started: rex has the permission "read" here; runs are for people who may write.';
  expect({ ...step, stdout: said(step.stdout) }).toEqual({
    code: 0,
    stdout: `::notice::${refusal}\n`,
    stderr: '',
    outputs: { conclusion: 'refused', needs_input: 'false', final_message: refusal },
    summary: `${refusal}\n`,
    status: '',
    ...{ runner: step.runner, state: {} },
  });
  expect([writes(from), job.requestsFor('never asked')]).toEqual([[], []]);
});

test('without a prompt a comment leads to a commit, written with the job’s token', async () => {
  const number = await openPull('paint');
  const head = await shop.head('paint');
  job.learn('make it blue', painting);
  const comment = shop.comment(number, { author: 'ada', body: '@anode make it blue' });
  const from = job.github.requests.length;
  const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs: {} });
  const signs = writes(from).filter((write) => write.includes(`/comments/${comment.id}/reactions`));
  expect(signs.map((write) => write.split(' ')[0])).toEqual(['POST', 'DELETE']);
  const sha = await shop.head('paint');
  const { execution_file: file, report_path: page = '', ...outputs } = step.outputs;
  const [report] = shop.comments(number).filter(({ id }) => id > comment.id);
  expect({ code: step.code, outputs }).toEqual({
    code: 0,
    outputs: {
      conclusion: 'success',
      final_message: 'It is blue.',
      run_id: expect.any(String),
      session_id: expect.any(String),
      ...{ branch_name: 'paint', pr_number: '', comment_id: String(report?.id), findings_count: '' },
      ...{ cost_usd: expect.stringMatching(/^0\.0\d+$/), needs_input: 'false', structured_output: '' },
      ...{ sarif_file: '', attestation: '' },
    },
  });
  expect(await ledgerTypes(file)).toEqual(['run.started', 'run.finished']);
  expect(await readFile(page, 'utf8')).toContain(`${shop.url}/commit/${sha}`);
  expect(await commitOf(shop, 'paint')).toMatchObject({
    parents: [head],
    author: expect.stringContaining('github-actions[bot]'),
    files: ['M colour.txt'],
  });
  expect({ author: report?.author, body: visible(report?.body ?? '').split('\n')[0] }).toEqual({
    author: 'github-actions[bot]',
    body: `**Done.** Committed [\`${sha?.slice(0, 7)}\`](${shop.url}/commit/${sha}) to \`paint\`: 1 file changed.`,
  });
  expect(JSON.stringify(job.github.requests.map(({ body }) => body))).not.toContain(actionKey);
});

test('an event without a request starts no run, and the step succeeds', async () => {
  const number = await openPull('chat');
  shop.comment(number, { author: 'ada', body: 'nice work' });
  const from = job.github.requests.length;
  const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs: {} });
  const final_message = 'No run was started: the comment does not address me, and no question waits.';
  expect({ code: step.code, stdout: said(step.stdout), outputs: step.outputs, writes: writes(from) }).toEqual(
    {
      code: 0,
      stdout: `::notice::${final_message}\n`,
      outputs: { conclusion: 'skipped', needs_input: 'false', final_message },
      writes: [],
    },
  );
});

test.for([
  [{ sandbox: 'maybe' }, 'The input sandbox takes required, preferred or off, not "maybe".'],
  [
    { preset: 'carefull' },
    'The input preset: there is no preset "carefull": it is strict, careful or unrestricted; the nearest is careful.',
  ],
] as const)('a wrong input fails the step with its name: %j', async ([wrong, words]) => {
  const step = await job.run(shop, { event: 'push', actor: 'ada', inputs: { prompt: 'x', ...wrong } });
  expect({ code: step.code, stdout: said(step.stdout), outputs: step.outputs }).toEqual({
    ...{ code: 1, stdout: `::error::${words}\n` },
    outputs: { conclusion: 'failure', needs_input: 'false', final_message: words },
  });
});

const asking = (turn: number, request: Parameters<typeof lastResults>[0]) => {
  if (turn === 1) return { calls: [call('create_file', { path: 'draft.txt', content: 'half\n' })] };
  if (turn === 2) return { calls: [call('ask_user', { question: 'Go on?', options: ['Yes', 'No'] })] };
  return { text: `You said ${lastResults(request)}.` };
};

test('with state_dir and state_secret a later job resumes the session, but not from a changed file', async () => {
  const secret = 'a secret of the state of a workflow';
  job.learn('paint it in a job', asking);
  const state = await job.stateFolder();
  const inputs = { state_dir: state, state_secret: secret };
  const resume = async (branch: string, forge: boolean) => {
    const number = await openPull(branch);
    const first = shop.comment(number, { author: 'ada', body: '@anode paint it in a job' });
    const waiting = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs });
    if (forge) await job.forge(state, 'half', 'evil');
    shop.comment(number, { author: 'ada', body: 'yes' });
    const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs });
    const comments = shop
      .comments(number)
      .filter(({ id }) => id > first.id)
      .map(({ author, body }) => `${author}: ${visible(body).split('\n')[0]}`);
    return {
      conclusions: [waiting.outputs.conclusion, step.outputs.conclusion],
      warned:
        step.stdout
          .split('\n')
          .filter((line) => line.startsWith('::warning::'))
          .join('\n') + step.stderr,
      comments,
      files: (await commitOf(shop, branch)).files,
      commit: await shop.head(branch),
    };
  };
  const honest = await resume('honest', false);
  const bot = 'github-actions[bot]';
  const asked = (question: string) => [`${bot}: **${question}**`, 'ada: yes'];
  // Removed with the answer.
  const waits = expect.stringMatching(
    /^github-actions\[bot\]: \*\*Waiting for an answer\.\*\* \[The question\]/,
  );
  const link = `[\`${honest.commit?.slice(0, 7)}\`](${shop.url}/commit/${honest.commit})`;
  expect(honest).toEqual({
    conclusions: ['waiting', 'success'],
    warned: '',
    comments: [
      ...asked('Answered by `ada`.'),
      `${bot}: **Done.** Committed ${link} to \`honest\`: 1 file changed.`,
    ],
    files: ['A draft.txt'],
    commit: expect.any(String),
  });
  expect(await resume('forged', true)).toEqual({
    conclusions: ['waiting', 'skipped'],
    warned: expect.stringMatching(/^::warning::The state at .* is not signed with our secret/),
    comments: [waits, ...asked('A question before this can go on')],
    files: ['A forged.txt'],
    commit: expect.any(String),
  });
});

test('without the secret the model decides itself instead of asking', async () => {
  const number = await openPull('alone');
  job.learn('decide it', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Go on?' })] }
      : { text: `I was told: ${lastResults(request)}` },
  );
  shop.comment(number, { author: 'ada', body: '@anode decide it' });
  const step = await job.run(shop, {
    event: 'issue_comment',
    actor: 'ada',
    inputs: { state_dir: await job.stateFolder() },
  });
  const { conclusion, final_message: answer } = step.outputs;
  expect({ stderr: step.stderr, conclusion, answer }).toEqual({
    stderr: '',
    conclusion: 'success',
    answer: 'I was told: Nobody can be asked in this run. Decide yourself and say what you assumed.',
  });
});

test('a step without a checkout ends before the model is called, and names the missing step', async () => {
  const workspace = await job.stateFolder();
  const step = { event: 'push', actor: 'ada', inputs: { prompt: 'look at nothing' } };
  const { code, stdout } = await job.run(shop, { ...step, environment: { GITHUB_WORKSPACE: workspace } });
  expect({ code, said: said(stdout), asked: job.requestsFor('look at nothing') }).toEqual({
    code: 1,
    said: `::error::${workspace} is empty: there is no checkout to work on. Add a step \`- uses: actions/checkout\` before this one.\n`,
    asked: [],
  });
});
