import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Job, type StepResult, startJob } from '../uses/support/start-job.ts';

const preload = pathToFileURL(path.join(projectRoot, 'test/support/stray-error.ts')).href;
const environment = { NODE_OPTIONS: `--import=${preload}` };
const paint = call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' });

let job: Job;
let shop: RepositoryHandle;
beforeAll(async () => {
  job = await startJob();
  shop = await job.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', 'defect.txt': 'red\n' },
  });
  shop.setPermission('ada', 'write');
});
afterAll(() => job.close());

/** Asks for something on a new pull request and starts the step for it. */
async function asked(words: string, mention = '@anode', inputs: Readonly<Record<string, string>> = {}) {
  const branch = `topic-${words.replaceAll(' ', '-')}`;
  await shop.commit(branch, { files: { 'b.txt': `${words}\n` }, message: 'Topic', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: words, head: branch, author: 'ada' });
  const head = await shop.head(branch);
  shop.comment(number, { author: 'ada', body: `${mention} ${words}` });
  const step = await job.start(shop, { event: 'issue_comment', actor: 'ada', inputs, environment });
  return { ...step, number, isUntouched: async () => (await shop.head(branch)) === head };
}

/** Reads what a step left, and the comments of its thread after the request. */
function left({ code, outputs, stdout }: StepResult, number: number) {
  const entries = readFileSync(outputs.execution_file ?? '', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).entry);
  const stop = entries.findLast(({ type }) => type === 'run.finished')?.stop;
  const { conclusion, final_message: answer, cost_usd } = outputs;
  const error = /^::error::(.*)$/m.exec(stdout)?.[1];
  const [report = '', ...more] = shop.comments(number).slice(1);
  return {
    ...{ code, conclusion, answer, cost_usd, stop: stop?.kind, error, more },
    changed: entries.flatMap(({ type, change }) => (type === 'change' ? [change.path] : [])),
    report: typeof report === 'string' ? report : visible(report.body),
  };
}

const broke = (defect: string) =>
  `Anode CI itself failed: RangeError: ${defect}. What the run did before is kept.`;

test('an uncaught error ends the run with a report, its outputs and exit code 1', async () => {
  const reached = Promise.withResolvers<void>();
  job.learn('paint until it breaks', (turn) => {
    if (turn === 1) return { text: 'Painting.', calls: [paint] };
    reached.resolve();
    return { fault: 'stall' };
  });
  const { child, ended, number, isUntouched } = await asked('paint until it breaks');
  await reached.promise;
  child.kill('SIGUSR2');
  const result = await ended;
  expect(left(result, number)).toEqual({
    ...{
      code: 1,
      conclusion: 'failure',
      answer: 'Painting.',
      cost_usd: expect.stringMatching(/^0\.0\d+$/),
      stop: 'internal_error',
    },
    ...{ error: broke('a stray defect'), more: [], changed: ['a.txt'] },
    report: expect.stringMatching(/^\*\*Failed\.\*\* .*a stray defect.*Painting\..*\+blue/s),
  });
  expect([await isUntouched(), result.stderr]).toEqual([true, expect.stringContaining('a stray defect')]);
});

test('a defect of a tool ends the run with a report of all that it did before', async () => {
  job.learn('paint both', (turn) =>
    turn === 1
      ? {
          text: 'Painting.',
          calls: [paint, call('edit_file', { path: 'defect.txt', old_str: 'red', new_str: 'blue' })],
        }
      : { text: 'Never said.' },
  );
  const { ended, number, isUntouched } = await asked('paint both');
  expect(left(await ended, number)).toEqual({
    ...{
      code: 1,
      conclusion: 'failure',
      answer: 'Painting.',
      cost_usd: expect.stringMatching(/^0\.0\d+$/),
      stop: 'internal_error',
    },
    ...{ error: broke('a defect of a tool'), more: [], changed: ['a.txt'] },
    report: expect.stringMatching(/^\*\*Failed\.\*\* .*a defect of a tool.*Painting\..*\+blue/s),
  });
  expect(await isUntouched()).toBe(true);
});

test('a defect of the publisher fails the step, but answer and findings are posted', async () => {
  const found = {
    ...{ path: 'b.txt', line: 1, severity: 'high', category: 'bug', confidence: 0.9 },
    ...{ title: 'A publishing defect', body: 'It is no colour.' },
  };
  job.learn('Review the changes of this pull request', (turn) =>
    turn === 1 ? { calls: [call('report_findings', { findings: [found] })] } : { text: 'One word is wrong.' },
  );
  const { ended, number } = await asked('review', '/anode', {
    state_dir: await job.stateFolder(),
    state_secret: 'a secret of the state of a workflow',
  });
  const told = 'The review could not be finished for a defect of Anode CI itself. Its log has the cause.';
  const result = await ended;
  expect(left(result, number)).toEqual({
    ...{
      code: 1,
      conclusion: 'success',
      answer: 'One word is wrong.',
      cost_usd: expect.stringMatching(/^0\.0\d+$/),
    },
    ...{ stop: undefined, error: told, more: [], changed: [] },
    report: expect.stringMatching(/The review could not be finished/),
  });
  expect(shop.comments(number)[1]?.body).toContain('A publishing defect');
  expect(result.stderr + result.stdout).toContain('a defect of the publisher');
});
