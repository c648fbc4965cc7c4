import type { StopReason } from '../../contract/limits.ts';

/** The key of the configuration that raises a limit, by the reason that it ended a run for. */
export const limitKeys: Partial<Record<StopReason['kind'], string>> = {
  turn_limit: 'limits.maxTurns',
  tool_call_limit: 'limits.maxToolCalls',
  token_limit: 'limits.maxTokens',
  cost_limit: 'limits.maxCostUsd',
  time_limit: 'limits.timeoutSeconds',
};
