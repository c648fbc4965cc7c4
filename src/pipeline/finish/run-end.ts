import { secretValues } from '../../config/secret-values.ts';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { RunEnd } from '../../reporting/report/render-conclusion.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/** Returns the text for a run without a report; keys that the error may quote are redacted. */
export function runEnd(
  error: unknown,
  { environment, operatorConfig, signal }: Pick<BrokerContext, 'environment' | 'operatorConfig' | 'signal'>,
): RunEnd {
  const redact = createRedactor(secretValues(environment, operatorConfig.providers));
  if (signal.aborted) {
    const { reason } = signal;
    if (!(reason instanceof RunStopped)) return { kind: 'cancelled', message: 'The run was cancelled.' };
    const { kind, message } = reason.reason;
    if (kind === 'internal_error') return { kind: 'failed', message: redact(message) };
    return { kind: kind === 'superseded' ? 'superseded' : 'cancelled', message };
  }
  return { kind: 'failed', message: redact(failureSentence(error)) };
}

/** Returns the sentence for the thread. The cause of a defect is in the log, not on GitHub. */
function failureSentence(error: unknown): string {
  if (error instanceof ConfigError || error instanceof RunStopped) return error.message;
  return 'Something broke inside Anode CI itself; its log has the cause.';
}
