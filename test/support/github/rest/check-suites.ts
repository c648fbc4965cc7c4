import { resolveCommit } from '../git/git.ts';
import { readCommit } from '../git/read-commit.ts';
import { ApiError } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { covers, type Handlers, onRepository } from '../protocol/call.ts';
import { appShape } from '../shapes/account.ts';
import { gitCommitShape } from '../shapes/commit.ts';
import { apiBase, repositoryShape } from '../shapes/repository.ts';
import { nodeId } from '../world.ts';
import { installedRepositories } from './apps.ts';

/**
 * GitHub makes a suite of each pushed head for every app that may write checks (GitHub Docs, "REST API endpoints for check
 * suites"). The ids of the stand-in's suites are those of their apps.
 */
export const checkSuiteHandlers: Handlers = {
  'checks/list-suites-for-ref': onRepository(async (call) => {
    permit(call, 'checks', 'read');
    const { world, repository, params } = call;
    const name = params.ref ?? '';
    const sha =
      (await resolveCommit(repository.directory, `refs/heads/${name}`)) ??
      (await resolveCommit(repository.directory, name));
    if (sha === null) throw new ApiError(422, `No commit found for SHA: ${name}`);
    const pushedAt = repository.pushes.get(sha);
    if (pushedAt === undefined) return { status: 200, list: [], envelope: 'check_suites' };
    const apps = [...world.apps.values()].filter(
      (app) =>
        covers(app.permissions.checks, 'write') && installedRepositories(world, app).includes(repository),
    );
    const commit = await readCommit(repository.directory, sha);
    const list = apps.map((app) => {
      const own = repository.checkRuns.filter((check) => check.app === app && check.headSha === sha);
      const done = own.length > 0 && own.every(({ status }) => status === 'completed');
      const url = `${apiBase(world, repository)}/check-suites/${app.id}`;
      return {
        ...{ id: app.id, node_id: nodeId('CS', app.id), url, check_runs_url: `${url}/check-runs` },
        ...{ head_branch: null, head_sha: sha, before: null, after: sha, pull_requests: [] },
        status: done ? 'completed' : 'queued',
        conclusion: done ? (own.at(-1)?.conclusion ?? null) : null,
        app: appShape(world, app),
        repository: repositoryShape(world, repository),
        ...{ created_at: pushedAt, updated_at: pushedAt, latest_check_runs_count: own.length },
        head_commit: headCommit(gitCommitShape(world, repository, commit)),
      };
    });
    return { status: 200, list, envelope: 'check_suites' };
  }),
};

const headCommit = ({ sha, tree, message, author, committer }: ReturnType<typeof gitCommitShape>) => ({
  ...{ id: sha, tree_id: tree.sha, message, timestamp: author.date, author, committer },
});
