import type { Approval, Decision } from '../../contract/decision.ts';
import { ToolError } from '../../contract/errors.ts';
import { type JsonObject, omitUndefined } from '../../contract/json.ts';
import { nonEmpty } from '../../contract/lists.ts';
import { shortHash } from '../../permissions/gate/call-digest.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { spellOutInvisible } from '../../untrusted-text/invisible.ts';

/** Maximum characters of one call in a comment. GitHub takes 65,536 for the whole comment. */
const maxLength = 40_000;

/** A call that a person has approved. It is made only if its digest is still the same. */
export interface ApprovedCall {
  readonly callId: string;
  /** Digest of the call that was displayed, by `callDigest`. */
  readonly digest: string;
  readonly hash: string;
  /** Login of the person who approved it. */
  readonly by: string;
  /** Claims the approval. Returns true for the first caller only: an approval is used once. */
  readonly use: () => Promise<boolean>;
  /** Records why the call was not made, in a sentence. Only the first reason counts. */
  readonly lapse: (why: string) => void;
}

/** Returns what a person sees of a call that the gate asks about. */
export function approvalOf(
  about: Pick<Approval, 'tool' | 'what' | 'reason' | 'call_id'>,
  call: { readonly input: JsonObject; readonly targets: Targets; readonly diff: string | undefined },
  decision: Decision,
  digest: string,
): Approval {
  const { commands = [], paths = [], urls = [] } = call.targets;
  const diff = call.diff || undefined;
  // Other arguments, such as the folder or a time limit. A diff makes them unnecessary.
  const others = Object.entries(call.input).filter(
    ([, value]) => typeof value !== 'string' || !commands.includes(value),
  );
  const showsInput = diff === undefined && others.length > 0;
  return omitUndefined({
    ...about,
    hash: shortHash(digest),
    digest,
    waits: true,
    commands: nonEmpty(commands),
    parts: nonEmpty([...new Set(decision.commands.map(({ command }) => command))]),
    paths: nonEmpty(paths.map(({ path, access }) => ({ path, access }))),
    urls: nonEmpty(urls),
    diff,
    input: showsInput ? JSON.stringify(Object.fromEntries(others), null, 2) : undefined,
  });
}

/** Returns true if a comment cannot show all of it. People do not approve what they cannot see. */
export function tooMuchToShow(approval: Approval): boolean {
  return spellOutInvisible(JSON.stringify(approval)).length > maxLength;
}

/**
 * Returns the decision on a call that a person approved. An approval answers a question of the
 * gate, but lifts no refusal. Throws `ToolError('refused')` if the call has changed since, or if
 * the approval was used before.
 */
export async function applyApproval(
  approved: ApprovedCall,
  verdict: Decision,
  digest: string,
): Promise<Decision> {
  const { by, hash } = approved;
  if (verdict.action === 'reject') {
    approved.lapse(`It is refused now: ${verdict.reason}`);
    return verdict;
  }
  if (digest !== approved.digest) {
    approved.lapse('It would do something else now than what was shown.');
    throw new ToolError(
      'refused',
      `${by} approved this call, but it would now do something else than what they were shown, so nothing was done. Look at how things stand and make the call anew if it is still wanted.`,
    );
  }
  if (!(await approved.use())) {
    approved.lapse('It was used already, by a run that broke off.');
    throw new ToolError(
      'refused',
      `The approval by ${by} was used already, by an attempt at this run that broke off. The call may have been made then; look, and make it anew if it is still wanted.`,
    );
  }
  return { ...verdict, action: 'allow', reason: `Approved by ${by} (${hash}).` };
}
