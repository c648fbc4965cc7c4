import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import { createOctokit, type TokenSource } from '../../github/create-octokit.ts';
import { uploadSarif } from '../../reporting/check-run/upload-sarif.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import type { ProgressComment, PublishPorts, ReviewPorts } from '../../reporting/posting/ports.ts';
import { publish } from '../../reporting/publish.ts';
import type { Published } from '../../reporting/report/published.ts';
import { publishNothingNew } from '../../reporting/review/publish-nothing-new.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import { rebaseChanges } from '../../workspace/changes/rebase-changes.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';
import { fetchIntoMirror } from '../../workspace/git/mirror.ts';
import { pushCommit } from '../../workspace/git/push-commit.ts';
import { readFileAt } from '../../workspace/git/read-file-at.ts';
import { readStanding, type StandingPorts } from './read-standing.ts';

/** A run that came to its end, with what it worked on. */
export interface RunToPublish {
  readonly finished: FinishedRun;
  readonly plan: RunPlan;
  readonly config: Config;
  /** As git shows it; null where there is no pull request. */
  readonly pullRequestDiff: string | null;
  readonly checkout: Checkout;
  readonly progress: ProgressComment | null;
  readonly review: ReviewPorts | null;
}

/** What publishing needs from the root that owns credentials and state. */
export interface PublishRunPorts extends Pick<PublishPorts, 'log' | 'ownLogin' | 'runUrl' | 'store'> {
  readonly apiUrl: string;
  readonly writeToken: TokenSource;
  readonly scanToken?: TokenSource;
  readonly installation?: StandingPorts['installation'];
  readonly mirrorsFolder: string;
  readonly budget: ContentBudget;
  /** True when nobody calls again after an error. */
  readonly lastAttempt: boolean;
  /** True when nobody calls again after a defect. */
  readonly tellsDefects: boolean;
  /** True when somebody calls again where GitHub takes not even the report. */
  readonly triedWhileDown: boolean;
}

/** Publishes a run with what only its checkout can do: push, rebase, and read files of the base. */
export async function publishRun(run: RunToPublish, ports: PublishRunPorts): Promise<Published> {
  const { finished, config, pullRequestDiff, checkout, progress, review } = run;
  const { log, ownLogin, runUrl, store } = ports;
  const octokit = createOctokit({ apiUrl: ports.apiUrl, token: ports.writeToken, budget: ports.budget });
  const plan = await underCurrentName(run.plan, octokit);
  const { trusted, base_sha, sha } = plan.checkout;
  const standing = await readStanding(plan, standingPorts(octokit, ports));
  if (standing.kind === 'nothing') {
    log.warn({ run: plan.run_id }, standing.reason);
    const { patch } = finished.outcome.changes;
    return { issues: [], downgrades: [], failures: [standing.reason], patch, report: standing.reason };
  }
  return publish(finished.outcome, plan, {
    octokit,
    store,
    triedAgain: !ports.lastAttempt,
    tellsDefects: ports.tellsDefects,
    triedWhileDown: ports.triedWhileDown,
    progress,
    log,
    ownLogin,
    runUrl,
    ...(standing.kind === 'words' ? { wordsOnly: standing.reason } : {}),
    pullRequestDiff,
    session: finished.session,
    config,
    ...(review === null ? {} : { review }),
    ...sarifPort({ ...run, plan }, ports),
    readBaseFile: (path) => readFileAt(checkout.git, trusted?.sha ?? base_sha ?? sha, path),
    rebase: async ({ branch, from, patch, onto }) => {
      const remote = { url: plan.repository.clone_url, token: await ports.writeToken() };
      // The checkout borrows the objects of the mirror.
      await fetchIntoMirror(ports.mirrorsFolder, remote, { refs: [`refs/heads/${branch}`], commits: [onto] });
      return rebaseChanges({ git: checkout.git, from, patch, onto });
    },
    pushCommit: async (target) => {
      const { data: bot } = await octokit.rest.users.getByUsername({ username: ownLogin });
      const person = { name: ownLogin, email: `${bot.id}+${ownLogin}@users.noreply.github.com` };
      const push = async (fresh: boolean) =>
        pushCommit({
          ...{ git: checkout.git, ...target, author: person, committer: person },
          remote: { url: plan.repository.clone_url, token: await ports.writeToken(fresh) },
        });
      // Git names no status, so that any refusal may have been of the token.
      return push(false).catch(() => push(true));
    },
  });
}

/** Publishes that a review had nothing new to look at, where that is still to be said. */
export async function publishQuiet(
  plan: RunPlan,
  ports: Parameters<typeof publishNothingNew>[1],
  root: Pick<PublishRunPorts, 'installation' | 'lastAttempt' | 'store'>,
): Promise<void> {
  const standing = await readStanding(plan, standingPorts(ports.octokit, root));
  if (standing.kind === 'stands') await publishNothingNew(plan, ports);
  else ports.log.warn({ run: plan.run_id }, standing.reason);
}

function standingPorts(
  octokit: Octokit,
  { installation, lastAttempt, store }: Pick<PublishRunPorts, 'installation' | 'lastAttempt' | 'store'>,
): StandingPorts {
  const asked = { octokit, triedAgain: !lastAttempt, repositoryId: store.repository };
  return { ...asked, ...(installation && { installation }) };
}

/**
 * The plan with the repository by the name that it has now. Of an old name REST requests are redirected, but neither a commit by
 * GraphQL nor git follows (GitHub Docs, "Renaming a repository"). Where GitHub does not answer, the plan as it is.
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

/** Code scanning gets a review's findings where the configuration says so and there is a token for it. */
function sarifPort(run: RunToPublish, ports: PublishRunPorts): Pick<PublishPorts, 'uploadSarif'> {
  const { finished, plan, config, pullRequestDiff: diff, checkout } = run;
  const { scanToken, apiUrl, budget } = ports;
  if (config.review?.sarif !== true || plan.profile !== 'review' || diff === null || scanToken === undefined)
    return {};
  return {
    uploadSarif: async () => {
      const { planSarif } = await import('./review-sarif.ts');
      const log = await planSarif(finished.outcome, plan, { diff, git: checkout.git, config }, true);
      await uploadSarif(log, plan, createOctokit({ apiUrl, token: scanToken, budget }));
    },
  };
}
