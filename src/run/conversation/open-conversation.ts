import type { RunLedger } from '../../agent/ledger/open-run-ledger.ts';
import type { AnswerForm } from '../../agent/loop/answer-form.ts';
import type { OpenCall } from '../../agent/loop/run-tree.ts';
import type { Profile } from '../../agent/profiles/profiles.ts';
import { firstMessage } from '../../agent/prompt/context-pack.ts';
import { answerSession, continueSession } from '../../agent/saved-session.ts';
import type { Config } from '../../config/schema.ts';
import type { ApprovalDecision, Grant } from '../../contract/decision.ts';
import type { Finding } from '../../contract/findings.ts';
import type { Message } from '../../contract/message.ts';
import type { NewLines } from '../../contract/review-record.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { UnderReview } from '../../workspace/changes/review-diff.ts';
import type { gitState } from '../../workspace/git/git-state.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import type { RunFolder } from '../../workspace/storage/run-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type ApprovalAnswer, canApprove, resolveApproval, validGrants } from '../policy/grant-approval.ts';
import { contextPackOf, diffUnderReview, type PackGuidance } from './context-pack-of.ts';

/** A resumed session, and the user's reply. */
export interface ResumeRequest {
  readonly session: SavedSession;
  readonly answer: string;
  /** The decision, if the session waits for an approval. Default: it waits for an answer. */
  readonly approval?: ApprovalAnswer;
  /** The session's changes that are already in the checkout; '' if `restore` brings them. */
  readonly patchInCheckout: string;
  /** Restores the session's changes after the baseline; returns a note for the model. */
  readonly restore: () => Promise<string | null>;
}

/** Inputs for the first messages of a run. */
export interface ConversationRequest {
  readonly task: string;
  /** Who asks for the task, and where its answer will stand, a line each. Default: untold. */
  readonly asked?: string;
  /** The form of the final answer, which follows the task. Default: any text. */
  readonly answerForm?: Pick<AnswerForm, 'instructions'> | undefined;
  readonly profile: string;
  /** Maximum bytes of the diff in the first message. Default: 0 for any run but a review. */
  readonly diffBytes?: number;
  readonly threadContext: string;
  readonly reviewDiff: string | null;
  /** The lines of that diff that are new since the last review. Default: null, it is the first. */
  readonly newLines?: NewLines | null;
  /** Findings of the checks. Default: none. */
  readonly checked?: readonly Finding[];
  readonly guidance: PackGuidance;
  readonly repositories: readonly RegisteredRepository[];
  /** Text about the set-up; null without one. */
  readonly setupReport: string | null;
  /** Text about extension tools. Default: none. */
  readonly external?: (() => Promise<string | null>) | undefined;
  readonly canAsk: boolean;
  readonly readOnly: boolean;
  readonly config: Config;
  readonly resume: ResumeRequest | null;
}

/** The start of a run: its conversation so far, and earlier decisions. */
export interface Start {
  readonly messages: readonly Message[];
  readonly open: OpenCall | null;
  readonly decided: ApprovalDecision | null;
  readonly grants: readonly Grant[];
  /** The diff for review in the first message. Default: none. */
  readonly reviewed?: string | undefined;
}

/**
 * Makes the conversation that a run starts from: the first message, or a resumed session with the
 * reply. Changes of a session are restored first, and recorded as this run's.
 */
export async function conversation(
  request: ConversationRequest,
  profile: Profile,
  {
    workspace,
    ledger,
    folder,
    git,
  }: {
    readonly workspace: Workspace;
    readonly ledger: Pick<RunLedger, 'record'>;
    readonly folder: Pick<RunFolder, 'folder'>;
    readonly git: ReturnType<typeof gitState>;
  },
): Promise<Start> {
  if (request.resume !== null) {
    const { session, answer, approval, patchInCheckout, restore } = request.resume;
    // Before the changes are restored, so that they count as this run's and are published.
    await workspace.baseline(patchInCheckout);
    const found = [await restore(), grantsNote(session, workspace.headSha), request.setupReport];
    const notes = found.filter((one) => one !== null);
    const note = notes.length === 0 ? null : notes.join('\n');
    const callId = session.question?.call_id ?? session.approval?.call_id ?? '';
    for (const change of await workspace.changes.observe({ tool: 'resume', callId }))
      ledger.record({ type: 'change', change });
    const head = workspace.headSha;
    if (approval !== undefined)
      return resolveApproval(session, approval, { head, canApprove: canApprove(request), note });
    const grants = validGrants(session, head);
    const messages =
      session.stopped === undefined
        ? answerSession(session, answer, note)
        : continueSession(session, answer, note);
    return { messages, open: null, decided: null, grants };
  }
  const pack = await contextPackOf(request, profile, workspace, git);
  const under =
    request.profile === 'review' || ((request.diffBytes ?? 0) > 0 && request.reviewDiff !== null)
      ? await diffUnderReview(request, workspace, folder.folder)
      : undefined;
  const reviewed = under?.diff;
  const task = under === undefined ? request.task : await reviewTask(under, request);
  const parts = [request.asked, task, request.answerForm?.instructions];
  const whole = parts.filter((part) => part !== undefined).join('\n\n');
  const messages = [firstMessage(pack, request.threadContext, whole)];
  return { messages, open: null, decided: null, grants: [], reviewed };
}

/** Renders the task of a review; only reviews load the code. */
async function reviewTask(
  under: UnderReview,
  {
    task,
    checked = [],
    newLines = null,
    diffBytes,
  }: Pick<ConversationRequest, 'task' | 'checked' | 'newLines' | 'diffBytes'>,
): Promise<string> {
  const { renderReviewTask } = await import('../../agent/prompt/review-task.ts');
  return renderReviewTask(task, { ...under, newLines, checked, mostBytes: diffBytes || undefined });
}

/** Returns the run that a session continues, for the ledger; null for a new session. */
export function resumedFrom(
  resume: ResumeRequest | null,
): { resumedFrom: { run_id: string; question: string | null } } | null {
  if (resume === null) return null;
  const { run_id, question, approval } = resume.session;
  const text =
    question?.question.question ??
    (approval === undefined ? null : `May ${approval.tool} do this: ${approval.what}?`);
  return { resumedFrom: { run_id, question: text } };
}

/**
 * Returns the user's reply to a resumed session, for the history of its turns; null without one.
 */
export function sessionReply(resume: ResumeRequest | null): { question: string | null; text: string } | null {
  if (resume === null || resume.approval !== undefined || resume.answer === '') return null;
  return { question: resume.session.question?.question.question ?? null, text: resume.answer };
}

/** Returns a note for the model about grants that have lapsed. */
function grantsNote(session: SavedSession, head: string | null): string | null {
  const had = session.grants?.length ?? 0;
  return had === validGrants(session, head).length
    ? null
    : 'The permissions granted before have lapsed, as the head moved.';
}
