import type { Octokit } from '@octokit/rest';
import type * as z from 'zod';
import { parseJson } from '../contract/json.ts';
import { OpenRun } from '../contract/open-run.ts';
import { stateKeys } from '../contract/state-keys.ts';
import {
  type InstalledRepository,
  keyWithinTenant,
  type StateRoot,
  type StateStore,
  tenantName,
  tenantOfKey,
} from '../contract/state-store.ts';
import { EyesReaction } from '../contract/thread-records.ts';
import { closeCheck } from '../reporting/check-run/run-check.ts';
import { endControls } from '../reporting/controls/controls-comment.ts';
import { readApiFailure } from '../reporting/posting/api-failure.ts';
import { editOwnComment, markedBody, postOwnComment } from '../reporting/posting/own-comment.ts';
import type { PublishLog } from '../reporting/posting/ports.ts';
import { isProgress } from '../reporting/progress/render-progress.ts';
import { renderEnd } from '../reporting/report/render-end.ts';
import { removeEyes, tryRemoveEyes } from '../reporting/thread/reactions.ts';
import { repositoryState } from '../state/repository-state.ts';

/** The App's services for closing abandoned runs. */
interface ClosingContext {
  readonly state: StateRoot;
  /** Returns true if a run's delivery is waiting or active in any process. */
  readonly isPending: (deliveryId: string) => Promise<boolean>;
  /** Creates a client with tokens for a purpose in a repository. */
  readonly octokitFor: (repository: InstalledRepository, purpose: 'write' | 'check' | 'status') => Octokit;
  readonly ownLogin: string;
  readonly log: PublishLog;
  /** Remains of the runs of tenants on this machine. Default: nothing. */
  readonly leftovers?: {
    /** Returns the folder with the runs, or with the checkouts, of a tenant. */
    readonly folderOf: (kind: 'runs' | 'checkouts', tenant: string) => string;
    /** Values that must not leave this machine. */
    readonly secrets: readonly string[];
  };
}

/** Adds one stored entry of a repository. */
interface StoredEntry extends ClosingContext {
  readonly repository: InstalledRepository;
  readonly store: StateStore;
  readonly tenant: string;
  /** The key in the repository's own store. */
  readonly key: string;
}

/** Lists the entries below a prefix in all repositories, without those being removed. */
async function* entriesBelow(prefix: string, context: ClosingContext): AsyncGenerator<StoredEntry> {
  for (const shared of await context.state.list(prefix)) {
    const tenant = tenantOfKey(shared);
    if (tenant === null || tenant.installation === null) continue;
    const opened = repositoryState(context.state, tenant);
    if (await opened.isOver()) continue;
    const repository = { installation: tenant.installation, repository: tenant.repository };
    const key = keyWithinTenant(tenantName(tenant), shared);
    yield { ...context, repository, store: opened.store, tenant: tenantName(tenant), key };
  }
}

/**
 * Closes comments and checks of abandoned runs, whose process died too often or could not reach
 * GitHub at the end. Also removes their reactions. Failures are tried again next time; returns true
 * if any are left.
 */
export async function closeAbandonedRuns(context: ClosingContext): Promise<boolean> {
  let left = false;
  for await (const entry of entriesBelow(stateKeys.open(''), context)) {
    const { store, key } = entry;
    const run = await readAbandoned(OpenRun, ({ plan }) => plan.source.delivery_id, entry);
    if (run === null) continue;
    // Each reports the result if the other cannot.
    const parts = [
      await tryClose(() => closeComment(run, entry), context),
      await tryClose(() => endCheck(run, entry), context),
    ];
    if (parts.includes(false)) {
      left = true;
      continue;
    }
    await store.delete(key);
    await store.delete(stateKeys.stop(run.plan.run_id));
  }
  for await (const entry of entriesBelow(stateKeys.allEyes, context)) {
    const eyes = await readAbandoned(EyesReaction, ({ delivery_id }) => delivery_id, entry);
    if (eyes === null) continue;
    if (await tryClose(() => removeStoredEyes(eyes, entry), context)) await entry.store.delete(entry.key);
    else left = true;
  }
  return left;
}

/** Returns false if the action must be tried again. */
async function tryClose(act: () => Promise<void>, { log }: ClosingContext): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ status: failure.status }, 'The open entries of a run could not be closed.');
    // Gone, locked or no longer ours: trying again does not help.
    return [403, 404, 410, 422].includes(failure.status);
  }
}

/** Reads an entry that no delivery will close; null for any other. */
async function readAbandoned<Left>(
  schema: z.ZodType<Left>,
  deliveryOf: (left: Left) => string | null,
  { key, store, isPending, log }: StoredEntry,
): Promise<Left | null> {
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) {
    log.warn({ key }, 'The stored entries of an open run cannot be read; they are forgotten.');
    await store.delete(key);
    return null;
  }
  const delivery = deliveryOf(parsed.data);
  if (delivery === null || (await isPending(delivery))) return null;
  // Read again: a run deletes its entry before its delivery is done.
  return (await store.get(key)) === text ? parsed.data : null;
}

async function closeComment(run: OpenRun, context: StoredEntry): Promise<void> {
  const { plan } = run;
  const { ownLogin, log, store } = context;
  // No one expects a comment that was not announced or requested.
  if (plan.thread === null || (!run.shown && plan.trigger_comment === null)) return;
  const octokit = context.octokitFor(context.repository, 'write');
  const body = run.body ?? (await savedText(run, context)) ?? endText(run);
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const posted = await postOwnComment(target, 'progress', body);
  const wanted = markedBody(plan, 'progress', body);
  if (posted.body !== wanted && (run.body !== null || isProgress(posted.body)))
    await editOwnComment(target, 'progress', posted.id, body);
  await tryRemoveEyes(plan, { octokit, ownLogin, log, store });
  await endControls(plan, [], { octokit, store, ownLogin, log });
}

async function endCheck(run: OpenRun, context: StoredEntry): Promise<void> {
  const { plan, check, run_url: runUrl } = run;
  if (check === null) return;
  const octokit = context.octokitFor(context.repository, check.kind);
  await closeCheck(plan, check, endText(run), { octokit, ownLogin: context.ownLogin, runUrl });
}

async function removeStoredEyes({ repository, comment }: EyesReaction, context: StoredEntry): Promise<void> {
  const octokit = context.octokitFor(context.repository, 'write');
  await removeEyes({ repository, trigger_comment: comment }, { ...context, octokit });
}

/** Renders what an abandoned run had done, from its files; null without any. */
async function savedText(
  { plan, run_url: runUrl }: OpenRun,
  { leftovers, tenant, log }: StoredEntry,
): Promise<string | null> {
  if (leftovers === undefined) return null;
  const { folderOf, secrets } = leftovers;
  try {
    const { ledgersOf, renderBrokenRun } = await import('../pipeline/finish/broken-run.ts');
    const ledgers = await ledgersOf(folderOf('runs', tenant), plan.run_id);
    return await renderBrokenRun(ledgers, plan, {
      ...{ message: unfinishedText, runUrl, secrets },
      checkoutsFolder: folderOf('checkouts', tenant),
    });
  } catch (err) {
    log.warn({ err, run: plan.run_id }, 'The work of an abandoned run could not be read.');
    return null;
  }
}

const endText = ({ run_url }: OpenRun): string =>
  renderEnd({ kind: 'failed', message: unfinishedText }, run_url);

const unfinishedText =
  'The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.';
