import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import * as z from 'zod';
import type { CallToolPorts } from '../../src/agent/calls/call-tool.ts';
import { newHistoryFold } from '../../src/agent/context/history-fold.ts';
import { conversationPort, noRequests } from '../../src/agent/context/loop-requests.ts';
import { openRunLedger, type RunLedger } from '../../src/agent/ledger/open-run-ledger.ts';
import { openRunBudget } from '../../src/agent/limits/run-budget.ts';
import type { AgentResult, AgentRun } from '../../src/agent/loop/agent-run.ts';
import { runAgent } from '../../src/agent/loop/run-agent.ts';
import { makeToolCalls } from '../../src/agent/loop/tool-calls.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/agent/models/model.ts';
import { findProfile } from '../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../src/agent/profiles/tool-set.ts';
import { contextBounds } from '../../src/config/defaults.ts';
import type { Decision } from '../../src/contract/decision.ts';
import { RunStopped, ToolError } from '../../src/contract/errors.ts';
import type { Json } from '../../src/contract/json.ts';
import type { RunLimits } from '../../src/contract/limits.ts';
import type { Message } from '../../src/contract/message.ts';
import type { RunHistory } from '../../src/contract/run-history.ts';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { batch } from '../../src/tools/registry/batch.ts';
import { compact } from '../../src/tools/registry/compact.ts';
import { toolSearch } from '../../src/tools/registry/tool-search.ts';
import { useTool } from '../../src/tools/registry/use-tool.ts';
import { defineTool, type Tool, type ToolContext } from '../../src/tools/tool.ts';

export const usage = { input: 10, output: 5, cache_read: 0, cache_write: 0 };
export const started: string[] = [];

/** A tool that notes when it ran; `ask` makes the run wait, `fail` is an error for the model. */
function noting(name: string, readOnly: boolean, act?: () => string): Tool {
  return defineTool({
    name,
    description: name,
    input: z.object({ path: z.string().default('x') }),
    level: readOnly ? 'auto_read' : 'confirm_write',
    readOnly,
    targets: (input) => ({ what: input.path }),
    execute: async (input, context) => {
      started.push(`${name} ${input.path}`);
      if (input.path === 'time') return { content: `${context.conversation?.msLeft()} ms left` };
      // A path that is a number asks for so many characters.
      const long = /^\d+$/.test(input.path) ? 'x'.repeat(Number(input.path)) : null;
      return { content: act?.() ?? long ?? `${name} done` };
    },
  });
}

const registry = [
  noting('read', true),
  noting('grep', true, () => {
    throw new ToolError('not_found', 'There is no such file.');
  }),
  noting('edit_file', false),
  noting('bash', false, () => {
    throw new Error('a defect');
  }),
  {
    ...noting('ask_user', false, () => {
      throw new RunStopped({ kind: 'waiting', message: 'Waiting for an answer.' });
    }),
    level: 'interactive' as const,
  },
  {
    ...noting('shell_session', false),
    exposure: 'deferred' as const,
    prepare: async () => ({ targets: { what: 'x' }, diff: '', state: null, endsWithRun: true }),
  },
  { ...noting('insert_text', false), exposure: 'deferred' as const, description: 'Insert lines.' },
  defineTool({
    name: 'finish',
    description: 'End the run.',
    exposure: 'hidden',
    input: z.object({ path: z.string() }),
    level: 'state_write',
    readOnly: false,
    targets: (input) => ({ what: input.path }),
    execute: async (input, context) => {
      await context.finish(input.path === '' ? null : input.path);
      return { content: 'The run ends.' };
    },
  }),
  { ...compact, exposure: 'hidden' as const },
  batch,
  toolSearch,
  useTool,
];

export const allow: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: 'allowed',
  rule: null,
  hard: false,
  commands: [],
};

export type Turn = {
  fails?: Error;
  text?: string;
  calls?: { name: string; input?: Json }[];
  stop?: ModelReply['stop'];
};

function modelOf(turns: readonly Turn[], seen: ModelRequest[] = [], window = 100_000): Model {
  let at = 0;
  return {
    name: 'test/model',
    nativeTools: true,
    contextWindow: window,
    cost: () => 0.01,
    complete: async (request, onText) => {
      seen.push({ ...request, messages: [...request.messages] });
      const turn = turns[at] ?? { text: 'out of turns' };
      at += 1;
      if (turn.fails !== undefined) throw turn.fails;
      if (turn.text !== undefined) onText(turn.text);
      return {
        message: {
          role: 'assistant',
          parts: [
            ...(turn.text === undefined ? [] : [{ type: 'text' as const, text: turn.text }]),
            ...(turn.calls ?? []).map((call, index) => ({
              type: 'tool_call' as const,
              id: `call_${at}_${index}`,
              name: call.name,
              input: call.input ?? {},
            })),
          ],
        },
        stop: turn.stop ?? (turn.calls === undefined ? 'end' : 'tool_calls'),
        usage,
      };
    },
  };
}

let folder: string;
export let ledger: RunLedger;
/** Gives each test of the file that calls it a ledger of its own, and takes it away again. */
export function freshLedgers(): void {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'anode-loop-'));
    ledger = openRunLedger(path.join(folder, 'ledger.jsonl'), {
      now: () => new Date(0),
      redact: (text) => text,
    });
    started.length = 0;
  });
  afterEach(async () => {
    await ledger.close();
    await rm(folder, { recursive: true });
  });
}

/** The first entry of a run, which a session that is saved takes its names from. */
export const runStarted: RunEntry = {
  type: 'run.started',
  run_id: 'run_1',
  session_id: 'sess_1',
  parent_run_id: null,
  model: 'test/model',
  profile: 'craft',
  preset: 'careful',
  sandbox: 'off',
  prompt: 'the task',
  max_turns: 5,
  base_sha: 'abc',
};

const noLimits: RunLimits = {
  max_turns: null,
  max_tool_calls: null,
  max_tokens: null,
  max_cost_usd: null,
  timeout_seconds: null,
};

export const task: Message = { role: 'user', parts: [{ type: 'text', text: 'the task' }] };

export function run(
  turns: readonly Turn[],
  rest: {
    maxTurns?: number;
    seen?: ModelRequest[];
    gate?: CallToolPorts['gate'];
    signal?: AbortSignal;
    messages?: readonly Message[];
    ports?: Partial<Pick<CallToolPorts, 'requestApproval' | 'approved' | 'after' | 'redact'>>;
    open?: AgentRun['open'];
    notes?: AgentRun['reminders'];
    /** In place of one that says the turns. */
    model?: Model;
    system?: string;
    /** The model's window in tokens; default 100,000. */
    window?: number;
    limits?: Partial<RunLimits>;
    now?: () => Date;
    before?: RunHistory;
    context?: Parameters<typeof contextBounds>[0];
  } = {},
): Promise<AgentResult> {
  const advised = new Set<string>();
  const requests = noRequests();
  const budget = openRunBudget({ ...noLimits, ...rest.limits }, rest.now ?? (() => new Date(0)));
  const history = newHistoryFold(rest.before);
  const record = (entry: RunEntry) => {
    ledger.record(entry);
    history.add(entry);
  };
  const craft = findProfile('craft');
  const profile = { ...craft, allow: [...craft.allow, 'finish'] };
  return runAgent({
    model: rest.model ?? modelOf(turns, rest.seen, rest.window),
    profile,
    system: rest.system ?? 'system',
    messages: rest.messages ?? [task],
    open: rest.open ?? null,
    turnsBefore: 0,
    maxTurns: rest.maxTurns ?? 10,
    budget,
    toolDefinitions: [],
    record,
    toolCalls: async () =>
      makeToolCalls({
        tools: makeToolSet(registry, profile, []),
        gate: rest.gate ?? (async () => allow),
        // The tools above use nothing of it.
        context: () =>
          ({
            conversation: conversationPort(requests),
            finish: async (answer: string | null) => {
              requests.finished = { answer };
            },
          }) as unknown as ToolContext,
        record,
        redact: (text) => text,
        baseline: async () => undefined,
        countCall: () => budget.countToolCall(),
        callsLeft: () => budget.left().every(({ left }) => left > 0),
        advised,
        spillFolder: folder,
        now: () => 0,
        ...rest.ports,
      }),
    context: contextBounds(rest.context),
    history,
    requests,
    reminders: rest.notes ?? [],
    ledger,
    listen: () => undefined,
    signal: rest.signal ?? new AbortController().signal,
    now: () => 0,
  });
}

export const entries = <Type extends RunEntry['type']>(type: Type) =>
  ledger.lines.flatMap((line) =>
    line.entry.type === type ? [line.entry as Extract<RunEntry, { type: Type }>] : [],
  );
