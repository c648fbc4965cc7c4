import { type EvaluateChanges, evaluateCallChanges } from '../agent/calls/evaluate-call-changes.ts';
import { newEditChecks } from '../checks/linters/edit-checks.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { createSyntaxParser } from '../tools/code/create-syntax-parser.ts';
import { createMailboxes } from '../tools/services/mailboxes.ts';
import { noPastThreads } from '../tools/services/past-threads.ts';
import { noReviewServices } from '../tools/services/run-services.ts';
import { noSkills } from '../tools/services/skill-entry.ts';
import { createSessions } from '../tools/shell/sessions/sessions.ts';
import type { ToolServices } from '../tools/tool.ts';
import { noAttachments } from '../workspace/files/attachments.ts';
import { syntaxProgram } from './programs/process-program.ts';

type RequiredServices = 'workspace' | 'commands' | 'spillFolder' | 'storage' | 'tasks';

/** Makes the services of the tools of a run. Omitted services are empty ones. */
export function makeServices(
  run: Pick<ToolServices, RequiredServices> & Partial<ToolServices>,
): ToolServices {
  return {
    workspace: run.workspace,
    commands: run.commands,
    sessions: run.sessions ?? createSessions({ ...run, root: run.workspace.root }),
    syntax: run.syntax ?? createSyntaxParser(syntaxProgram()),
    spillFolder: run.spillFolder,
    repositories: run.repositories ?? [],
    attachments: run.attachments ?? noAttachments,
    editChecks: run.editChecks ?? newEditChecks(),
    storage: run.storage,
    choices: run.choices ?? null,
    review: run.review ?? noReviewServices,
    tasks: run.tasks,
    skills: run.skills ?? noSkills,
    instructions: run.instructions ?? { activated: [] },
    threads: run.threads ?? noPastThreads,
    chat: run.chat ?? null,
    mailboxes: run.mailboxes ?? createMailboxes(),
  };
}

/** Ends the shell sessions of a run, and records their last changes. */
export async function endSessions(
  { sessions, workspace }: ToolServices,
  ledger: { record(entry: RunEntry): void },
  evaluate: EvaluateChanges | null = null,
): Promise<void> {
  const callId = await sessions.close();
  if (callId !== null) await enterChanges(workspace, { tool: 'shell_session', callId }, ledger, evaluate);
}

/** The author of changes that extension programs made without a call. */
export const unasked = { tool: 'external', callId: 'end' } as const;

/**
 * Records changes that no call made, and reverts those that are not allowed. Call it at the end of
 * a run, when nothing else can change the tree.
 */
export async function enterChanges(
  workspace: Pick<ToolServices['workspace'], 'changes'>,
  by: { readonly tool: string; readonly callId: string },
  ledger: { record(entry: RunEntry): void },
  evaluate: EvaluateChanges | null,
): Promise<void> {
  const changes = await workspace.changes.observe(
    by,
    evaluate &&
      evaluateCallChanges({
        evaluate,
        callId: by.callId,
        call: () => ({ tool: by.tool, input: {}, approved: false }),
        record: (entry) => ledger.record(entry),
        remind: () => undefined,
      }),
  );
  for (const change of changes) ledger.record({ type: 'change', change });
}
