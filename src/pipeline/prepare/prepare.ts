import path from 'node:path';
import { signingKey } from '../../config/signing-key.ts';
import { sigstoreServices } from '../../config/sigstore-services.ts';
import { RunStopped } from '../../contract/errors.ts';
import type { HandedRun } from '../../contract/handed-run.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { decideFailure } from '../../reporting/findings/decide-failure.ts';
import { readReviewRecord } from '../../reporting/findings/previous-findings.ts';
import type { ReviewPorts } from '../../reporting/posting/ports.ts';
import { openFindings } from '../../reporting/review/fold-findings.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import type { RunInput } from '../../run/records/run-context.ts';
import type { SetupLocation } from '../../run/setup/compose-setup.ts';
import type { DecidedApproval } from '../../webhooks/records/approval-record.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { type Checkout, checkoutRun } from '../../workspace/git/checkout.ts';
import { diffBetween, forkPoint } from '../../workspace/git/diff-between.ts';
import { filesAt } from '../../workspace/git/files-at.ts';
import type { GitRemote } from '../../workspace/git/git-environment.ts';
import { hasOwnCommits } from '../../workspace/git/review-history.ts';
import { trustedTreeAt } from '../../workspace/git/trusted-tree.ts';
import type { BrokerContext } from '../context/broker-context.ts';
import { commitGuidance } from '../context/commit-guidance.ts';
import { handedRunOf } from '../context/job-share.ts';
import { isChecksOnly, plannedRun } from '../context/planned-run.ts';
import type { OpenedPlan, PreparedRun, RunDisplay, UnpreparedRun } from '../context/prepared-run.ts';
import type { SkippedRun } from '../context/run-result.ts';
import { type StoredRun, storedRun } from '../context/stored-run.ts';
import { publishSkipped } from '../publish/publish-run.ts';
import { closeAnswered } from './close-answered.ts';
import { fetchAttachments } from './fetch-attachments.ts';
import { withoutTemplates } from './hidden-findings.ts';
import { openRunCheck, reopenRunCheck } from './open-run-check.ts';
import { restoreChanges } from './restore-changes.ts';
import { approvalAnswer, claimSession, withGrantsOfWriters } from './resume-plan.ts';
import { isSilent, mayBeSkipped, type ReviewScope, reviewScope } from './review-scope.ts';
import { closeDisplay, readOpenRun, showRun, showsOnlySummary, storeOpenRun } from './show-run.ts';

/** A plan whose resources are being opened, with those that are open so far. */
interface Opening extends OpenedPlan {
  readonly folder: string;
  /** True if nothing on the thread shows that it runs. */
  readonly silent: boolean;
  /** Aborted when the run is released. */
  readonly signal: AbortSignal;
  attachments: ReturnType<typeof fetchAttachments> | null;
  checkout: Checkout | null;
}

/**
 * Displays a plan's run on GitHub, checks it out and collects its input. The caller releases what
 * it returns. Throws if the run could not be displayed; any later error is in an `UnpreparedRun`,
 * so that it can be reported.
 */
export async function prepare(
  plan: RunPlan,
  context: BrokerContext,
): Promise<PreparedRun | UnpreparedRun | SkippedRun> {
  const { store, canAsk } = context;
  const stored = await storedRun(plan, store);
  if (plan.own_commit === 'off' && canAsk && (await readReviewRecord(plan, store)) === null)
    return { kind: 'skipped', reason: 'The pull request was never reviewed, and its new head is our own.' };
  // An earlier attempt may have finished or displayed the run, which then must end in a report.
  const wasDisplayed = stored !== null || (await readOpenRun(plan, store))?.shown === true;
  const silent = await isShownNowhere(plan, context);
  const isShown = wasDisplayed || plan.turn !== undefined;
  const undecided = silent || (!isShown && (await mayBeSkipped(plan, canAsk ? store : null)));
  if (undecided && plan.thread !== null) await storeOpenRun(plan, {}, context);
  const display: RunDisplay = { progress: undecided ? null : await showFor(plan, context), check: null };
  if (!undecided && isUnreachable(plan, display)) return endUnreachable(plan, display, context);
  const opening = open(plan, display, silent, context);
  try {
    const prepared = await prepareDisplayed(opening, stored, context);
    if (prepared.kind === 'skipped') await opening.release();
    return prepared;
  } catch (error) {
    const { release } = opening;
    return { kind: 'unprepared', plan, display, failure: { error, running: false }, release };
  }
}

/** True if nothing on the thread shows that a plan runs. A claim is a progress comment already. */
async function isShownNowhere(plan: RunPlan, context: BrokerContext): Promise<boolean> {
  if (context.share?.kind === 'agent' || isSilent(plan)) return true;
  return plan.turn === undefined && (await showsOnlySummary(plan, context));
}

function open(
  plan: RunPlan,
  display: RunDisplay,
  silent: boolean,
  { checkoutsFolder, signal }: BrokerContext,
): Opening {
  const over = new AbortController();
  const folder = path.join(checkoutsFolder, plan.run_id);
  const opening: Opening = {
    ...{ plan, display, silent, folder, attachments: null, checkout: null },
    signal: AbortSignal.any([signal, over.signal]),
    async release() {
      // Nothing may continue after its run: the next delivery may be another repository's.
      over.abort();
      await Promise.allSettled([display.progress?.leave(), opening.attachments]);
      await opening.checkout?.remove();
      // A failed checkout also leaves files.
      await removeTree(folder);
    },
  };
  return opening;
}

async function prepareDisplayed(
  opening: Opening,
  stored: StoredRun | null,
  context: BrokerContext,
): Promise<PreparedRun | SkippedRun> {
  const { plan, display, release } = opening;
  const { configError, store, canAsk, share } = context;
  if (configError !== null) throw configError;
  // Refused before a model costs anything.
  signingKey(context.environment);
  sigstoreServices(context.environment);
  const session = await openSession(plan, display, context);
  const remote = { url: plan.repository.clone_url, token: await context.readToken() };
  // Fetched during the checkout, which takes longer.
  opening.attachments = fetchAttachments(plan, { ...context, signal: opening.signal });
  opening.attachments.catch(() => undefined);
  const checkout = await checkOut(plan, remote, opening.folder, context);
  opening.checkout = checkout;
  const { sha, base_sha: baseSha } = plan.checkout;
  const diff = baseSha === null ? null : await diffBetween(checkout.git, baseSha, sha);
  const sources = { checkout, remote, store: canAsk ? store : null, stored: stored?.scope ?? null };
  const review = diff === null ? null : await reviewScope(plan, diff, sources, context);
  const handed = handedRunOf(plan, share);
  const isDone = stored !== null || handed !== null;
  const skipped = !isDone && review !== null ? await skipReview(opening, diff, review.ports, context) : null;
  if (skipped !== null) return skipped;
  if (!opening.silent) {
    display.progress ??= await showFor(plan, context);
    if (isUnreachable(plan, display)) return endUnreachable(plan, display, context);
  }
  display.check = await openRunCheck(plan, diff, context);
  const scope = { session, checkout, diff, review, secrets: [remote.token] };
  let reported: Promise<RunPlan> | null = null;
  return {
    ...{ kind: 'prepared', plan, display, release, checkout, session, pullRequestDiff: diff },
    input: {
      ...(await inputOf(plan, scope, context)),
      attachments: isDone ? [] : await opening.attachments,
    },
    review: review?.ports ?? null,
    finished: stored?.finished ?? (await acceptRun(handed, plan, { checkout, session, ...context })),
    reportedPlan() {
      reported ??= withoutTemplates(plan.hidden_text ?? [], checkout, baseSha ?? sha).then((hidden_text) => ({
        ...plan,
        hidden_text,
      }));
      return reported;
    },
  };
}

/** Makes a finished run from what the job of the agent left; null without it. */
async function acceptRun(
  handed: HandedRun | null,
  plan: RunPlan,
  facts: Parameters<typeof import('../publish/accept-handed-run.ts').acceptHandedRun>[2],
): Promise<FinishedRun | null> {
  if (handed === null) return null;
  // Loaded on demand: only the publishing one of two jobs needs it.
  const { acceptHandedRun } = await import('../publish/accept-handed-run.ts');
  return acceptHandedRun(handed, plan, facts);
}

/** Claims what the plan continues, and marks its question as answered. */
async function openSession(
  plan: RunPlan,
  display: RunDisplay,
  context: BrokerContext,
): Promise<SavedSession | null> {
  const { store, github, share } = context;
  await claimProposal(plan, store);
  const session = await withGrantsOfWriters(await claimSession(plan, store), plan, github.writer);
  if (session !== null && share?.kind !== 'agent') await closeAnswered(session, plan, display, context);
  return session;
}

/**
 * Ends a review without anything to review. Its check run reports what is open at the new head.
 * Null for any other run.
 */
async function skipReview(
  { plan, display }: Opening,
  diff: string | null,
  ports: ReviewPorts,
  context: BrokerContext,
): Promise<SkippedRun | null> {
  const reason = whySkipped(plan, ports);
  if (reason === null) return null;
  if (context.share?.kind === 'agent') return { kind: 'skipped', reason };
  display.check = await openRunCheck(plan, diff, context);
  const done = await publishSkipped(plan, diff, ports, context);
  if (done === null) await display.check?.fail('The pull request may not be written to any more.');
  else {
    await display.check?.finish(done.outcome, done.published);
    const { saveLastReview } = await import('../publish/stored-review.ts');
    await saveLastReview(plan, done.outcome, done.published, context);
  }
  await display.progress?.remove(context.github.writer);
  await closeDisplay(plan, display, '', context);
  const open = openFindings(done?.published.told ?? []).map(({ finding }) => finding);
  return { kind: 'skipped', reason, failure: decideFailure(open, context.config.review?.failOn) };
}

/** Returns why a review has nothing to look at, as a sentence; null if it has. */
function whySkipped({ own_commit, review_scope }: RunPlan, { nothingNew }: ReviewPorts): string | null {
  if (own_commit === 'off') return 'The head is our own, and `review.ownCommits` is off.';
  return review_scope === 'new' && nothingNew ? 'Everything in this pull request was reviewed before.' : null;
}

function checkOut(
  plan: RunPlan,
  remote: GitRemote,
  folder: string,
  { mirrorsFolder, signal }: BrokerContext,
): Promise<Checkout> {
  const { ref, sha, base_ref, base_sha: baseSha, trusted } = plan.checkout;
  return checkoutRun({
    ...{ remote, ref, sha, baseRef: `refs/heads/${base_ref}`, baseSha, folder, signal },
    baseHead: plan.ended?.base_head,
    ...(trusted === undefined ? {} : { also: { ...trusted, ref: `refs/heads/${trusted.ref}` } }),
    mirrorFolder: mirrorsFolder,
    waits: [500, 1_500, 4_000],
  });
}

async function inputOf(
  plan: RunPlan,
  run: {
    readonly session: SavedSession | null;
    readonly checkout: Checkout;
    readonly diff: string | null;
    readonly review: ReviewScope | null;
    readonly secrets: readonly string[];
  },
  context: BrokerContext,
): Promise<RunInput> {
  const { session, checkout, diff, review, secrets } = run;
  const { config, store } = context;
  const { git, root } = checkout;
  const { sha, base_sha: baseSha, trusted } = plan.checkout;
  const trustedSha = trusted?.sha ?? baseSha ?? sha;
  const task = review?.request ?? plan.prompt;
  const guidance = session === null ? await commitGuidance(plan, git, config) : '';
  return {
    ...plannedRun(plan),
    task: guidance === '' ? task : `${task}\n\n${guidance}`,
    root,
    ...(config.setup === undefined ? {} : { setup: await setupStoreOf(plan, git, context) }),
    reviewDiff: review?.diff ?? diff,
    newLines: review?.newLines ?? null,
    pullRequestDiff: diff,
    range: baseSha === null ? null : { git, from: await forkPoint(git, baseSha, sha), to: sha },
    // A review of nothing calls no model.
    checksOnly: isChecksOnly(plan, config) || (plan.verb === 'review' && review?.ports.nothingNew === true),
    trusted: (paths) => filesAt(git, trustedSha, paths),
    trustedTree: trustedTreeAt(git, trustedSha),
    canAsk: context.canAsk && plan.thread !== null,
    resume:
      session === null
        ? null
        : {
            session,
            answer: plan.prompt,
            ...approvalAnswer(plan, store),
            patchInCheckout: '',
            restore: () => restoreChanges(session, plan, checkout),
          },
    secrets,
  };
}

const unreachable: SkippedRun = {
  kind: 'skipped',
  reason: 'GitHub takes no comment of ours on that thread, and the run has nothing but words to leave.',
};

/** Ends a run whose thread takes no comment. A check of an earlier attempt gets the reason. */
async function endUnreachable(
  plan: RunPlan,
  display: RunDisplay,
  context: BrokerContext,
): Promise<SkippedRun> {
  const { reason } = unreachable;
  display.check = await reopenRunCheck(plan, context);
  await display.check?.fail(reason);
  await closeDisplay(plan, display, reason, context);
  return unreachable;
}

/** Shows a run; one that may push nothing has only its words to leave. */
const showFor = (plan: RunPlan, context: BrokerContext) => showRun(plan, context, plan.push.kind === 'none');

/** Returns true if a run could only write a comment, and its thread takes none. */
function isUnreachable({ thread, push }: RunPlan, { progress }: RunDisplay): boolean {
  return thread !== null && progress === null && push.kind === 'none';
}

/**
 * Returns where set-up results are stored. Results of a fork, or of unmerged commits by a run,
 * serve only that pull request: their authors may not write to the repository.
 */
async function setupStoreOf(
  plan: RunPlan,
  git: Checkout['git'],
  { setupFolder, tenant }: { readonly setupFolder: string; readonly tenant: string },
): Promise<SetupLocation> {
  const { checkout, thread } = plan;
  const { fork, sha, base_sha: base } = checkout;
  const unread = fork || (base !== null && (await hasOwnCommits(git, base, sha)));
  const untrusted = unread ? `pull request ${thread?.number ?? sha}` : null;
  return { storeFolder: setupFolder, repository: tenant, untrusted };
}

/**
 * Claims the approved plan that a run carries out, for its delivery and the repeats of it. Throws
 * `RunStopped` for any other delivery; does nothing for a run without an approved plan.
 */
async function claimProposal(plan: RunPlan, store: StateStore): Promise<void> {
  const { approved_plan: hash, thread } = plan;
  if (hash === undefined || thread === null) return;
  const taker = plan.source.delivery_id ?? plan.run_id;
  const decided = stateKeys.approval(thread.number, hash);
  const key = stateKeys.usedProposal(thread.number, hash);
  const isOwn = (await store.claim(key, taker)) || (await store.get(key)) === taker;
  if (!isOwn)
    throw new RunStopped({ kind: 'cancelled', message: `The plan ${hash} is being carried out already.` });
  const record: DecidedApproval = { by: plan.requester.login, verdict: 'approve' };
  await store.set(decided, JSON.stringify(record));
}
