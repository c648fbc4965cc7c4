import { borrow } from '../actions/refs.ts';
import { writeTree } from '../git/commit.ts';
import { type DiffFile, diffFiles, diffText, mergeBase } from '../git/diff.ts';
import { git, resolveCommit } from '../git/git.ts';
import { readCommit, readCommits } from '../git/read-commit.ts';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { type Handlers, onRepository, type Reply, type RepositoryCall } from '../protocol/call.ts';
import { assertTextFits, listedFiles } from '../rules/diffs.ts';
import { commitShape } from '../shapes/commit.ts';
import { pullShape } from '../shapes/pull.ts';
import { apiBase, pageBase } from '../shapes/repository.ts';
import { findRepository, isPull } from '../world.ts';

/** A file of a diff as the API gives it (`diff-entry`). */
export function fileShape({ world, repository }: RepositoryCall, file: DiffFile, sha: string) {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.blob,
    filename: file.path,
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${pageBase(world, repository)}/blob/${sha}/${path}`,
    raw_url: `${pageBase(world, repository)}/raw/${sha}/${path}`,
    contents_url: `${apiBase(world, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
  };
}

/** The diff or patch that an `Accept` header requests, null if it requests JSON. */
export async function asText(
  { repository, accept, world }: RepositoryCall,
  from: string,
  to: string,
): Promise<Reply | null> {
  const kind = /\b(diff|patch)\b/.exec(accept)?.[1];
  if (kind === undefined) return null;
  const text =
    kind === 'diff'
      ? `${await diffText(repository.directory, from, to)}\n`
      : await git(repository.directory, ['format-patch', '--stdout', `${from}..${to}`]);
  assertTextFits(world.limits, text);
  return { status: 200, text, type: `application/vnd.github.${kind}; charset=utf-8` };
}

const revision = async ({ repository }: RepositoryCall, name: string) => {
  const sha =
    (await resolveCommit(repository.directory, `refs/heads/${name}`)) ??
    (await resolveCommit(repository.directory, name));
  if (sha === null) throw new ApiError(422, `No commit found for SHA: ${name}`);
  return sha;
};

/** A side of `base...head`; `owner:branch` names another repository of the network. */
async function compared(call: RepositoryCall, name: string): Promise<string> {
  const [owner, branch] = name.includes(':') ? name.split(':', 2) : [undefined, name];
  const other =
    owner === undefined ? call.repository : findRepository(call.world, `${owner}/${call.repository.name}`);
  if (other === undefined || branch === undefined) throw notFound();
  const sha =
    (await resolveCommit(other.directory, `refs/heads/${branch}`)) ??
    (await resolveCommit(other.directory, branch));
  if (sha === null) throw notFound();
  await borrow(call.repository, other, sha);
  return sha;
}

export const commitHandlers: Handlers = {
  'repos/list-commits': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const { sha, path, author, since, until } = call.query;
    const { repository, world } = call;
    const start = await revision(call, typeof sha === 'string' ? sha : repository.defaultBranch).catch(() => {
      throw notFound();
    });
    const limits = [
      ...(typeof author === 'string' ? [`--author=${author}`] : []),
      ...(typeof since === 'string' ? [`--since=${since}`] : []),
      ...(typeof until === 'string' ? [`--until=${until}`] : []),
    ];
    const paths = typeof path === 'string' ? [path] : [];
    const commits = await readCommits(repository.directory, [start], limits, paths);
    return { status: 200, list: commits.map((commit) => commitShape(world, repository, commit)) };
  }),

  'repos/get-commit': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const { world, repository } = call;
    const sha = await revision(call, call.params.ref ?? '');
    if (/\.sha\b/.test(call.accept)) return { status: 200, text: sha, type: 'application/vnd.github.sha' };
    const commit = await readCommit(repository.directory, sha);
    const empty = await writeTree(repository.directory, null, []);
    const from = commit.parents[0] ?? empty;
    const text = await asText(call, from, sha);
    if (text !== null) return text;
    const files = await diffFiles(repository.directory, from, sha);
    const { commitFiles, commitFilesPage } = world.limits;
    const { page = 1, per_page: size = commitFilesPage } = call.query as { page?: number; per_page?: number };
    const displayed = listedFiles(world.limits, files, commitFiles).slice((page - 1) * size, page * size);
    const additions = files.reduce((sum, file) => sum + file.additions, 0);
    const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
    return {
      status: 200,
      body: {
        ...commitShape(world, repository, commit),
        stats: { additions, deletions, total: additions + deletions },
        files: displayed.map((file) => fileShape(call, file, sha)),
      },
    };
  }),

  'repos/list-pull-requests-associated-with-commit': onRepository(async (call) => {
    permit(call, 'pull_requests', 'read');
    const { world, repository } = call;
    const sha = await resolveCommit(repository.directory, call.params.commit_sha ?? '');
    if (sha === null) throw new ApiError(422, `No commit found for SHA: ${call.params.commit_sha}`);
    const pulls = repository.threads.filter(isPull);
    const holds = await Promise.all(
      pulls.map(async ({ pull }) => {
        const own = await git(repository.directory, ['rev-list', `${pull.baseSha}..${pull.headSha}`]);
        return own.split('\n').includes(sha);
      }),
    );
    return {
      status: 200,
      list: pulls.filter((_, index) => holds[index]).map((thread) => pullShape(world, thread)),
    };
  }),

  'repos/compare-commits-with-basehead': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const { world, repository } = call;
    const [baseName, headName] = (call.params.basehead ?? '').split(/\.\.\.?/, 2);
    if (baseName === undefined || headName === undefined) throw notFound();
    const base = await compared(call, baseName);
    const head = await compared(call, headName);
    const { directory } = repository;
    const from = await mergeBase(directory, base, head);
    if (from === null) throw new ApiError(404, `No common ancestor between ${baseName} and ${headName}.`);
    const text = await asText(call, from, head);
    if (text !== null) return text;
    const [commits, behind, files, baseCommit, fromCommit] = await Promise.all([
      readCommits(directory, [`${base}..${head}`], ['--reverse']),
      git(directory, ['rev-list', '--count', `${head}..${base}`]),
      diffFiles(directory, from, head),
      readCommit(directory, base),
      readCommit(directory, from),
    ]);
    const behindBy = Number(behind);
    const status =
      commits.length === 0
        ? behindBy === 0
          ? 'identical'
          : 'behind'
        : behindBy === 0
          ? 'ahead'
          : 'diverged';
    const { compareCommits, compareFiles } = world.limits;
    const { page: number = 1, per_page: size = compareCommits } = call.query as {
      page?: number;
      per_page?: number;
    };
    const own = commits.slice((number - 1) * size, number * size);
    // The files come with the first page only.
    const displayedText = number === 1 ? listedFiles(world.limits, files, compareFiles) : [];
    const page = `${pageBase(world, repository)}/compare/${baseName}...${headName}`;
    return {
      status: 200,
      body: {
        url: `${apiBase(world, repository)}/compare/${baseName}...${headName}`,
        html_url: page,
        permalink_url: page,
        diff_url: `${page}.diff`,
        patch_url: `${page}.patch`,
        base_commit: commitShape(world, repository, baseCommit),
        merge_base_commit: commitShape(world, repository, fromCommit),
        status,
        ahead_by: commits.length,
        behind_by: behindBy,
        total_commits: commits.length,
        commits: own.map((commit) => commitShape(world, repository, commit)),
        files: displayedText.map((file) => fileShape(call, file, head)),
      },
    };
  }),
};
