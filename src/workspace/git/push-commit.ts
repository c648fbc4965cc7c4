import { ConfigError } from '../../contract/errors.ts';
import type { GitRemote } from './git-environment.ts';
import type { OwnGit } from './own-git.ts';
import { patchedTree } from './patched-tree.ts';
import { gitLine, runGit } from './run-git.ts';

interface GitPerson {
  readonly name: string;
  readonly email: string;
}

export interface PushRequest {
  /** Git directory with `expectedSha`: of a checkout, or one that borrows its objects. */
  readonly git: OwnGit;
  readonly remote: GitRemote;
  /** Short name; made if missing. */
  readonly branch: string;
  /** Parent commit, and required head of the branch if it exists. */
  readonly expectedSha: string;
  /** Patch of the outcome. Nothing else of the work tree is committed. */
  readonly patch: string;
  readonly message: string;
  readonly author: GitPerson;
  readonly committer: GitPerson;
}

function personVariables({ author, committer }: PushRequest): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  };
}

/** Returns the branch's head on the remote; null without the branch. */
async function remoteSha({ git, remote, branch }: PushRequest): Promise<string | null> {
  const line = await gitLine(['ls-remote', '--', remote.url, `refs/heads/${branch}`], { ...git, remote });
  return line === '' ? null : line.slice(0, line.search(/\s/));
}

/**
 * Commits a patch on top of `expectedSha` and pushes that one commit to one branch, never by force.
 * Returns `moved`, with nothing written, if the branch exists elsewhere, also when another push
 * wins the race. Throws `Error` with git's message for any other refusal (protected branch, missing
 * permission) or a patch that does not fit.
 */
export async function pushCommit(request: PushRequest): Promise<{ readonly sha: string } | 'moved'> {
  const { git, remote, branch, expectedSha } = request;
  const named = await runGit(['check-ref-format', `refs/heads/${branch}`], { ...git, accept: [1] });
  if (named.exitCode !== 0) throw new ConfigError(`Not a name for a branch: ${branch}`);
  const expected = (sha: string | null) => sha === null || sha === expectedSha;
  if (!expected(await remoteSha(request))) return 'moved';
  const tree = await patchedTree(git, expectedSha, request.patch);
  if (tree === null) throw new Error(`The patch of the run does not fit ${expectedSha}.`);
  const sha = await gitLine(['commit-tree', tree, '-p', expectedSha, '-F', '-'], {
    ...git,
    stdin: request.message,
    environment: personVariables(request),
  });
  const args = ['push', '--porcelain', '--no-verify', '--', remote.url, `${sha}:refs/heads/${branch}`];
  const pushed = await runGit(args, { ...git, remote, accept: [1] });
  if (pushed.exitCode === 0) return { sha };
  if (!expected(await remoteSha(request))) return 'moved';
  throw new Error(`The push to ${branch} was refused: ${remoteText(`${pushed.stdout}\n${pushed.stderr}`)}`);
}

/** Extracts the remote's reason for a refused push; all of git's lines if it gave none. */
function remoteText(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const remote = lines.flatMap((line) => /^remote:\s+(?:error: )?(\S.*)$/.exec(line)?.[1] ?? []);
  return (remote.length > 0 ? remote : lines.filter((line) => line !== '')).join('\n');
}
