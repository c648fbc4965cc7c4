import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import type { AssistantMessage, Message, ToolResultPart } from '../contract/message.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import type { Usage } from '../contract/usage.ts';
import { inspectRun, type RunInspection } from './inspect-run.ts';
import type { Receipt } from './receipts.ts';

type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** One step: a message of the user or the agent; an agent's with its calls and their results. */
interface Step {
  readonly step_id: number;
  readonly timestamp: string;
  readonly source: 'user' | 'agent';
  readonly message: string;
  readonly model_name?: string;
  readonly tool_calls?: readonly JsonObject[];
  observation?: { readonly results: readonly JsonObject[] };
  readonly metrics?: JsonObject;
}

/** A run in the Agent Trajectory Interchange Format. */
export interface Trajectory {
  readonly schema_version: 'ATIF-v1.6';
  readonly session_id: string;
  readonly agent: JsonObject;
  readonly steps: readonly Step[];
  readonly final_metrics: JsonObject;
  readonly extra: JsonObject;
}

/**
 * Exports a run as a trajectory in the Agent Trajectory Interchange Format (ATIF, version 1.6; RFC
 * 0001 of Harbor), which benchmark and training tools read. Calls of children stand under
 * `extra.children`, since only their calls are recorded. Images are named, not contained.
 */
export async function exportTrajectory(lines: readonly RunLedgerLine[]): Promise<Trajectory> {
  const { started, finished, receipts, provenance } = await inspectRun(lines);
  const children = receipts.filter(({ requested_by }) => requested_by !== started?.run_id);
  const steps = stepsOf(lines, started?.model ?? 'unknown');
  return {
    schema_version: 'ATIF-v1.6',
    session_id: started?.session_id ?? 'unknown',
    agent: {
      name: 'anode-ci',
      version: provenance?.version ?? 'unknown',
      model_name: started?.model ?? null,
      extra: { profile: started?.profile ?? null, preset: started?.preset ?? null },
    },
    steps,
    final_metrics: { ...totals(finished), total_steps: steps.length },
    extra: {
      run_id: started?.run_id ?? null,
      conclusion: finished?.conclusion ?? null,
      children: children.map(childCall),
    },
  };
}

function stepsOf(lines: readonly RunLedgerLine[], model: string): Step[] {
  const steps: Step[] = [];
  let spent: Entry<'usage'> | null = null;
  for (const { at, entry } of lines) {
    if (entry.type === 'usage') spent = entry;
    if (entry.type !== 'message') continue;
    const about = { step_id: steps.length + 1, timestamp: at };
    if (entry.message.role === 'assistant') {
      steps.push({ ...about, ...agentStep(entry.message, model, spent) });
      spent = null;
      continue;
    }
    const last = steps.at(-1);
    const results = entry.message.parts.filter((part) => part.type === 'tool_result');
    if (last?.source === 'agent' && results.length > 0) last.observation = { results: results.map(observed) };
    const message = textOf(entry.message);
    if (message !== '') steps.push({ ...about, source: 'user', message });
  }
  return steps;
}

function agentStep(
  message: AssistantMessage,
  model_name: string,
  spent: Entry<'usage'> | null,
): Pick<Step, 'source' | 'message' | 'model_name' | 'tool_calls' | 'metrics'> {
  const calls = message.parts.filter((part) => part.type === 'tool_call');
  return {
    source: 'agent',
    model_name,
    message: textOf(message),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        tool_call_id: id,
        function_name: name,
        arguments: asObject(input),
      })),
    }),
    ...(spent !== null && { metrics: { ...tokens(spent.usage), cost_usd: spent.cost_usd } }),
  };
}

/** Arguments are an object in this format. What the model wrote otherwise is `raw`. */
function asObject(input: Json): JsonObject {
  return isJsonObject(input) ? input : { raw: input };
}

function observed({ call_id, content }: ToolResultPart): JsonObject {
  return { source_call_id: call_id, content: content.map(partText).join('\n') };
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.type === 'tool_result' ? '' : partText(part))).join('');
}

function partText(part: Message['parts'][number]): string {
  if (part.type === 'text') return part.text;
  return part.type === 'image' ? `[image ${part.media_type}]` : '';
}

/** The format counts cached tokens as part of the prompt. */
function tokens({ input, output, cache_read, cache_write }: Usage): JsonObject {
  return {
    prompt_tokens: input + cache_read + cache_write,
    completion_tokens: output,
    cached_tokens: cache_read,
  };
}

function totals(finished: RunInspection['finished']): JsonObject {
  if (finished === null) return {};
  const { prompt_tokens, completion_tokens, cached_tokens } = tokens(finished.usage);
  return {
    total_prompt_tokens: prompt_tokens ?? null,
    total_completion_tokens: completion_tokens ?? null,
    total_cached_tokens: cached_tokens ?? null,
    total_cost_usd: finished.cost_usd,
  };
}

function childCall({ requested_by, call_id, tool, input, decision, result, at }: Receipt): JsonObject {
  return {
    child_run_id: requested_by,
    timestamp: at,
    tool_call_id: call_id,
    function_name: tool,
    arguments: input,
    decision: decision?.action ?? null,
    result: result === null ? null : { ok: result.ok, sha256: result.sha256 },
  };
}
