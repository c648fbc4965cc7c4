import { expect, test } from 'vitest';
import type { PastMessage } from '../../../src/contract/past-run.ts';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { localOrigin } from '../../../src/run/policy/local-plan.ts';
import { storePastRun, trustOf } from '../../../src/run/records/store-past-run.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { openPastThreads } from '../../../src/tools/services/past-threads.ts';
import { sampleOutcome as outcomeOf, samplePlan as planOf } from '../../reporting/samples.ts';

const samplePlan = planOf();
const local = { ...samplePlan, ...localOrigin('/'), thread: null, prompt: 'asked with SECRET' };
const sampleOutcome = outcomeOf();
const words: PastMessage[] = [
  { role: 'user', text: 'the task' },
  { role: 'assistant', text: 'Done.' },
];

function opened() {
  const store = createMemoryStateStore();
  const notes: unknown[] = [];
  const keep = (plan: RunPlan, id: string, at: number) =>
    storePastRun(
      {
        ...{ plan, messages: words },
        outcome: { ...sampleOutcome, run_id: id, session_id: `sess_${id}`, answer: `answer of ${id}` },
        redact: (text) => text.replaceAll('SECRET', '***'),
        now: new Date(at),
      },
      store,
      { record: (entry) => notes.push(entry) },
    );
  const reader = (trust: 'own' | 'outside') => openPastThreads({ store, trust });
  return { store, keep, reader, notes };
}

test('a run is found with its conversation, without secrets, newest first', async () => {
  const { keep, reader } = opened();
  await keep(local, 'run_1', 1_000);
  await keep(samplePlan, 'run_2', 2_000);
  const threads = reader('own');
  const runs = await threads.list();
  expect(runs.map(({ run_id, prompt, thread }) => ({ run_id, prompt, number: thread?.number }))).toEqual([
    { run_id: 'run_2', prompt: samplePlan.prompt, number: samplePlan.thread?.number },
    { run_id: 'run_1', prompt: 'asked with ***', number: undefined },
  ]);
  const [newest] = runs;
  if (newest === undefined) throw new TypeError('no run');
  expect(await threads.messages(newest)).toEqual(words);
});

test('a run for outsiders sees posted text but no conversations, and stores none', async () => {
  const { store, keep, reader } = opened();
  const fork = { ...samplePlan, checkout: { ...samplePlan.checkout, fork: true } };
  await keep(local, 'local', 1_000);
  await keep(samplePlan, 'ours', 2_000);
  await keep(fork, 'fork', 3_000);
  await keep({ ...samplePlan, verb: 'triage' }, 'silent', 4_000);
  expect(await store.list('past-messages/')).toEqual([
    'past-messages/local',
    'past-messages/ours',
    'past-messages/silent',
  ]);
  const outside = reader('outside');
  const seen = await outside.list();
  expect(seen.map(({ run_id }) => run_id)).toEqual(['fork', 'ours']);
  expect(await Promise.all(seen.map((run) => outside.messages(run)))).toEqual([null, null]);
  const own = reader('own');
  const all = await own.list();
  const stored = await Promise.all(all.map(async (run) => [run.run_id, (await own.messages(run))?.length]));
  expect(stored).toEqual([
    ['silent', 2],
    ['fork', undefined],
    ['ours', 2],
    ['local', 2],
  ]);
});

test('forks and people without write permission are outsiders; permitted bots and local users are not', () => {
  const with_ = (fork: boolean, permission: 'write' | 'read', type: 'User' | 'Bot') =>
    trustOf({
      checkout: { ...samplePlan.checkout, fork },
      requester: { ...samplePlan.requester, permission, type },
    });
  expect([
    with_(true, 'write', 'User'),
    with_(false, 'read', 'User'),
    with_(false, 'write', 'User'),
    with_(false, 'read', 'Bot'),
    trustOf(local),
  ]).toEqual(['outside', 'outside', 'own', 'own', 'own']);
});

test('the newest part of a resumed session counts, and at most 300 runs are stored', async () => {
  const { store, keep, reader } = opened();
  for (let at = 1; at <= 302; at += 1) await keep(local, `run_${at}`, at);
  expect((await store.list('past-runs/')).length).toBe(300);
  expect((await store.list('past-messages/')).length).toBe(300);
  await store.set(
    'past-runs/999999999999999-run_x',
    JSON.stringify({ ...(await reader('own').list())[0], run_id: 'run_x' }),
  );
  const newest = (await reader('own').list()).slice(0, 2);
  expect(newest.map(({ run_id, session_id }) => [run_id, session_id])).toEqual([
    ['run_x', 'sess_run_302'],
    ['run_301', 'sess_run_301'],
  ]);
});

test('a failing store is reported in the ledger', async () => {
  const { store, keep, notes } = opened();
  store.set = async () => {
    throw new Error('disk full');
  };
  await keep(local, 'run_1', 1);
  expect(notes).toEqual([
    {
      type: 'diagnostic',
      level: 'error',
      message: 'The messages of this run could not be stored for later runs: disk full',
    },
  ]);
});
