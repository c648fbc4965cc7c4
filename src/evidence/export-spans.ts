import type { JsonObject } from '../contract/json.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import type { Usage } from '../contract/usage.ts';
import { inspectRun, type RunInspection } from './inspect-run.ts';
import { type Receipt, textHash } from './receipts.ts';

/** A span before its encoding. Times are ISO 8601; ids are made from `key` and `parent`. */
interface Span {
  readonly key: string;
  /** Key of the span around it; null for the run. */
  readonly parent: string | null;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly from: string;
  readonly to: string;
  /** The kind of failure; null for a success. */
  readonly error: string | null;
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Exports a run as spans in OTLP/JSON (OpenTelemetry Protocol 1.x; Semantic Conventions for GenAI
 * agent spans): the run and its children as `invoke_agent`, each turn as `chat`, each call as
 * `execute_tool`. They hold no prompt, argument or output. Ids depend on the run alone, so a second
 * export is the same trace. A collector takes the result at `/v1/traces`.
 */
export async function exportSpans(lines: readonly RunLedgerLine[]): Promise<JsonObject> {
  const run = await inspectRun(lines);
  const runId = run.started?.run_id ?? 'unknown';
  const spans = [...agentSpans(lines, run), ...chatSpans(lines, run), ...run.receipts.map(toolSpan(run))];
  const scope = { name: 'anode-ci', version: run.provenance?.version ?? 'unknown' };
  const resource = { attributes: [attribute('service.name', 'anode-ci')] };
  return {
    resourceSpans: [
      { resource, scopeSpans: [{ scope, spans: spans.map((span) => encode(span, textHash(runId))) }] },
    ],
  };
}

function agentSpans(lines: readonly RunLedgerLine[], run: RunInspection): Span[] {
  const { started, finished, recorded } = run;
  if (started === null || recorded === null) return [];
  const [provider, model] = providerAndModel(started.model);
  const whole: Span = {
    ...{ key: started.run_id, parent: null, kind: 'internal', name: `invoke_agent ${started.profile}` },
    ...{ from: recorded.from, to: recorded.to },
    error: finished?.conclusion === 'success' ? null : (finished?.stop?.kind ?? 'interrupted'),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.agent.name': started.profile,
      'gen_ai.agent.id': started.run_id,
      'gen_ai.conversation.id': started.session_id,
      ...(finished === null ? {} : tokens(finished.usage)),
      'anode.preset': started.preset,
      'anode.conclusion': finished?.conclusion ?? null,
      'anode.cost_usd': finished?.cost_usd ?? null,
    },
  };
  return [whole, ...lines.flatMap((line) => childSpan(line, lines, started.run_id))];
}

function childSpan({ at, entry }: RunLedgerLine, lines: readonly RunLedgerLine[], runId: string): Span[] {
  if (entry.type !== 'child_run.started') return [];
  const end = lines.find(
    (line): line is RunLedgerLine & { entry: Extract<RunEntry, { type: 'child_run.result' }> } =>
      line.entry.type === 'child_run.result' && line.entry.child_run_id === entry.child_run_id,
  );
  return [
    {
      ...{ key: entry.child_run_id, parent: runId, kind: 'internal' },
      name: `invoke_agent ${entry.profile}`,
      ...{ from: at, to: end?.at ?? at },
      error: end?.entry.conclusion === 'success' ? null : (end?.entry.conclusion ?? 'interrupted'),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': entry.profile,
        'gen_ai.agent.id': entry.child_run_id,
        ...(end === undefined ? {} : tokens(end.entry.usage)),
      },
    },
  ];
}

/** A turn from its start to the count of its tokens, which comes with the end of the answer. */
function chatSpans(lines: readonly RunLedgerLine[], { started }: RunInspection): Span[] {
  if (started === null) return [];
  const [provider, model] = providerAndModel(started.model);
  const spans: Span[] = [];
  let from: string | null = null;
  for (const { at, entry } of lines) {
    if (entry.type === 'turn.started') from = at;
    if (entry.type !== 'usage' || from === null) continue;
    spans.push({
      ...{ key: `${started.run_id}/turn/${entry.turn}`, parent: started.run_id, kind: 'client' },
      ...{ name: `chat ${model}`, from, to: at, error: null },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.conversation.id': started.session_id,
        ...tokens(entry.usage),
        'anode.turn': entry.turn,
        'anode.cost_usd': entry.cost_usd,
      },
    });
    from = null;
  }
  return spans;
}

function toolSpan({ recorded }: RunInspection): (receipt: Receipt) => Span {
  return ({ requested_by, call_id, tool, decision, result, at }) => ({
    ...{ key: `${requested_by}/${call_id}`, parent: requested_by, kind: 'internal' },
    ...{ name: `execute_tool ${tool}`, from: at },
    to: result === null ? (recorded?.to ?? at) : later(at, result.duration_ms),
    error: result?.ok === true ? null : (result?.error_kind ?? 'interrupted'),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': call_id,
      'gen_ai.tool.type': 'function',
      'anode.decision': decision?.action ?? null,
      'anode.rule': decision?.rule ?? null,
    },
  });
}

function later(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + Math.round(milliseconds)).toISOString();
}

/** The conventions count cached tokens as input. */
function tokens({ input, output, cache_read, cache_write }: Usage): Record<string, number> {
  return {
    'gen_ai.usage.input_tokens': input + cache_read + cache_write,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cache_read,
    'gen_ai.usage.cache_creation.input_tokens': cache_write,
  };
}

/** Splits `provider/model`, and names the provider as the conventions do. */
function providerAndModel(name: string): [provider: string, model: string] {
  const [provider = 'unknown', ...model] = name.split('/');
  return [wellKnown[provider] ?? provider, model.join('/') || provider];
}

const wellKnown: Readonly<Record<string, string>> = {
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** Encodes a span (OTLP/JSON: ids in hexadecimal, times in nanoseconds as text). */
function encode(span: Span, trace: string): JsonObject {
  const { key, parent, name, kind, from, to, error, attributes } = span;
  const all = Object.entries({ ...attributes, ...(error === null ? {} : { 'error.type': error }) });
  return {
    traceId: trace.slice(0, 32),
    spanId: textHash(key).slice(0, 16),
    ...(parent === null ? {} : { parentSpanId: textHash(parent).slice(0, 16) }),
    name,
    kind: kind === 'client' ? 3 : 1,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: all.flatMap(([key, value]) => (value === null ? [] : [attribute(key, value)])),
    status: error === null ? { code: 1 } : { code: 2, message: error },
  };
}

const nanoseconds = (at: string): string => `${Date.parse(at)}000000`;

function attribute(key: string, value: string | number | boolean): JsonObject {
  if (typeof value === 'string') return { key, value: { stringValue: value } };
  if (typeof value === 'boolean') return { key, value: { boolValue: value } };
  return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
}
