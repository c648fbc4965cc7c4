import * as z from 'zod';

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const childEvent = { child_run_id: z.string(), title: z.string(), tool: z.string() };

/**
 * One event of a run as it came: `ledger` stands for an entry of the ledger. The others are in no
 * entry: streamed text piece by piece, and what a display showed of the calls of children.
 */
export const TraceEvent = z.discriminatedUnion('type', [
  /** `seq` is the number of its line; null for an entry that the ledger had no room for. */
  event('ledger', { entry: z.string(), seq: z.int().positive().nullable() }),
  event('text.delta', { text: z.string() }),
  event('child_run.tool_call', { ...childEvent, what: z.string() }),
  event('child_run.tool_result', { ...childEvent, ok: z.boolean(), content: z.string() }),
  /** The trace reached its size limit here: nothing follows. */
  event('cut', { limit_bytes: z.number() }),
]);
export type TraceEvent = z.infer<typeof TraceEvent>;

/** A line of `trace.jsonl`: an event with its time. */
export const TraceLine = z.object({ v: z.literal(1), at: z.iso.datetime(), event: TraceEvent });
export type TraceLine = z.infer<typeof TraceLine>;
