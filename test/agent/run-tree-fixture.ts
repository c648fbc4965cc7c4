import { openRunLedger, type RunLedger } from '../../src/agent/ledger/open-run-ledger.ts';
import type { AgentResult } from '../../src/agent/loop/agent-run.ts';
import type { RunSettings } from '../../src/agent/loop/run-tree.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/agent/models/model.ts';
import { makeProfiles, type Profile } from '../../src/agent/profiles/profiles.ts';
import { startRun } from '../../src/agent/start-run.ts';
import { contextBounds } from '../../src/config/defaults.ts';
import type { Decision } from '../../src/contract/decision.ts';
import type { Json, JsonObject } from '../../src/contract/json.ts';
import type { Message } from '../../src/contract/message.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import { openTools, type ToolHarness } from '../tools/tool-harness.ts';

/** What a model says in one turn. */
export interface Said {
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, input: Json])[];
}

/**
 * The turns of one run, each created when needed; `I am <name>.` in its first message identifies
 * the run.
 */
export type Script = Readonly<
  Record<string, readonly (Said | ((request: ModelRequest) => Said | Promise<Said>))[]>
>;

/** A main run with its children on a real work tree, with only the model and the gate played. */
export interface Family {
  readonly tools: ToolHarness;
  readonly result: AgentResult;
  /** Everything in the parent's record but its messages, in order. */
  readonly entries: readonly RunEntry[];
  /** What each run was sent, by its name. */
  readonly seen: ReadonlyMap<string, readonly ModelRequest[]>;
}

const allow: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: 'allowed',
  rule: null,
  hard: false,
  commands: [],
};

const nothingBefore = {
  ...{ turns: 0, todos: [], approvals: [], findings: [] },
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
};

/** The text of all tool results in the last message of a request. */
export function lastResults({ messages }: Pick<ModelRequest, 'messages'>): string {
  return textOf(messages.at(-1));
}

export function textOf(message: Message | undefined): string {
  return (message?.parts ?? [])
    .flatMap((part) => (part.type === 'tool_result' ? part.content : [part]))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
}

/** The id of the child that a result named. */
export function childId(text: string): string {
  const id = /child_\d+/.exec(text)?.[0];
  if (id === undefined) throw new TypeError(`no child in: ${text}`);
  return id;
}

/** Runs the main run `main` of the script; its children are whoever it starts. */
export async function runRunTree(
  script: Script,
  options: {
    readonly files?: Readonly<Record<string, string>>;
    readonly profile?: Partial<Profile>;
    readonly signal?: AbortSignal;
    readonly before?: Partial<NonNullable<RunSettings['before']>>;
    readonly foreground?: boolean;
    readonly gate?: RunSettings['gate'];
    readonly limits?: Partial<RunSettings['limits']>;
    readonly onEntry?: (entry: RunEntry) => void;
  } = {},
): Promise<Family> {
  const tools = await openTools(options.files ?? {}, { git: true });
  const { callId: _, onlyReads: __, ...services } = tools.context;
  const ledger: RunLedger = openRunLedger(`${tools.root}/../ledger.jsonl`, {
    now: () => new Date(0),
    redact: (text) => text,
  });
  const entries: RunEntry[] = [];
  const seen = new Map<string, ModelRequest[]>();
  const model = scripted(script, seen);
  const profiles = makeProfiles();
  const profile = { ...profiles.find('study'), ...options.profile };
  let ids = 0;
  const started = startRun({
    ...{ runId: 'run_1', sessionId: 'sess_1', prompt: 'I am main.', presetName: 'careful' },
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'I am main.' }] }],
    ...{ profile, profiles, model, models: async () => model },
    registry: async () => builtinTools,
    ...{ toolDefinitions: [], disabledTools: [], rules: [], grants: [] },
    limits: {
      ...{ max_turns: null, max_tool_calls: null, max_tokens: null },
      ...{ max_cost_usd: null, timeout_seconds: null, ...options.limits },
    },
    context: contextBounds(undefined),
    ...{ baseSha: null, sandboxed: false, canAsk: true, canApprove: false },
    services: async () => services,
    ledger,
    gate: options.gate ?? (async () => allow),
    ...{ after: null, decided: null, open: null, foreground: options.foreground ?? false },
    before: options.before === undefined ? null : { ...nothingBefore, ...options.before },
    redact: (text) => text,
    listen: (event) => {
      const { type } = event;
      if (type === 'text.delta' || type === 'child_run.tool_call' || type === 'child_run.tool_result') return;
      entries.push(event);
      options.onEntry?.(event);
    },
    signal: options.signal ?? new AbortController().signal,
    now: () => new Date(0),
    contextPack: async () => '',
    newId: () => {
      ids += 1;
      return `child_${ids}`;
    },
    reviewDiff: async () => ({ diff: '', commit: null }),
  });
  const result = await started.catch(async (error: unknown) => {
    await tools.close();
    throw error;
  });
  await ledger.close();
  return { tools, result, entries, seen };
}

function scripted(script: Script, seen: Map<string, ModelRequest[]>): Model {
  const at = new Map<string, number>();
  return {
    name: 'test/model',
    nativeTools: true,
    contextWindow: 100_000,
    cost: () => 0.01,
    async complete(request): Promise<ModelReply> {
      const name = /I am (\w+)\./.exec(textOf(request.messages[0]))?.[1] ?? '';
      seen.set(name, [...(seen.get(name) ?? []), { ...request, messages: [...request.messages] }]);
      const turn = at.get(name) ?? 0;
      at.set(name, turn + 1);
      const next = script[name]?.[turn];
      if (next === undefined) throw new TypeError(`nothing is written for turn ${turn + 1} of ${name}`);
      const reply = await unlessAborted(typeof next === 'function' ? next(request) : next, request.signal);
      const calls = (reply.calls ?? []).map(([tool, input], index) => ({
        ...{ type: 'tool_call' as const, name: tool, input: input as JsonObject },
        id: `call_${turn}_${index}`,
      }));
      const text = reply.text === undefined ? [] : [{ type: 'text' as const, text: reply.text }];
      return {
        message: { role: 'assistant', parts: [...text, ...calls] },
        stop: calls.length === 0 ? 'end' : 'tool_calls',
        usage: { input: 10, output: 5, cache_read: 0, cache_write: 0 },
      };
    },
  };
}

function unlessAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(value).then(resolve, reject);
  });
}
