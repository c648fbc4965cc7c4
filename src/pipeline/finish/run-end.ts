import { secretValues } from '../../config/secret-values.ts';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { RunEnd } from '../../reporting/report/render-conclusion.ts';
import type { BrokerContext } from '../context/broker-context.ts';

/** What people are told of a run that came to no report; without a key that the error may quote. */
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

/** What a person on the thread is told; the cause of a defect stands in the log, not on GitHub. */
function failureSentence(error: unknown): string {
  if (error instanceof ConfigError || error instanceof RunStopped) return error.message;
  return 'Something broke inside Anode CI itself; its log has the cause.';
}
