import type { OpenCall } from '../../agent/loop/run-tree.ts';
import { completeSession, waitingCall } from '../../agent/saved-session.ts';
import type { Config } from '../../config/schema.ts';
import type { ApprovalDecision, Grant } from '../../contract/decision.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Message, ToolResultPart } from '../../contract/message.ts';
import type { SavedSession } from '../../contract/session.ts';

/** What a person decided on the call that a session waits with. */
export interface ApprovalAnswer {
  readonly verdict: 'approve' | 'deny';
  /** The login of who decided. */
  readonly by: string;
  /** Why not; may be empty. */
  readonly reason: string;
  /** True for whoever asks first, so that the approval is used once. */
  readonly use: () => Promise<boolean>;
}

/** How a session goes on whose approval was decided. */
export interface ResolvedApproval {
  readonly decided: ApprovalDecision;
  readonly grants: readonly Grant[];
  /** The call to make first; null where the conversation has its result already. */
  readonly open: OpenCall | null;
  /** The conversation: whole, or all but the message that the result of `open` completes. */
  readonly messages: readonly Message[];
}

/** Whether what needs a person's agreement waits for one. A run that may only read has nothing to be approved. */
export function canApprove(run: {
  readonly canAsk: boolean;
  readonly readOnly: boolean;
  readonly config: Config;
}): boolean {
  return run.canAsk && !run.readOnly && run.config.permissions?.onAsk === 'comment';
}

/** What still holds of the grants of a session: those on the head that is checked out now. */
export function validGrants(session: SavedSession | null, head: string | null): readonly Grant[] {
  return (session?.grants ?? []).filter((grant) => grant.head_sha === head);
}

/**
 * Settles the approval that a session waits with. An approval lapses where the head is another one, and where this
 * run could not have asked for it (`canApprove`): the model is then told, and nothing is done. Pure.
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
    // A refusal is about the commit it was asked on: on another one it may be asked again.
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
