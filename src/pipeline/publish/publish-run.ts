import type { Octokit } from '@octokit/rest';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { createAttempt, readApiFailure } from '../../reporting/posting/api-failure.ts';
import type { PublishPorts, ReviewPorts } from '../../reporting/posting/ports.ts';
import { publish as publishOutcome } from '../../reporting/publish.ts';
import { publishNothingNew } from '../../reporting/publish-nothing-new.ts';
import type { Published } from '../../reporting/report/published.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import { rebaseChanges } from '../../workspace/changes/rebase-changes.ts';
import { readFileAt } from '../../workspace/git/files-at.ts';
import { fetchIntoMirror } from '../../workspace/git/mirror.ts';
import { pushCommit } from '../../workspace/git/push-commit.ts';
import { type BrokerContext, commitConfig, writerToken } from '../context/broker-context.ts';
import type { PreparedRun } from '../context/prepared-run.ts';
import { retryDuringOutage } from '../context/retry-during-outage.ts';
import { storeRun } from '../context/stored-run.ts';
import { chooseSigner } from './choose-signer.ts';
import { readPublishScope } from './read-publish-scope.ts';
import { scanTokenOf, uploadTold } from './upload-told.ts';

/**
 * Tries of a part that GitHub refuses, before the report says so. The report itself is tried more
 * often.
 */
const triesOfParts = 3;

/** Stores a finished run and publishes it; tries again during an outage of GitHub. */
export async function publishRun(
  run: FinishedRun,
  prepared: PreparedRun,
  context: BrokerContext,
): Promise<Published> {
  const { log, store, signal, lastAttempt, triedInOutage, outageWaitsMs = [] } = context;
  const { outcome } = run;
  const run_id = prepared.plan.run_id;
  for (const message of outcome.diagnostics) log.warn({ run: run_id }, message);
  const { stop } = outcome;
  // A failed job ends with the message, and says it then.
  const isSaidLater = context.host === 'action' && outcome.conclusion === 'failure';
  if (stop?.kind === 'internal_error' && !isSaidLater) log.error({ run: run_id }, stop.message);
  if (stop?.detail !== undefined && !isSaidLater) log.warn({ run: run_id }, stop.detail);
  if (prepared.finished === null)
    await storeRun(prepared.plan, { finished: run, scope: prepared.review }, store);
  return retryDuringOutage(outageWaitsMs, signal, ({ attempt, more }) =>
    publishOnce(run, prepared, context, {
      lastAttempt: lastAttempt && (!more || attempt > triesOfParts),
      triedInOutage: more || triedInOutage,
    }),
  );
}

/** Publishes a run. Its checkout is needed to push, to rebase, and to read files of the base. */
async function publishOnce(
  run: FinishedRun,
  prepared: PreparedRun,
  context: BrokerContext,
  { lastAttempt, triedInOutage }: Pick<BrokerContext, 'lastAttempt' | 'triedInOutage'>,
): Promise<Published> {
  const { checkout, pullRequestDiff, review, display } = prepared;
  const { log, ownLogin, link: runUrl, store, github, staged } = context;
  const config = commitConfig(context);
  const octokit = github.writer;
  const plan = await underCurrentName(await prepared.reportedPlan(), octokit);
  const { trusted, base_sha, sha } = plan.checkout;
  const scope = await readPublishScope(plan, { ...context, lastAttempt });
  if (scope.kind === 'nothing') {
    log.warn({ run: plan.run_id }, scope.reason);
    const { patch } = run.outcome.changes;
    return { issues: [], downgrades: [], failures: [scope.reason], patch, report: scope.reason };
  }
  return publishOutcome(run.outcome, plan, {
    ...{ octokit, store, log, ownLogin, runUrl, config, pullRequestDiff, triedInOutage },
    triedAgain: !lastAttempt,
    // A defect is retried by the next delivery, not by the next try.
    reportsDefects: context.lastAttempt,
    progress: display.progress,
    canAsk: context.canAsk,
    session: run.session,
    ...(scope.kind === 'words' ? { textOnly: scope.reason } : {}),
    ...(review === null ? {} : { review }),
    ...sarifPort(run, plan, context),
    ...(await attestPort(run, plan, prepared, context)),
    readHeadFile: (path) => readFileAt(checkout.git, sha, path),
    readBaseFile: (path) => readFileAt(checkout.git, trusted?.sha ?? base_sha ?? sha, path),
    rebase: async ({ branch, from, patch, onto }) => {
      const remote = { url: plan.repository.clone_url, token: await writerToken(context)() };
      // The checkout borrows the objects of the mirror.
      await fetchIntoMirror(context.mirrorsFolder, remote, {
        refs: [`refs/heads/${branch}`],
        commits: [onto],
      });
      return rebaseChanges({ git: checkout.git, from, patch, onto });
    },
    pushCommit: async (target) => {
      if (staged !== undefined) return staged.push(target);
      const { data: bot } = await octokit.rest.users.getByUsername({ username: ownLogin });
      const person = { name: ownLogin, email: `${bot.id}+${ownLogin}@users.noreply.github.com` };
      const push = async (fresh: boolean) =>
        pushCommit({
          ...{ git: checkout.git, ...target, author: person, committer: person },
          remote: { url: plan.repository.clone_url, token: await context.writeToken(fresh) },
        });
      // Git reports no status, so any refusal may be about the token.
      return push(false).catch(() => push(true));
    },
  });
}

/**
 * Publishes that a review had nothing new, unless that was reported. Null if the plan may publish
 * nothing now. Excluded changes do not count as reviewed.
 */
export async function publishSkipped(
  plan: RunPlan,
  pullRequestDiff: string | null,
  review: ReviewPorts,
  context: BrokerContext,
): Promise<{ readonly outcome: Outcome; readonly published: Published } | null> {
  const { store, log, ownLogin, link: runUrl, config, github } = context;
  const scope = await readPublishScope(plan, context);
  if (scope.kind !== 'stands') {
    log.warn({ run: plan.run_id }, scope.reason);
    return null;
  }
  const octokit = github.writer;
  const settled = review.nothingNew ? review : { ...review, nothingNew: true, reviewed: null };
  const ports = { octokit, store, log, ownLogin, runUrl, config, pullRequestDiff, review: settled };
  const { outcome, told } = await publishNothingNew(plan, ports);
  if (told !== undefined) {
    const attempt = createAttempt(plan, { log }, []);
    await attempt('The findings for code scanning', () => uploadTold({ outcome, told }, plan, context));
  }
  const published = { told, issues: [], downgrades: [], failures: [], patch: '', report: '' };
  return { outcome, published };
}

/**
 * Returns the plan with the repository's current name. REST follows a renamed repository, but git
 * and commits by GraphQL do not (GitHub Docs, "Renaming a repository"). Returns the same plan if
 * GitHub does not answer.
 */
async function underCurrentName(plan: RunPlan, octokit: Octokit): Promise<RunPlan> {
  const { owner, name, clone_url } = plan.repository;
  try {
    const { data } = await octokit.rest.repos.get({ owner, repo: name });
    if (data.full_name.toLowerCase() === `${owner}/${name}`.toLowerCase()) return plan;
    const url = clone_url.replace(/[^/]+\/[^/]+$/u, `${data.full_name}.git`);
    const repository = { ...plan.repository, owner: data.owner.login, name: data.name, clone_url: url };
    return { ...plan, repository };
  } catch (error) {
    if (readApiFailure(error) === null) throw error;
    return plan;
  }
}

/**
 * Uploads a review's findings to code scanning if the configuration asks for it and there is a
 * token.
 */
function sarifPort(
  { outcome }: FinishedRun,
  plan: RunPlan,
  context: BrokerContext,
): Pick<PublishPorts, 'uploadSarif'> {
  if (scanTokenOf(plan, context) === null) return {};
  return {
    // Without what was found before, an upload would close it.
    uploadSarif: async (told) => told && uploadTold({ outcome, told }, plan, context),
  };
}

/** Attests commits if there is a key or an identity to sign with. */
async function attestPort(
  run: FinishedRun,
  plan: RunPlan,
  { checkout }: PreparedRun,
  context: BrokerContext,
): Promise<Pick<PublishPorts, 'attest'>> {
  const sign = chooseSigner(plan, context.config, context);
  if (sign === null) return {};
  const { attestWith } = await import('./attest-change.ts');
  return { attest: attestWith(sign, plan, run, checkout.git) };
}
