import type { Message, Part, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { append } from '../../contract/lists.ts';
import { pause } from '../../tools/registry/promise-limits.ts';

/** Pauses between polls in milliseconds; each is twice the one before. */
const firstPause = 200;
const longestPause = 5_000;

/** Seconds that an agent has to take note that its task is cancelled. */
const cancelSeconds = 3;

/** A new request, or a task to look at. */
export type TaskRequest = { readonly request: SendMessageRequest } | { readonly taskId: string };

/**
 * Sends a request and follows the task until it ends or the time is up; with `wait` false it
 * returns immediately. Uses a stream if the agent has them, otherwise polls, also after a broken
 * stream. An abort cancels the task and rejects with the reason.
 */
export async function followTask(
  client: Client,
  request: TaskRequest,
  limits: {
    readonly streams: boolean;
    readonly wait: boolean;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<TaskView> {
  const view = new TaskView('taskId' in request ? request.taskId : (request.request.message?.taskId ?? ''));
  const late = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([limits.signal, late]);
  try {
    if ('taskId' in request)
      view.takeTask(await client.getTask({ tenant: '', id: request.taskId }, { signal }));
    else await send(client, request.request, view, { signal, streams: limits.streams && limits.wait });
    if (limits.wait) await poll(client, view, signal);
  } catch (error) {
    if (limits.signal.aborted) {
      await cancel(client, view);
      throw limits.signal.reason;
    }
    // The partial result counts: the task can be asked about later.
    if (!late.aborted || view.taskId === null) throw late.aborted ? late.reason : error;
  }
  return view;
}

async function send(
  client: Client,
  request: SendMessageRequest,
  view: TaskView,
  { streams, signal }: { readonly streams: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (!streams) return view.takeResult(await client.sendMessage(request, { signal }));
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
    let delay = firstPause;
    !view.isFinal && view.taskId !== null;
    delay = Math.min(delay * 2, longestPause)
  ) {
    await pause(delay, signal);
    view.takeTask(await client.getTask({ tenant: '', id: view.taskId }, { signal }));
  }
}

async function cancel(client: Client, view: TaskView): Promise<void> {
  if (view.taskId === null || view.isFinal) return;
  const signal = AbortSignal.timeout(cancelSeconds * 1_000);
  // The run is leaving, so the answer does not matter.
  await client
    .cancelTask({ tenant: '', id: view.taskId, metadata: undefined }, { signal })
    .catch(() => undefined);
}

/** States of a task, by their numbers (A2A 1.0, 4.1.3). */
const states = [
  'unknown',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input required',
  'rejected',
  'authorization required',
] as const;
type TaskState = (typeof states)[number];

/** States in which the agent sends nothing until we do. */
const finalStates: readonly TaskState[] = [
  'completed',
  'failed',
  'canceled',
  'rejected',
  'input required',
  'authorization required',
];

/** An artifact with the agent's name for it. */
interface Artifact {
  readonly name: string;
  readonly parts: readonly Part[];
}

/** The state of a task as reported so far. */
export class TaskView {
  #task: { id: string; contextId: string } | null;
  #state: TaskState = 'unknown';
  #reply: readonly Part[] = [];
  #message: Message | null = null;
  readonly #artifacts = new Map<string, { name: string; parts: Part[] }>();

  /** `taskId`: the task to continue; empty if there is none yet. */
  constructor(taskId: string) {
    this.#task = taskId === '' ? null : { id: taskId, contextId: '' };
  }

  /** Null for an agent that answered without a task. */
  get taskId(): string | null {
    return this.#task?.id || null;
  }

  get contextId(): string | null {
    return (this.#task?.contextId ?? this.#message?.contextId) || null;
  }

  get state(): TaskState {
    return this.#message !== null && this.#task === null ? 'completed' : this.#state;
  }

  /** True where waiting brings nothing more. */
  get isFinal(): boolean {
    return this.#message !== null || finalStates.includes(this.#state);
  }

  /** Parts of its answer, or of its last status. */
  get reply(): readonly Part[] {
    return this.#message?.parts ?? this.#reply;
  }

  get artifacts(): readonly Artifact[] {
    return [...this.#artifacts.values()];
  }

  take(event: StreamResponse): void {
    const { payload } = event;
    if (payload?.$case === 'message') this.#message = payload.value;
    else if (payload?.$case === 'task') this.takeTask(payload.value);
    else if (payload?.$case === 'statusUpdate') {
      const { taskId, contextId, status } = payload.value;
      this.#task = { id: taskId, contextId };
      this.#takeStatus(status);
    } else if (payload?.$case === 'artifactUpdate') {
      const { taskId, contextId, artifact, append } = payload.value;
      this.#task = { id: taskId, contextId };
      if (artifact !== undefined) this.#takeArtifact(artifact, append);
    }
  }

  takeResult(result: Message | Task): void {
    if ('messageId' in result) this.#message = result;
    else this.takeTask(result);
  }

  takeTask({ id, contextId, status, artifacts, history }: Task): void {
    this.#task = { id, contextId };
    this.#takeStatus(status);
    this.#artifacts.clear();
    for (const artifact of artifacts ?? []) this.#takeArtifact(artifact, false);
    // Some say what they have to say in the history alone.
    const last = history?.at(-1);
    if (this.#reply.length === 0 && this.#artifacts.size === 0 && last?.role === 2) this.#reply = last.parts;
  }

  #takeStatus(status: Task['status']): void {
    this.#state = states.at(Math.max(0, status?.state ?? 0)) ?? 'unknown';
    this.#reply = status?.message?.parts ?? [];
  }

  #takeArtifact(artifact: Task['artifacts'][number], goesOn: boolean): void {
    const before = goesOn ? this.#artifacts.get(artifact.artifactId) : undefined;
    if (before === undefined)
      this.#artifacts.set(artifact.artifactId, { name: artifact.name ?? '', parts: [...artifact.parts] });
    else append(before.parts, artifact.parts);
  }
}
