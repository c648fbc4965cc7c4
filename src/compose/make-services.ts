import { type JudgeChanges, judgeCallChanges } from '../agent/calls/judge-call-changes.ts';
import { newEditChecks } from '../checks/linters/edit-checks.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { createSyntaxParser } from '../tools/code/create-syntax-parser.ts';
import { createMailboxes } from '../tools/messages/mailboxes.ts';
import { noReviewServices } from '../tools/review/review-services.ts';
import { createSessions } from '../tools/shell/sessions.ts';
import { noSkills } from '../tools/skills/skill.ts';
import { noPastThreads } from '../tools/threads/past-threads.ts';
import type { ToolServices } from '../tools/tool.ts';
import { noAttachments } from '../workspace/attachments.ts';
import { syntaxProgram } from './programs/syntax-program.ts';

type Given = 'workspace' | 'commands' | 'spillFolder' | 'storage' | 'tasks';

/** What the tools of one run work on. What a way in does not give, it has none of. */
export function makeServices(run: Pick<ToolServices, Given> & Partial<ToolServices>): ToolServices {
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

/** Ends what a run has left running, and enters what that changed since the last look into the change ledger. */
export async function endSessions(
  { sessions, workspace }: ToolServices,
  ledger: { record(entry: RunEntry): void },
  judge: JudgeChanges | null = null,
): Promise<void> {
  const callId = await sessions.close();
  if (callId === null) return;
  const tool = 'shell_session';
  const call = () => ({ tool, input: {}, approved: false });
  const changes = await workspace.changes.observe(
    { tool, callId },
    judge &&
      judgeCallChanges({
        judge,
        callId,
        call,
        record: (entry) => ledger.record(entry),
        say: () => undefined,
      }),
  );
  for (const change of changes) ledger.record({ type: 'change', change });
}
