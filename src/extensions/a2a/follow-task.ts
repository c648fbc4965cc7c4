import type { SendMessageRequest } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { TaskView } from './task-view.ts';

/** How often a task is asked about, in milliseconds: soon at first, then less and less. */
const firstPause = 200;
const longestPause = 5_000;

/** Seconds that an agent has to take note that its task is cancelled. */
const cancelSeconds = 3;

/** What is asked: something new, or how it is with a task. */
export type Asked = { readonly request: SendMessageRequest } | { readonly taskId: string };

/**
 * Asks and follows what comes of it until it is settled, the time is up, or right away where `wait` is false: as a stream where the agent has
 * them, else by asking again and again, as after a stream that broke. At an abort the task is cancelled, and the reason thrown.
 */
export async function followTask(
  client: Client,
  asked: Asked,
  limits: {
    readonly streams: boolean;
    readonly wait: boolean;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<TaskView> {
  const view = new TaskView('taskId' in asked ? asked.taskId : (asked.request.message?.taskId ?? ''));
  const late = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, late]);
  try {
    if ('taskId' in asked) view.takeTask(await client.getTask({ tenant: '', id: asked.taskId }, { signal }));
    else await send(client, asked.request, limits, view, signal);
    if (limits.wait) await poll(client, view, signal);
  } catch (error) {
    if (limits.signal.aborted) {
      await cancel(client, view);
      throw limits.signal.reason;
    }
    // What was said until then counts, and the task can be asked about later.
    if (!late.aborted || view.taskId === null) throw late.aborted ? late.reason : error;
  }
  return view;
}

async function send(
  client: Client,
  request: SendMessageRequest,
  { streams, wait }: { readonly streams: boolean; readonly wait: boolean },
  view: TaskView,
  signal: AbortSignal,
): Promise<void> {
  if (!streams || !wait) return view.takeResult(await client.sendMessage(request, { signal }));
  try {
    const { configuration } = request;
    const streamed =
      configuration === undefined
        ? request
        : { ...request, configuration: { ...configuration, returnImmediately: false } };
    for await (const event of client.sendMessageStream(streamed, { signal })) view.take(event);
  } catch (error) {
    if (signal.aborted || view.taskId === null) throw error;
  }
}

async function poll(client: Client, view: TaskView, signal: AbortSignal): Promise<void> {
  for (
    let pause = firstPause;
    !view.isSettled && view.taskId !== null;
    pause = Math.min(pause * 2, longestPause)
  ) {
    await passed(pause, signal);
    view.takeTask(await client.getTask({ tenant: '', id: view.taskId }, { signal }));
  }
}

async function cancel(client: Client, view: TaskView): Promise<void> {
  if (view.taskId === null || view.isSettled) return;
  const signal = AbortSignal.timeout(cancelSeconds * 1_000);
  // Whether it heeds that is its own affair: we are leaving.
  await client
    .cancelTask({ tenant: '', id: view.taskId, metadata: undefined }, { signal })
    .catch(() => undefined);
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  });
}
