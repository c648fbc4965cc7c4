import * as z from 'zod';

/** Why a run ended before the model gave its answer. `message` is a sentence for the report. */
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
    'sandbox_missing',
    'internal_error',
  ]),
  message: z.string(),
});
export type StopReason = z.infer<typeof StopReason>;
