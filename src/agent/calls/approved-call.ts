import type { Approval, Decision } from '../../contract/decision.ts';
import { ToolError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { shortHash } from '../../permissions/gate/call-digest.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { spellOutInvisible } from '../../untrusted-text/invisible.ts';

/**
 * Characters that a comment can show of one call: with what stands around it, GitHub takes 65,536.
 */
const maxLength = 40_000;

/** A call that a person has approved: it is made only if it still comes to the same. */
export interface ApprovedCall {
  readonly callId: string;
  /** Digest of the call that was shown, by `callDigest`. */
  readonly digest: string;
  readonly hash: string;
  /** Login of the person who approved it. */
  readonly by: string;
  /** True for whoever asks first: an approval is used once. */
  readonly use: () => Promise<boolean>;
  /** Told, in a sentence, why nothing was done after all; what it is told first counts. */
  readonly lapse: (why: string) => void;
}

/** Returns what a person is shown of a call that the gate asks about. */
export function approvalOf(
  about: Pick<Approval, 'tool' | 'what' | 'reason' | 'call_id'>,
  {
    input,
    targets,
    diff,
  }: {
    readonly input: JsonObject;
    readonly targets: Targets;
    readonly diff: string | undefined;
  },
  decision: Decision,
  digest: string,
): Approval {
  const { commands = [], paths = [], urls = [] } = targets;
  const parts = [...new Set(decision.commands.map(({ command }) => command))];
  // The rest of what it was called with: the folder, a time limit. A diff says all there is to say.
  const rest = Object.entries(input).filter(
    ([, value]) => typeof value !== 'string' || !commands.includes(value),
  );
  return {
    ...about,
    hash: shortHash(digest),
    digest,
    waits: true,
    ...(commands.length === 0 ? {} : { commands: [...commands] }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(paths.length === 0 ? {} : { paths: paths.map(({ path, access }) => ({ path, access })) }),
    ...(urls.length === 0 ? {} : { urls: [...urls] }),
    ...((diff ?? '') === '' ? {} : { diff: diff ?? '' }),
    ...((diff ?? '') !== '' || rest.length === 0
      ? {}
      : { input: JSON.stringify(Object.fromEntries(rest), null, 2) }),
  };
}

/** True where a comment could not show the whole of it: nobody approves what they cannot see. */
export function tooMuchToShow(approval: Approval): boolean {
  return spellOutInvisible(JSON.stringify(approval)).length > maxLength;
}

/**
 * The decision on a call that a person approved. The approval answers a question of the gate, and
 * nothing that the gate refuses. Throws `ToolError('refused')` where the call would not do now what
 * was shown.
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
