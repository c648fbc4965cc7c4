import type { IncomingEvent } from '../../contract/event.ts';
import { parseJson } from '../../contract/json.ts';
import type { ReviewRecord } from '../../contract/review-record.ts';
import { type ClosedPull, type ClosedResult, RunAccount } from '../../contract/run-account.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { runTrailer } from '../../reporting/changes/commit-message.ts';
import { readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import { integerAt, isTrueAt, stringAt } from '../../webhooks/triggers/payload-reader.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { countFindings } from '../finish/save-account.ts';

/**
 * Stores what became of the results of all runs on a closed pull request, and marks the commits
 * that its merge reverts. Does nothing where stored state could be forged.
 */
export async function recordResults(
  { payload }: IncomingEvent,
  { canAsk, store, github }: GitHubContext,
): Promise<void> {
  const number = integerAt(payload, 'pull_request', 'number');
  if (!canAsk || number === null) return;
  const merged = isTrueAt(payload, 'pull_request', 'merged');
  await storeClosed(number, { merged, at: stringAt(payload, 'pull_request', 'closed_at') }, store);
  const accounts = await readAccounts(number, store);
  const messages = accounts.some(({ committed }) => committed) ? await messagesOf() : [];
  const record = await readReviewRecord({ thread: { kind: 'pull_request', number, title: '' } }, store);
  for (const account of accounts)
    await save(number, { ...account, result: resultOf(account, { merged, messages, record }) }, store);
  const reverted = merged ? revertedPull(stringAt(payload, 'pull_request', 'body') ?? '') : null;
  if (reverted !== null) await markReverted(reverted, store);

  async function messagesOf(): Promise<string[]> {
    const owner = stringAt(payload, 'repository', 'owner', 'login') ?? '';
    const repo = stringAt(payload, 'repository', 'name') ?? '';
    const at = { owner, repo, pull_number: number ?? 0, per_page: 100 };
    const commits = await github.reader.paginate(github.reader.rest.pulls.listCommits, at);
    return commits.map(({ sha, commit }) => `${sha}\n${commit.message}`);
  }
}

/** Stores the end of a pull request for the runs that end later. */
async function storeClosed(
  pull: number,
  { merged, at }: { readonly merged: boolean; readonly at: string | null },
  store: StateStore,
): Promise<void> {
  if (at !== null)
    await store.set(stateKeys.closed(pull), JSON.stringify({ merged, at } satisfies ClosedPull));
}

/** The facts of a closed pull request. Each message begins with the id of its commit. */
interface ClosedFacts {
  readonly merged: boolean;
  readonly messages: readonly string[];
  readonly record: ReviewRecord | null;
}

/** Returns the result of one run. A rebase keeps a commit, as its trailer names the run. Pure. */
function resultOf(
  { run_id, committed }: RunAccount,
  { merged, messages, record }: ClosedFacts,
): ClosedResult {
  return {
    merged,
    commit: committed ? commitState(run_id, messages) : null,
    findings: countFindings(run_id, record),
  };
}

function commitState(runId: string, messages: readonly string[]): 'kept' | 'dropped' | 'reverted' {
  const own = messages.find((message) => message.split('\n').includes(runTrailer(runId)));
  if (own === undefined) return 'dropped';
  const [sha = ''] = own.split('\n');
  const isReverted = messages.some((message) => message.includes(`This reverts commit ${sha}`));
  return isReverted ? 'reverted' : 'kept';
}

/** Source: GitHub Docs, "Reverting a pull request": the body of its pull request names it. */
function revertedPull(body: string): number | null {
  const [, number] = /^Reverts (?:[\w.-]+\/[\w.-]+)?#(\d{1,9})\b/mu.exec(body) ?? [];
  return number === undefined ? null : Number(number);
}

async function markReverted(pull: number, store: StateStore): Promise<void> {
  for (const account of await readAccounts(pull, store)) {
    const { result } = account;
    if (result?.commit !== 'kept') continue;
    await save(pull, { ...account, result: { ...result, commit: 'reverted' } }, store);
  }
}

/** Reads the accounts of a pull request's runs, oldest id first. */
async function readAccounts(pull: number, store: StateStore): Promise<RunAccount[]> {
  const keys = await store.list(stateKeys.account(pull, ''));
  const texts = await Promise.all(keys.map((key) => store.get(key)));
  return texts.flatMap((text) => RunAccount.safeParse(parseJson(text ?? '')).data ?? []);
}

const save = (pull: number, account: RunAccount, store: StateStore): Promise<void> =>
  store.set(stateKeys.account(pull, account.run_id), JSON.stringify(account));
