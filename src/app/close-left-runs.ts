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

/** What closing needs from the root. */
export interface LeftRunPorts {
  readonly state: StateRoot;
  /** Whether the delivery that a run belongs to is still to be handled, or is being handled by any process. */
  readonly isPending: (deliveryId: string) => Promise<boolean>;
  /** With tokens for that purpose in a repository. */
  readonly octokitFor: (repository: InstalledRepository, purpose: 'write' | 'check' | 'status') => Octokit;
  readonly ownLogin: string;
  readonly log: Log;
}

/** The same for what is kept at one key, of one repository. */
interface PlacePorts extends LeftRunPorts {
  readonly repository: InstalledRepository;
  readonly store: StateStore;
  /** As the repository's own store knows it. */
  readonly key: string;
}

/** Lists what is kept below a prefix for each repository, without repositories that are being removed. */
async function* placesBelow(prefix: string, ports: LeftRunPorts): AsyncGenerator<PlacePorts> {
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
 * Closes the comments and checks of runs that nobody works on any more, because their process died too often or because GitHub could
 * not be reached when they ended, and takes away reactions that were left. What GitHub does not take now is tried again the next
 * time: true where something is left for that.
 */
export async function closeLeftRuns(ports: LeftRunPorts): Promise<boolean> {
  let left = false;
  for await (const place of placesBelow(openRuns, ports)) {
    const { store, key } = place;
    const run = await readLeft(OpenRun, ({ plan }) => plan.source.delivery_id, place);
    if (run === null) continue;
    // The one says how it ended where the other cannot.
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
  for await (const place of placesBelow(eyesPrefix, ports)) {
    const given = await readLeft(EyesReaction, ({ delivery_id }) => delivery_id, place);
    if (given === null) continue;
    if (await isClosed(() => takeEyes(given, place), ports)) await place.store.delete(place.key);
    else left = true;
  }
  return left;
}

/** Does it; false where it is to be tried again. */
async function isClosed(act: () => Promise<void>, { log }: LeftRunPorts): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ status: failure.status }, 'What a run left open could not be closed.');
    // Gone, locked or not ours any more: waiting does not help.
    return [403, 404, 410, 422].includes(failure.status);
  }
}

/** What is kept there, where nobody is going to close it. */
async function readLeft<Left>(
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
  // It may have been closed while we looked: a run forgets itself before its delivery is done.
  return (await store.get(key)) === text ? parsed.data : null;
}

async function closeComment(run: OpenRun, ports: PlacePorts): Promise<void> {
  const { plan } = run;
  const { ownLogin, log, store } = ports;
  // Nobody waits for what was not announced, nor asked for.
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

async function takeEyes({ repository, comment }: EyesReaction, ports: PlacePorts): Promise<void> {
  const octokit = ports.octokitFor(ports.repository, 'write');
  await removeEyes({ repository, trigger_comment: comment }, { ...ports, octokit });
}

const wordsOf = ({ run_url }: OpenRun): string => renderEnd({ kind: 'failed', message: unfinished }, run_url);

const unfinished =
  'The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.';
