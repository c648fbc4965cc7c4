import type { Message, Part, StreamResponse, Task } from '@a2a-js/sdk';
import { append } from '../../contract/append.ts';

/** What becomes of a task, by the numbers of the protocol (A2A 1.0, 4.1.3). */
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
type TaskWord = (typeof states)[number];

/** States in which nothing comes any more without us. */
const settled: readonly TaskWord[] = [
  'completed',
  'failed',
  'canceled',
  'rejected',
  'input required',
  'authorization required',
];

/** What an agent made, under the name that it gave it. */
export interface Made {
  readonly name: string;
  readonly parts: readonly Part[];
}

/** What an agent has said so far. */
export class TaskView {
  #task: { id: string; contextId: string } | null;
  #state: TaskWord = 'unknown';
  #words: readonly Part[] = [];
  #message: Message | null = null;
  readonly #artifacts = new Map<string, { name: string; parts: Part[] }>();

  /** `taskId`: the task that is gone on with; empty where there is none yet. */
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

  get state(): TaskWord {
    return this.#message !== null && this.#task === null ? 'completed' : this.#state;
  }

  /** True where waiting brings nothing more. */
  get isSettled(): boolean {
    return this.#message !== null || settled.includes(this.#state);
  }

  /** What it says: its answer, or what stands with its state. */
  get words(): readonly Part[] {
    return this.#message?.parts ?? this.#words;
  }

  get artifacts(): readonly Made[] {
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
    if (this.#words.length === 0 && this.#artifacts.size === 0 && last?.role === 2) this.#words = last.parts;
  }

  #takeStatus(status: Task['status']): void {
    this.#state = states.at(Math.max(0, status?.state ?? 0)) ?? 'unknown';
    this.#words = status?.message?.parts ?? [];
  }

  #takeArtifact(artifact: Task['artifacts'][number], goesOn: boolean): void {
    const before = goesOn ? this.#artifacts.get(artifact.artifactId) : undefined;
    if (before === undefined)
      this.#artifacts.set(artifact.artifactId, { name: artifact.name ?? '', parts: [...artifact.parts] });
    else append(before.parts, artifact.parts);
  }
}
