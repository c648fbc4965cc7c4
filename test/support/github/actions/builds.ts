import { createApp } from '../create-app.ts';
import { branchHead } from '../git/git.ts';
import { accountShape } from '../shapes/account.ts';
import { apiBase, pageBase, repositoryShape } from '../shapes/repository.ts';
import { storeSigned } from '../uploads.ts';
import { type Account, isPull, nodeId, type Repository, timestamp, type World } from '../world.ts';

/** A run of a workflow that ended. */
export interface BuildOptions {
  /** The branch that was built, at its head. */
  readonly branch: string;
  /** Default: the repository itself. */
  readonly headRepository?: { readonly repository: Repository };
  readonly conclusion: 'success' | 'failure' | 'cancelled';
  /** The workflow's file. Default: `.github/workflows/ci.yml`. */
  readonly file?: string;
  /** The name and log of its only job. */
  readonly job: string;
  readonly log: string;
}

/**
 * Ends a run of a workflow: its job is a check run of the app `github-actions` with the id of the
 * job (GitHub Docs, "Get a job for a workflow run"), and the event `workflow_run` names the open
 * pull requests of its head. For the head of a fork it names none.
 */
export async function endBuild(
  world: World,
  repository: Repository,
  sender: Account,
  options: BuildOptions,
): Promise<void> {
  const head = options.headRepository?.repository ?? repository;
  const sha = await branchHead(head.directory, options.branch);
  if (sha === null) throw new Error(`${head.fullName} has no branch ${options.branch}`);
  const now = timestamp(world);
  const job = world.nextId();
  repository.checkRuns.push({
    ...{ id: job, nodeId: nodeId('CR', job), app: actionsApp(world), name: options.job, headSha: sha },
    ...{ status: 'completed', conclusion: options.conclusion, detailsUrl: null, externalId: '' },
    ...{ startedAt: now, completedAt: now, title: null, summary: null, text: null, annotations: [] },
  });
  repository.jobLogs.set(job, storeSigned(world, Buffer.from(options.log)));
  const id = world.nextId();
  repository.workflowRuns.set(id, 'completed');
  world.emit({
    ...{ event: 'workflow_run', action: 'completed', repository, sender },
    data: { workflow_run: runShape(world, repository, sender, { ...options, id, sha, head, now }) },
  });
}

function actionsApp(world: World) {
  const slug = 'github-actions';
  const known = () => [...world.apps.values()].find((app) => app.slug === slug);
  if (known() === undefined) createApp(world, { slug, permissions: { checks: 'write' }, repositories: [] });
  return known() ?? null;
}

function runShape(
  world: World,
  repository: Repository,
  sender: Account,
  run: BuildOptions & {
    readonly id: number;
    readonly sha: string;
    readonly head: Repository;
    readonly now: string;
  },
) {
  const url = `${apiBase(world, repository)}/actions/runs/${run.id}`;
  const reference = { id: repository.id, url: apiBase(world, repository), name: repository.name };
  const pulls = repository.threads
    .filter(isPull)
    .filter(
      ({ state, pull }) =>
        state === 'open' &&
        run.head === repository &&
        pull.headRepository === repository &&
        pull.headSha === run.sha,
    );
  return {
    ...{ id: run.id, name: 'CI', node_id: nodeId('WFR', run.id), run_number: 1, run_attempt: 1 },
    ...{ head_branch: run.branch, head_sha: run.sha, path: run.file ?? '.github/workflows/ci.yml' },
    ...{ event: 'pull_request', status: 'completed', conclusion: run.conclusion, url },
    html_url: `${pageBase(world, repository)}/actions/runs/${run.id}`,
    ...{ created_at: run.now, updated_at: run.now, run_started_at: run.now },
    ...{ actor: accountShape(world, sender), triggering_actor: accountShape(world, sender) },
    repository: repositoryShape(world, repository),
    head_repository: repositoryShape(world, run.head),
    pull_requests: pulls.map((thread) => ({
      id: thread.id,
      number: thread.number,
      url: `${apiBase(world, repository)}/pulls/${thread.number}`,
      head: { ref: thread.pull.headBranch, sha: thread.pull.headSha, repo: reference },
      base: { ref: thread.pull.baseBranch, sha: thread.pull.baseSha, repo: reference },
    })),
  };
}
