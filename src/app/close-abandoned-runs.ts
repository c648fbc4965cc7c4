import type { Octokit } from '@octokit/rest';
import type * as z from 'zod';
import { parseJson } from '../contract/json.ts';
import { OpenRun, openRuns, stopKey } from '../contract/run-records.ts';
import {
  type InstalledRepository,
  keyWithinTenant,
  type StateRoot,
  type StateStore,
  tenantName,
  tenantOfKey,
} from '../contract/state-store.ts';
import { EyesReaction, eyesPrefix } from '../contract/thread-records.ts';
import { closeCheck } from '../reporting/check-run/run-check.ts';
import { readApiFailure } from '../reporting/posting/api-failure.ts';
import { editOwnComment, markedBody, postOwnComment } from '../reporting/posting/own-comment.ts';
import type { Log } from '../reporting/posting/ports.ts';
import { endControls } from '../reporting/progress/controls-comment.ts';
import { isProgress } from '../reporting/progress/render-progress.ts';
import { renderEnd } from '../reporting/report/render-conclusion.ts';
import { removeEyes, tryRemoveEyes } from '../reporting/thread/reactions.ts';
import { repositoryState } from '../state/repository-state.ts';

/** The App's services for closing abandoned runs. */
export interface ClosingContext {
  readonly state: StateRoot;
  /** Returns true if a run's delivery is waiting or active in any process. */
  readonly isPending: (deliveryId: string) => Promise<boolean>;
  /** Creates a client with tokens for a purpose in a repository. */
  readonly octokitFor: (repository: InstalledRepository, purpose: 'write' | 'check' | 'status') => Octokit;
  readonly ownLogin: string;
  readonly log: Log;
}

/** Adds one stored entry of a repository. */
interface PlacePorts extends ClosingContext {
  readonly repository: InstalledRepository;
  readonly store: StateStore;
  /** The key in the repository's own store. */
  readonly key: string;
}

/** Lists the entries below a prefix in all repositories, without those being removed. */
async function* entriesBelow(prefix: string, ports: ClosingContext): AsyncGenerator<PlacePorts> {
  for (const shared of await ports.state.list(prefix)) {
    const tenant = tenantOfKey(shared);
    if (tenant === null || tenant.installation === null) continue;
    const opened = repositoryState(ports.state, tenant);
    if (await opened.isOver()) continue;
    const repository = { installation: tenant.installation, repository: tenant.repository };
    const key = keyWithinTenant(tenantName(tenant), shared);
    yield { ...ports, repository, store: opened.store, key };
  }
}

/**
 * Closes comments and checks of abandoned runs, whose process died too often or could not reach
 * GitHub at the end. Also removes their reactions. Failures are tried again next time; returns true
 * if any are left.
 */
export async function closeAbandonedRuns(ports: ClosingContext): Promise<boolean> {
  let left = false;
  for await (const place of entriesBelow(openRuns, ports)) {
    const { store, key } = place;
    const run = await readAbandoned(OpenRun, ({ plan }) => plan.source.delivery_id, place);
    if (run === null) continue;
    // Each reports the result if the other cannot.
    const parts = [
      await isClosed(() => closeComment(run, place), ports),
      await isClosed(() => endCheck(run, place), ports),
    ];
    if (parts.includes(false)) {
      left = true;
      continue;
    }
    await store.delete(key);
    await store.delete(stopKey(run.plan.run_id));
  }
  for await (const place of entriesBelow(eyesPrefix, ports)) {
    const given = await readAbandoned(EyesReaction, ({ delivery_id }) => delivery_id, place);
    if (given === null) continue;
    if (await isClosed(() => removeStoredEyes(given, place), ports)) await place.store.delete(place.key);
    else left = true;
  }
  return left;
}

/** Returns false if the action must be tried again. */
async function isClosed(act: () => Promise<void>, { log }: ClosingContext): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ status: failure.status }, 'What a run left open could not be closed.');
    // Gone, locked or no longer ours: trying again does not help.
    return [403, 404, 410, 422].includes(failure.status);
  }
}

/** Reads an entry that no delivery will close; null for any other. */
async function readAbandoned<Left>(
  schema: z.ZodType<Left>,
  deliveryOf: (left: Left) => string | null,
  { key, store, isPending, log }: PlacePorts,
): Promise<Left | null> {
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) {
    log.warn({ key }, 'What a run left open cannot be read; it is forgotten.');
    await store.delete(key);
    return null;
  }
  const delivery = deliveryOf(parsed.data);
  if (delivery === null || (await isPending(delivery))) return null;
  // Read again: a run deletes its entry before its delivery is done.
  return (await store.get(key)) === text ? parsed.data : null;
}

async function closeComment(run: OpenRun, ports: PlacePorts): Promise<void> {
  const { plan } = run;
  const { ownLogin, log, store } = ports;
  // No one expects a comment that was neither announced nor requested.
  if (plan.thread === null || (!run.shown && plan.trigger_comment === null)) return;
  const octokit = ports.octokitFor(ports.repository, 'write');
  const body = run.body ?? wordsOf(run);
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  const posted = await postOwnComment(place, 'progress', body);
  const wanted = markedBody(plan, 'progress', body);
  if (posted.body !== wanted && (run.body !== null || isProgress(posted.body)))
    await editOwnComment(place, 'progress', posted.id, body);
  await tryRemoveEyes(plan, { octokit, ownLogin, log, store });
  await endControls(plan, [], { octokit, store, ownLogin, log });
}

async function endCheck(run: OpenRun, ports: PlacePorts): Promise<void> {
  const { plan, check, run_url: runUrl } = run;
  if (check === null) return;
  const octokit = ports.octokitFor(ports.repository, check.kind);
  await closeCheck(plan, check, wordsOf(run), { octokit, ownLogin: ports.ownLogin, runUrl });
}

async function removeStoredEyes({ repository, comment }: EyesReaction, ports: PlacePorts): Promise<void> {
  const octokit = ports.octokitFor(ports.repository, 'write');
  await removeEyes({ repository, trigger_comment: comment }, { ...ports, octokit });
}

const wordsOf = ({ run_url }: OpenRun): string => renderEnd({ kind: 'failed', message: unfinished }, run_url);

const unfinished =
  'The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.';
