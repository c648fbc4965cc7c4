import { existsSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { RunPlan } from '../../src/contract/plan.ts';
import { stateKeys } from '../../src/contract/state-keys.ts';
import type { EntryContext } from '../../src/pipeline/context/broker-context.ts';
import { openContext, runContextOf, withClients } from '../../src/pipeline/context/broker-context.ts';
import { openEvent } from '../../src/pipeline/context/open-event.ts';
import type { PreparedRun } from '../../src/pipeline/context/prepared-run.ts';
import { storedRun } from '../../src/pipeline/context/stored-run.ts';
import { decideOnly } from '../../src/pipeline/decide-on-event.ts';
import { finish, finishFailed } from '../../src/pipeline/finish/finish.ts';
import { prepare } from '../../src/pipeline/prepare/prepare.ts';
import { readOpenRun } from '../../src/pipeline/prepare/show-run.ts';
import { publishRun } from '../../src/pipeline/publish/publish-run.ts';
import type { FinishedRun } from '../../src/run/finish-run.ts';
import { run } from '../../src/run/run.ts';
import { sampleOutcome } from '../reporting/samples.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import {
  attempt,
  entryContext,
  github,
  login,
  newestComment,
  startWorkerEdges,
} from '../support/worker-fixture.ts';

startWorkerEdges(() => ({ text: 'It is red.' }));

let shop: RepositoryHandle;
beforeAll(async () => {
  shop = await github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  shop.setPermission('ada', 'write');
});

/** A question on an issue, as far as it is decided, with the context of its run. */
async function decided(change: Partial<EntryContext> = {}, last = true) {
  const { number } = await shop.openIssue({ title: 'Which colour?', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '/anode ask Which colour is it?' });
  const event = newestComment(null);
  const entry = entryContext({ canAsk: true, ...change });
  const [{ plan }, opened] = [await decideOnly(event, entry), await openEvent(event, entry)];
  if (plan === null || opened === null) throw new Error('The question starts no run.');
  const { signal } = new AbortController();
  const context = openContext(plan, attempt(1, { last }), signal, withClients(opened));
  const comment = () => shop.comments(number).at(-1)?.body ?? '';
  return { plan, context, comment };
}

async function prepared(given: Awaited<ReturnType<typeof decided>>): Promise<PreparedRun> {
  const found = await prepare(given.plan, given.context);
  if (found.kind !== 'prepared') throw new Error(`The plan is ${found.kind}.`);
  return found;
}

const finishedRun = ({ run_id, session_id }: RunPlan): FinishedRun => ({
  outcome: sampleOutcome({ run_id, session_id, answer: 'It is blue.' }),
  ...{ session: null, folder: '/nowhere', ledgerFile: '/nowhere/ledger.jsonl' },
});

test('a run gets the fields of its own context, and no credential', async () => {
  const { context } = await decided();
  expect(Object.keys(runContextOf(context)).toSorted()).toEqual([
    ...['config', 'environment', 'listen', 'ownFolders', 'repositoriesFrom', 'runsFolder'],
    ...['signal', 'store'],
  ]);
});

test('a run gets no store whose state could be forged', async () => {
  const [trusted, forgeable] = [await decided(), await decided({ canAsk: false })];
  expect([runContextOf(trusted.context).store, runContextOf(forgeable.context).store]).toEqual([
    trusted.context.store,
    null,
  ]);
});

test('prepare posts the progress comment and makes a checkout, which release removes', async () => {
  const given = await decided();
  const found = await prepared(given);
  const { root, task, resume, readOnly, plan } = found.input;
  const there = existsSync(root);
  await found.release();
  expect({ there, gone: !existsSync(root), task, resume, readOnly, plan, comment: given.comment() }).toEqual({
    ...{
      there: true,
      gone: true,
      task: 'Which colour is it?',
      resume: null,
      readOnly: true,
      plan: given.plan,
    },
    comment: expect.stringContaining('<!-- anode:progress '),
  });
});

test('an invalid configuration leaves a plan unprepared, and the thread gets the error', async () => {
  const given = await decided();
  const broken = { ...given.plan, config_text: 'permissions: 1' };
  const context = openContext(broken, attempt(1), given.context.signal, given.context);
  const found = await prepare(broken, context);
  if (found.kind !== 'unprepared') throw new Error(`The plan is ${found.kind}.`);
  const end = await finishFailed(found.failure, found, context);
  await found.release();
  expect([end, given.comment()]).toEqual([
    { kind: 'failed', error: context.configError },
    expect.stringContaining(context.configError?.message ?? 'no error'),
  ]);
});

test('a run returns its outcome, and writes nothing to GitHub', async () => {
  const given = await decided();
  const found = await prepared(given);
  const before = given.comment();
  const { outcome } = await run(found.input, runContextOf(given.context));
  const after = given.comment();
  await found.release();
  expect([outcome.conclusion, outcome.answer, after === before]).toEqual(['success', 'It is red.', true]);
});

test('publish stores the run first, and then writes the answer into the comment', async () => {
  const given = await decided();
  const found = await prepared(given);
  const published = await publishRun(finishedRun(given.plan), found, given.context);
  const stored = await storedRun(given.plan, given.context.store);
  await found.release();
  expect([published.failures, stored?.finished.outcome.answer, given.comment()]).toEqual([
    [],
    'It is blue.',
    expect.stringContaining('It is blue.'),
  ]);
});

test('finish leaves no open run, and throws an error that another attempt follows', async () => {
  const given = await decided();
  const found = await prepared(given);
  const finished = finishedRun(given.plan);
  const published = await publishRun(finished, found, given.context);
  const open = await given.context.store.list(stateKeys.open(''));
  const end = await finish({ run: finished, published }, found, given.context);
  const again = { ...given.context, lastAttempt: false };
  const error = new Error('The network went.');
  await expect(finishFailed({ error, running: false }, found, again)).rejects.toBe(error);
  await found.release();
  expect({ end, left: (await given.context.store.list(stateKeys.open(''))).length - open.length }).toEqual({
    end: {
      attestationFile: null,
      ...{ kind: 'run', outcome: finished.outcome, published, ledgerFile: finished.ledgerFile },
      ...{ reportFile: null, sarifFile: null, failure: null },
    },
    left: -1,
  });
});

/** A review whose first attempt opened its check, on a thread that takes no comment since. */
async function lockedAfterCheck(branch: string) {
  await shop.commit(branch, { files: { 'a.txt': `${branch}\n` }, message: branch, author: 'ada' });
  const { number } = await shop.openPullRequest({ title: branch, head: branch, author: 'ada' });
  shop.comment(number, { author: 'ada', body: '/anode review' });
  const event = newestComment(null);
  const token = async () => github.createToken({ actor: login, permissions: { checks: 'write' } });
  const entry = entryContext({ canAsk: true, checkRight: async () => ({ kind: 'check', token }) });
  const [{ plan }, opened] = [await decideOnly(event, entry), await openEvent(event, entry)];
  if (plan === null || opened === null) throw new Error('The comment starts no review.');
  const context = openContext(plan, attempt(3), new AbortController().signal, withClients(opened));
  const first = await prepare(plan, context);
  if (first.kind !== 'prepared') throw new Error(`The plan is ${first.kind}.`);
  await first.release();
  const id = shop.comments(number).at(-1)?.id ?? 0;
  shop.deleteComment(id, { author: login });
  shop.lock(number);
  const check = () => shop.checkRuns().findLast(({ headSha }) => headSha === plan.checkout.sha);
  return { plan, context, check, isOpen: async () => (await readOpenRun(plan, context.store)) !== null };
}

test('the check of a thread that was locked between two attempts ends with the reason', async () => {
  const { plan, context, check, isOpen } = await lockedAfterCheck('locked');
  const before = check()?.status;
  const second = await prepare(plan, context);
  const reason =
    'GitHub takes no comment of ours on that thread, and the run has nothing but words to leave.';
  expect([before, second, check(), await isOpen()]).toEqual([
    'in_progress',
    { kind: 'skipped', reason },
    expect.objectContaining({
      ...{ status: 'completed', conclusion: 'neutral', title: 'Failed', summary: reason },
    }),
    false,
  ]);
});

test('an attempt that fails before its check ends the one that an earlier attempt opened', async () => {
  const { plan, context, check, isOpen } = await lockedAfterCheck('unprepared');
  const failure = { error: new Error('The network went.'), running: false };
  const display = { progress: null, check: null };
  await finishFailed(failure, { plan, display, release: async () => {} }, context);
  expect([check()?.status, check()?.conclusion, await isOpen()]).toEqual(['completed', 'neutral', false]);
});
