import { secretValues } from '../src/config/secret-values.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import { sandboxState } from './sandbox-step.ts';
import { createStepLog } from './step-log.ts';

/**
 * The end of the job. Takes back what the step changed on a self-hosted machine.
 *
 * GitHub docs, "Workflow commands", "Sending values to the pre and post actions": the runner gives
 * the state of the step as variables.
 */
const change = process.env[`STATE_${sandboxState}`];
if (change === 'profile' || change === 'sysctl') {
  const { machineOf, undoChange } = await import('./prepare-sandbox.ts');
  const log = createStepLog(
    { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
    createRedactor(secretValues(process.env, {})),
  );
  const { signal } = new AbortController();
  await undoChange(change, machineOf(process.env, null, { signal, log, remember: () => undefined }));
}
