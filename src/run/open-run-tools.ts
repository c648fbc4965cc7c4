import type { EvaluateChanges } from '../agent/calls/evaluate-call-changes.ts';
import type { RunLedger } from '../agent/ledger/open-run-ledger.ts';
import { newEditChecks } from '../checks/linters/edit-checks.ts';
import type { Conclusion } from '../contract/limits.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { FetchedAttachment } from '../contract/thread.ts';
import { createSyntaxParser } from '../tools/code/create-syntax-parser.ts';
import { noPastThreads, openPastThreads } from '../tools/services/past-threads.ts';
import type { ToolServices } from '../tools/tool.ts';
import { saveAttachments } from '../workspace/files/attachments.ts';
import { type ReviewedRun, reviewServices } from './checks/make-review-services.ts';
import type { Guidance } from './conversation/guidance.ts';
import { endSessions, enterChanges, makeServices, unasked } from './make-services.ts';
import { decideEditChecks } from './policy/decide-edit-checks.ts';
import { syntaxProgram } from './programs/process-program.ts';
import { openRunStores } from './records/run-stores.ts';
import { trustOf } from './records/store-past-run.ts';

/** The services of a run's tools, and their end. */
export interface RunTools {
  readonly services: ToolServices;
  /** Ends the shell sessions, and records their last changes. */
  endSessions(ledger: Pick<RunLedger, 'record'>, evaluate: EvaluateChanges | null): Promise<void>;
  /** Records changes of extension programs since the last call, once they have ended. */
  endExternal(ledger: Pick<RunLedger, 'record'>, evaluate: EvaluateChanges | null): Promise<void>;
  /** Stores files for later runs if the run succeeded. */
  finish(conclusion: Conclusion, ledger: Pick<RunLedger, 'record'>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the services. Loaded during the first request, which needs none of this. */
export async function openRunTools(
  run: Pick<ToolServices, 'workspace' | 'commands' | 'spillFolder' | 'repositories'> &
    Parameters<typeof openRunStores>[0] &
    ReviewedRun &
    Omit<Parameters<typeof decideEditChecks>[0], 'sandboxed' | 'path'> & {
      readonly environment: Readonly<Record<string, string | undefined>>;
      readonly attachments?: readonly FetchedAttachment[];
      readonly plan: RunPlan;
      readonly guidance: Pick<Guidance, 'book' | 'skills'>;
    },
  ledger: Pick<RunLedger, 'record'>,
): Promise<RunTools> {
  const { workspace, commands, spillFolder, repositories } = run;
  const { storage, tasks, finish } = openRunStores(run);
  const syntax = createSyntaxParser(syntaxProgram());
  const decided = decideEditChecks({ ...run, sandboxed: commands.sandboxed, path: run.environment.PATH });
  const attachments = await saveAttachments(run.runFolder, run.attachments ?? [], (message) =>
    ledger.record({ type: 'diagnostic', level: 'warning', message }),
  );
  const services = makeServices({
    workspace,
    commands,
    syntax,
    spillFolder,
    repositories,
    storage,
    tasks,
    editChecks: newEditChecks(decided),
    attachments,
    choices: run.plan.triage ?? null,
    skills: run.guidance.skills,
    instructions: run.guidance.book,
    review: reviewServices(run),
    chat: run.plan.chat ?? null,
    threads:
      run.store === null ? noPastThreads : openPastThreads({ store: run.store, trust: trustOf(run.plan) }),
  });
  return {
    services,
    endSessions: (into, evaluate) => endSessions(services, into, evaluate),
    endExternal: (into, evaluate) => enterChanges(workspace, unasked, into, evaluate),
    finish,
    close: () => syntax.close(),
  };
}
