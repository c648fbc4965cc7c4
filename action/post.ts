import { secretValues } from '../src/config/secret-values.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import { cancelledState, openRunState } from './open-run-state.ts';
import { sandboxState } from './sandbox-step.ts';
import { createStepLog, type StepLog } from './step-log.ts';

/**
 * The end of the job. Takes back what the step changed on a self-hosted machine, and ends the
 * comment of a step that was killed.
 *
 * GitHub docs, "Workflow commands", "Sending values to the pre and post actions": the runner gives
 * the state of the step as variables.
 */
const change = process.env[`STATE_${sandboxState}`];
if (change === 'profile' || change === 'sysctl') {
  const { machineOf, undoChange } = await import('./prepare-sandbox.ts');
  const { signal } = new AbortController();
  const ports = { signal, log: logOfEnd(), remember: () => undefined };
  await undoChange(change, machineOf(process.env, null, ports));
}
if (process.env[`STATE_${openRunState}`] === 'true') {
  const { closeOpenRun } = await import('./open-run-file.ts');
  const isCancelled = process.env[`STATE_${cancelledState}`] === 'true';
  await closeOpenRun(process.env, { log: logOfEnd(), isCancelled });
}

function logOfEnd(): StepLog {
  return createStepLog(
    { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
    createRedactor(secretValues(process.env, {})),
  );
}
