import { expect, test } from 'vitest';
import * as z from 'zod';
import { exportSpans } from '../../src/evidence/export-spans.ts';
import { recordedRun } from './recorded-run.ts';

/** The part of OTLP/JSON that the export has (opentelemetry-proto, `trace.proto`). */
const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const Attributes = z.array(z.strictObject({ key: z.string(), value: Value }));
const Span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string(),
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: Attributes,
  status: z.strictObject({ code: z.union([z.literal(1), z.literal(2)]), message: z.string().optional() }),
});
const Traces = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(Span),
        }),
      ]),
    }),
  ]),
});

const spansOf = async (lines: typeof recordedRun) =>
  Traces.parse(await exportSpans(lines)).resourceSpans[0].scopeSpans[0].spans;

test('exports the run, its child, each turn and each call as spans below one another', async () => {
  const spans = await spansOf(recordedRun);
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const seconds = (nano: string) =>
    Number(BigInt(nano) / 1_000_000n) / 1000 - Date.parse('2026-01-02T03:04:00Z') / 1000;
  expect(
    spans.map((span) => [
      span.name,
      nameOf.get(span.parentSpanId ?? '') ?? null,
      seconds(span.startTimeUnixNano),
      seconds(span.endTimeUnixNano),
      span.status.message ?? 'ok',
    ]),
  ).toEqual([
    ['invoke_agent craft', null, 0, 15, 'ok'],
    ['invoke_agent find', 'invoke_agent craft', 7, 10, 'ok'],
    ['chat some/model', 'invoke_agent craft', 2, 3, 'ok'],
    ['chat some/model', 'invoke_agent craft', 12, 13, 'ok'],
    ['execute_tool read', 'invoke_agent craft', 5, 5.25, 'ok'],
    ['execute_tool grep', 'invoke_agent find', 8, 8.25, 'not_found'],
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
});

test('names the provider and counts cached tokens as the conventions do', async () => {
  const [, , chat] = await spansOf(recordedRun);
  expect(
    Object.fromEntries(chat?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []),
  ).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.vertex_ai',
    'gen_ai.request.model': 'some/model',
    'gen_ai.conversation.id': 'sess_1',
    'gen_ai.usage.input_tokens': '45',
    'gen_ai.usage.output_tokens': '2',
    'gen_ai.usage.cache_read.input_tokens': '30',
    'gen_ai.usage.cache_creation.input_tokens': '5',
    'anode.turn': '1',
    'anode.cost_usd': 0.5,
  });
});

test('holds no prompt, no argument and no output', async () => {
  const text = JSON.stringify(await exportSpans(recordedRun));
  expect(['Do it.', 'a.txt', 'one', 'Done.'].filter((part) => text.includes(`"${part}"`))).toEqual([]);
});

test('marks a run and a call without an end as interrupted', async () => {
  const spans = await spansOf(recordedRun.slice(0, 6));
  expect(spans.map(({ name, status }) => [name, status])).toEqual([
    ['invoke_agent craft', { code: 2, message: 'interrupted' }],
    ['chat some/model', { code: 1 }],
    ['execute_tool read', { code: 2, message: 'interrupted' }],
  ]);
});
