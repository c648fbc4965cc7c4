import type { OpenCall } from '../../agent/loop/run-tree.ts';
import { completeSession, waitingCall } from '../../agent/saved-session.ts';
import type { Config } from '../../config/schema.ts';
import type { ApprovalDecision, Grant } from '../../contract/decision.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Message, ToolResultPart } from '../../contract/message.ts';
import type { SavedSession } from '../../contract/session.ts';

/** A user's decision on the pending call of a session. */
export interface ApprovalAnswer {
  readonly verdict: 'approve' | 'deny';
  /** Login of the user. */
  readonly by: string;
  /** Reason of a denial; may be empty. */
  readonly reason: string;
  /** Resolves to true for the first caller only, so that the approval is used once. */
  readonly use: () => Promise<boolean>;
}

/** The state of a session after the decision. */
export interface ResolvedApproval {
  readonly decided: ApprovalDecision;
  readonly grants: readonly Grant[];
  /** The call to make first; null if the conversation already has its result. */
  readonly open: OpenCall | null;
  /** The conversation. With `open` it lacks the message that the result completes. */
  readonly messages: readonly Message[];
}

/**
 * Returns true if calls that need approval wait for one. A read-only run has nothing to approve.
 */
export function canApprove(run: {
  readonly canAsk: boolean;
  readonly readOnly: boolean;
  readonly config: Config;
}): boolean {
  return run.canAsk && !run.readOnly && run.config.permissions?.onAsk === 'comment';
}

/** Returns the grants that are still valid: those for the current head. */
export function validGrants(session: SavedSession | null, head: string | null): readonly Grant[] {
  return (session?.grants ?? []).filter((grant) => grant.head_sha === head);
}

/**
 * Resolves the pending approval of a session. Pure. It lapses if the head moved, or if this run
 * could not have requested it (`canApprove`). Then nothing is done, and the model gets a message.
 */
export function resolveApproval(
  session: SavedSession,
  answer: ApprovalAnswer,
  run: { readonly head: string | null; readonly canApprove: boolean; readonly note: string | null },
): ResolvedApproval {
  const { approval } = session;
  if (approval === undefined)
    throw new ConfigError(`The session ${session.session_id} waits for no approval.`);
  const { tool, what, hash } = approval;
  const grants = validGrants(session, run.head);
  const about = { tool, what, hash, by: answer.by, head_sha: run.head };
  const close = (verdict: ApprovalDecision['verdict'], note: string, text: string, ok = false) => ({
    // A denial is valid for its commit: on another one the call may be requested again.
    decided: { ...about, verdict, note, ...(verdict === 'denied' ? { head_sha: session.base_sha } : {}) },
    grants,
    open: null,
    messages: completeSession(session, resultOf(approval.call_id, text, ok), run.note),
  });
  if (answer.verdict === 'deny') {
    const why = answer.reason === '' ? 'No reason was given.' : `The reason given: ${answer.reason}`;
    return close(
      'denied',
      answer.reason,
      `Refused by ${answer.by}. ${why} Nothing was done. Do not try to get around this: go on without it, and say in your answer what could not be done.`,
    );
  }
  const lapsed = whyLapsed(session, run);
  if (lapsed !== null) {
    return close('lapsed', lapsed, `${answer.by} approved this, but nothing was done: ${lapsed}`);
  }
  if (approval.permissions !== undefined) {
    const { permissions, reason } = approval;
    const grant: Grant = { hash, permissions, reason, by: answer.by, head_sha: run.head };
    const text = `Granted by ${answer.by} until this session ends or the head moves: ${what}. What is refused outright stays refused, and hooks and \`delegate\` programs are still asked.`;
    const resolved = close('approved', '', text, true);
    return { ...resolved, grants: [...grants, grant] };
  }
  const pending = session.messages.at(-1);
  if (pending === undefined) throw new ConfigError(`The session ${session.session_id} is empty.`);
  return {
    decided: { ...about, verdict: 'approved', note: '' },
    grants,
    open: {
      call: waitingCall(session),
      digest: approval.digest ?? '',
      use: answer.use,
      pending,
      complete: (result) => completeSession(session, result, run.note),
    },
    messages: session.messages.slice(0, -1),
  };
}

function whyLapsed(
  session: SavedSession,
  run: { readonly head: string | null; readonly canApprove: boolean },
): string | null {
  if (!run.canApprove)
    return 'This run may not wait for approvals, by its configuration or because it only reads.';
  if (session.base_sha === run.head) return null;
  return `The head moved from ${session.base_sha ?? 'nothing'} to ${run.head ?? 'nothing'} since it was asked for.`;
}

function resultOf(callId: string, text: string, ok: boolean): ToolResultPart {
  return { type: 'tool_result', call_id: callId, content: [{ type: 'text', text }], is_error: !ok };
}
