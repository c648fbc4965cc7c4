import path from 'node:path';
import { ConfigError } from '../../contract/errors.ts';
import type { HandedRun } from '../../contract/handed-run.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import { changesOfPatch } from '../../workspace/changes/final-changes.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import type { JobShare } from '../context/job-share.ts';

/** Facts that the publishing job knows by itself. */
interface OwnFacts {
  readonly checkout: Checkout;
  /** The session that the plan resumes; null for a new one. */
  readonly session: SavedSession | null;
  readonly runsFolder: string;
}

/**
 * Makes a finished run from what the agent's job left. Nothing of it is believed that this job
 * knows by itself: ids, profile and preset come from the plan, approvals and grants from the stored
 * session, and the changed files from git, which applies the patch to the plan's commit. Throws
 * `ConfigError`, for the thread, if the run cannot be published.
 */
export async function acceptHandedRun(
  handed: HandedRun,
  plan: RunPlan,
  { checkout, session, runsFolder }: OwnFacts,
): Promise<FinishedRun> {
  if (handed.kind === 'failure') throw new ConfigError(handed.message);
  const { sha } = plan.checkout;
  if (handed.head !== sha) throw new ConfigError(movedHead(handed.head, sha));
  const { patch, left_out } = handed.outcome.changes;
  const changes = await changesOfPatch(checkout.git, sha, patch);
  if (changes === null)
    throw new ConfigError(`The patch of the agent's job does not fit the commit ${sha.slice(0, 12)}.`);
  const known = knownBefore(session);
  // A call is approved by a name for what it would do, which only the agent's job could check.
  const { pending_approval: _, decided: __, grants: ___, ...rest } = handed.outcome;
  const outcome: Outcome = {
    ...{ ...rest, ...known, run_id: plan.run_id, session_id: plan.session_id },
    ...{ profile: plan.profile, preset: plan.preset },
    changes: { ...changes, ...(left_out === undefined ? {} : { left_out }) },
  };
  const ours = (saved: SavedSession | null): SavedSession | null =>
    saved === null || saved.approval !== undefined ? null : ownSession(saved, plan, known);
  const folder = path.join(runsFolder, plan.run_id);
  // The ledger stays in the job of the agent.
  const ledgerFile = path.join(folder, 'ledger.jsonl');
  return { outcome, session: ours(handed.session), stopped: ours(handed.stopped), folder, ledgerFile };
}

type KnownBefore = Pick<SavedSession, 'decided' | 'grants'>;

function knownBefore(session: SavedSession | null): KnownBefore {
  const { decided, grants } = session ?? {};
  return { ...(decided === undefined ? {} : { decided }), ...(grants === undefined ? {} : { grants }) };
}

function ownSession(saved: SavedSession, plan: RunPlan, known: KnownBefore): SavedSession {
  const { decided: _, grants: __, ...rest } = saved;
  const { run_id, session_id, checkout, profile, preset } = plan;
  return { ...rest, ...known, run_id, session_id, plan, base_sha: checkout.sha, profile, preset };
}

const movedHead = (from: string, to: string): string =>
  `The agent worked on ${from.slice(0, 12)}, which is no commit of the branch any more: its head is ${to.slice(0, 12)}. Nothing of its work was published; ask again.`;

/** Makes the error for a plan whose run the agent's job did not leave. */
export function nothingHanded(
  { run_id }: Pick<RunPlan, 'run_id'>,
  share: Extract<JobShare, { kind: 'publish' }>,
): ConfigError {
  return new ConfigError(
    run_id === share.runId
      ? 'The job of the agent left no result: it was cancelled, failed before it could, or did not run.'
      : 'Where agent and publisher have a job each, one comment starts one run. Ask for this in a comment of its own.',
  );
}
