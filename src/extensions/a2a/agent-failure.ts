import { ToolError } from '../../contract/errors.ts';
import { RequestFailure } from '../../network/request-failure.ts';
import { visibleText } from '../../tools/text/visible-text.ts';

/** What the model is told where an agent could not be asked; at an abort, its reason. */
export function agentFailure(error: unknown, agent: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ToolError) return error;
  const cause = failureIn(error);
  if (cause?.kind === 'refused' || cause?.kind === 'not_allowed')
    return new ToolError(
      'refused',
      `The agent ${agent} cannot be asked: the request ${cause.message}. A host has to be in a2a.agents or a2a.allow of the configuration. Go on without it.`,
      { cause: error },
    );
  if (cause !== null)
    return new ToolError(
      cause.kind,
      `The agent ${agent} was not reached: the request ${cause.message}. Go on without it.`,
      {
        cause: error,
      },
    );
  const words = visibleText(error instanceof Error ? error.message : String(error)).slice(0, 1_000);
  return new ToolError('failed', `The agent ${agent} answered with an error, in its words: ${words}`, {
    cause: error,
  });
}

/** The failure of a request among the causes of what the protocol's library threw. */
function failureIn(error: unknown): RequestFailure | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1) {
    if (cause instanceof RequestFailure) return cause;
    cause = cause.cause;
  }
  return null;
}
