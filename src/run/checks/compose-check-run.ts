import { openRunLedger } from '../../agent/ledger/open-run-ledger.ts';
import { openRecorder } from '../../agent/ledger/recorder.ts';
import { runSecrets } from '../../config/secret-values.ts';
import { RunStopped } from '../../contract/errors.ts';
import { presetFrom } from '../../contract/levels.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { noUsage } from '../../contract/usage-sums.ts';
import { createRedactor } from '../../redaction/redact.ts';
import { foldOutcome } from '../../reporting/fold-outcome.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { createCommandRunner } from '../../sandbox/create-command-runner.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import { createRunFolder } from '../../workspace/storage/run-folder.ts';
import type { RunRequest } from '../records/run-context.ts';
import { saveRecord } from '../records/save-record.ts';
import { checkReview } from './check-review.ts';

/** The name of the model in the report. */
const noModel = 'no model: checks only';

/**
 * Runs a review by the checks only. Its results have the shape of a run with a model. It calls no
 * model and needs no key. Without a sandbox, even a required one, it skips linters.
 */
export async function composeCheckRun(request: RunRequest) {
  const started = monotonicMs();
  const folder = await createRunFolder({ base: request.runsFolder, runId: request.runId });
  const { spillFolder } = folder;
  const place = { runFolder: folder.folder, spillFolder, repositories: [] };
  const workspace = await openWorkspace({ ...place, root: request.root });
  const redact = createRedactor(runSecrets(request));
  const ledger = openRunLedger(folder.ledgerFile, { now: () => new Date(), redact });
  const { record } = openRecorder(ledger, request.listen);
  let commands: CommandRunner | null = null;
  try {
    commands = await runnerFor(request, place, workspace);
    record(startedEntry(request, workspace.headSha, commands));
    const {
      findings,
      ran,
      idle = [],
    } = await checkReview({
      ...{ ...request, workspace, commands, record, preset: presetFrom(request.preset) },
      ...{ fork: request.plan.checkout.fork, runFolder: folder.folder },
    });
    const count =
      findings.length === 0
        ? 'found nothing'
        : `found ${findings.length === 1 ? 'one thing' : `${findings.length} things`}`;
    const result = {
      conclusion: 'success' as const,
      answer: `${ran.length - idle.length} checks without a model looked at the change and ${count}.`,
      stop: null,
      turns: 0,
      usage: noUsage,
    };
    record({ type: 'run.finished', ...result, cost_usd: 0, duration_ms: monotonicMs() - started });
    const outcome = foldOutcome(ledger.lines, await workspace.finalChanges());
    const { root } = workspace;
    const keeping = { request: { ...request, checksOnly: true, store: null }, ledger, folder, root, redact };
    const recorded = await saveRecord({ ...keeping, outcome, session: null });
    return { ...recorded, session: null, ledgerFile: folder.ledgerFile };
  } catch (error) {
    await ledger.close().catch(() => undefined);
    throw error;
  } finally {
    await commands?.close();
    await workspace.close();
  }
}

async function runnerFor(
  request: RunRequest,
  place: { readonly spillFolder: string; readonly repositories: readonly never[] },
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
): Promise<CommandRunner | null> {
  const { sandbox: mode, environment } = request;
  try {
    return await createCommandRunner({ ...place, mode, workspace, environment });
  } catch (error) {
    if (error instanceof RunStopped) return null;
    throw error;
  }
}

function sandboxState(commands: CommandRunner | null): 'missing' | 'on' | 'off' {
  if (commands === null) return 'missing';
  return commands.sandboxed ? 'on' : 'off';
}

function startedEntry(request: RunRequest, headSha: string | null, commands: CommandRunner | null): RunEntry {
  return {
    type: 'run.started',
    run_id: request.runId,
    session_id: request.sessionId,
    parent_run_id: null,
    model: noModel,
    profile: request.profile,
    preset: presetFrom(request.preset),
    sandbox: sandboxState(commands),
    prompt: request.task,
    max_turns: null,
    base_sha: headSha,
  };
}
