import * as z from 'zod';

/** The bounds of one run; null means none of that kind. */
export const RunLimits = z.object({
  max_turns: z.int().positive().nullable(),
  max_tool_calls: z.int().positive().nullable(),
  max_tokens: z.int().positive().nullable(),
  max_cost_usd: z.number().positive().nullable(),
  timeout_seconds: z.int().positive().nullable(),
});
export type RunLimits = z.infer<typeof RunLimits>;

/**
 * Why a run ended before the model gave its answer. `message` is a sentence for the report, which
 * others may read. `detail` replaces it in the log and in local output: it has addresses.
 */
export const StopReason = z.object({
  kind: z.enum([
    'turn_limit',
    'tool_call_limit',
    'token_limit',
    'cost_limit',
    'time_limit',
    'waiting',
    'cancelled',
    'superseded',
    'provider_refused',
    'provider_failed',
    'answer_invalid',
    'sandbox_missing',
    'internal_error',
  ]),
  message: z.string(),
  detail: z.string().optional(),
});
export type StopReason = z.infer<typeof StopReason>;

/** The end of a run. */
export const Conclusion = z.enum(['success', 'failure', 'limit', 'waiting', 'cancelled']);
export type Conclusion = z.infer<typeof Conclusion>;
