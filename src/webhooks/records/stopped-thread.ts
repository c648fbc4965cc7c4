import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { EyesReaction } from '../../contract/thread-records.ts';
import { requestCode, requestLink, shortCode } from '../commands/request-quote.ts';
import type { Trigger } from '../commands/trigger.ts';

/** A stop of everything on a thread, stored until the queue reaches the stop request. */
const StoppedThread = z.object({
  at: z.string(),
  runs: z.int(),
  /** The stopped runs and the dropped requests, each as Markdown. */
  stopped: z.array(z.string()).default([]),
  dropped: z.array(z.string()).default([]),
});
type StoppedThread = z.infer<typeof StoppedThread>;

/** Stores that a thread was stopped, and the runs that ended, each as Markdown. */
export async function saveStop(
  store: StateStore,
  trigger: Trigger,
  stopped: readonly string[],
): Promise<void> {
  const before = await readStop(store, trigger);
  const dropped = before?.at === trigger.at ? before.dropped : [];
  await save(store, trigger, { at: trigger.at, runs: stopped.length, stopped: [...stopped], dropped });
}

/** Returns true if a request was made no later than the stop of its thread. */
export async function wasStopped(store: StateStore, trigger: Trigger): Promise<boolean> {
  const stopped = await readStop(store, trigger);
  return stopped !== null && Date.parse(trigger.at) <= Date.parse(stopped.at);
}

/** Stores a request that does not start since its thread was stopped, for the reply to the stop. */
export async function saveDropped(
  store: StateStore,
  trigger: Trigger,
  repository: Pick<RunPlan['repository'], 'clone_url'>,
): Promise<void> {
  const stopped = await readStop(store, trigger);
  if (stopped === null) return;
  const { actor, thread, comment } = trigger;
  const text = trigger.automated
    ? `${shortCode(trigger.kind)} of a push`
    : `${requestCode(trigger)}, ${requestLink({ login: actor.login, thread, comment }, repository)}`;
  // A request may be decided on several times.
  if (stopped.dropped.includes(text)) return;
  await save(store, trigger, { ...stopped, dropped: [...stopped.dropped, text] });
}

/** Quotes the request of a run as Markdown, with a link to its comment. */
export async function quoteRun(
  { verb, requester, thread, trigger_comment: comment, repository }: RunPlan,
  store: StateStore,
): Promise<string> {
  if (comment === null || thread === null) return shortCode(verb);
  const eyes = EyesReaction.safeParse(parseJson((await store.get(stateKeys.eyes(comment))) ?? ''));
  const quote = eyes.data?.request?.quote ?? shortCode(verb);
  return `${quote}, ${requestLink({ login: requester.login, thread, comment }, repository)}`;
}

/**
 * Returns the reply to a stop request, and deletes the stored stop (not in a dry run), so that
 * later requests may run. Null if it dropped nothing and the stopped runs report it themselves.
 */
export async function takeStopReply(
  trigger: Trigger,
  {
    store,
    settings,
  }: { readonly store: StateStore; readonly settings: { readonly host: string; readonly dryRun: boolean } },
): Promise<string | null> {
  if (settings.host === 'action')
    return 'A run in a workflow is stopped by cancelling the workflow run, on its page under Actions.';
  const stop = await readStop(store, trigger);
  if (!settings.dryRun) await store.delete(stateKeys.stoppedAt(trigger.thread.number));
  if (stop === null || stop.dropped.length === 0)
    return (stop?.runs ?? 0) === 0 ? 'Nothing was running here.' : null;
  const { stopped, dropped } = stop;
  const [subject, again] =
    dropped.length === 1
      ? ['1 request that waited', 'it']
      : [`${dropped.length} requests that waited`, 'one'];
  return [
    ...(stopped.length === 0 ? [] : [`Stopped, with a report of the work so far:\n${listOf(stopped)}`]),
    `Dropped ${subject}:\n${listOf(dropped)}`,
    `Ask again in a new comment if you still want ${again}.`,
  ].join('\n\n');
}

/** Most listed requests. */
const mostListed = 20;

function listOf(items: readonly string[]): string {
  const more = items.length - mostListed;
  const lines = items.slice(0, mostListed).map((item) => `- ${item}`);
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

async function readStop(
  store: StateStore,
  { thread }: Pick<Trigger, 'thread'>,
): Promise<StoppedThread | null> {
  const text = await store.get(stateKeys.stoppedAt(thread.number));
  return text === null ? null : (StoppedThread.safeParse(parseJson(text)).data ?? null);
}

const save = (store: StateStore, { thread }: Pick<Trigger, 'thread'>, stop: StoppedThread): Promise<void> =>
  store.set(stateKeys.stoppedAt(thread.number), JSON.stringify(stop));
