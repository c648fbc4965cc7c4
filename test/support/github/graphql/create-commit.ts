import { moveRef } from '../actions/refs.ts';
import { type TreeChange, writeCommit, writeTree } from '../git/commit.ts';
import { branchHead, git } from '../git/git.ts';
import { readCommit } from '../git/read-commit.ts';
import { assertVisible, permit } from '../protocol/authorize.ts';
import { actorOf } from '../protocol/call.ts';
import { apiRefusal, violations } from '../rules/protection.ts';
import { noreply } from '../shapes/commit.ts';
import { findRepository, type Repository, timestamp } from '../world.ts';
import type { GraphqlContext, Node } from './context.ts';
import { commitNode } from './nodes.ts';
import { GraphqlRefusal } from './refusal.ts';

interface Input {
  readonly branch: {
    readonly id?: string | null;
    readonly repositoryNameWithOwner?: string | null;
    readonly branchName?: string | null;
  };
  readonly expectedHeadOid: string;
  readonly message: { readonly headline: string; readonly body?: string | null };
  readonly fileChanges?: {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[] | null;
    readonly deletions?: readonly { readonly path: string }[] | null;
  } | null;
  readonly clientMutationId?: string | null;
}

const unprocessable = (message: string) => new GraphqlRefusal('UNPROCESSABLE', message);

function target(
  { world, credential }: GraphqlContext,
  { branch }: Input,
): { repository: Repository; name: string } {
  const { repositoryNameWithOwner: fullName, branchName } = branch;
  if (fullName == null || branchName == null)
    throw unprocessable('The stand-in takes a branch by repositoryNameWithOwner and branchName');
  const repository = findRepository(world, fullName);
  if (repository === undefined)
    throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to a Repository with the name '${fullName}'.`);
  assertVisible(credential, repository);
  permit({ credential, repository }, 'contents', 'write');
  return { repository, name: branchName.replace(/^refs\/heads\//, '') };
}

function assertPath(path: string): void {
  const parts = path.split('/');
  if (
    path === '' ||
    parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')
  )
    throw unprocessable(`A path was requested that is not valid: ${JSON.stringify(path)}`);
}

async function changesOf(
  context: GraphqlContext,
  repository: Repository,
  input: Input,
  head: string,
): Promise<TreeChange[]> {
  const additions = input.fileChanges?.additions ?? [];
  const deletions = input.fileChanges?.deletions ?? [];
  const paths = [...additions, ...deletions].map(({ path }) => path);
  for (const path of paths) assertPath(path);
  if (new Set(paths).size < paths.length) throw unprocessable('A path was requested more than once');
  const { credential } = context;
  const permissions = credential.kind === 'token' ? credential.token.permissions : null;
  const workflow = paths.find((path) => path.startsWith('.github/workflows/'));
  if (workflow !== undefined && permissions !== null && permissions.workflows !== 'write')
    throw new GraphqlRefusal('FORBIDDEN', 'Resource not accessible by integration');
  for (const { path } of deletions)
    if ((await git(repository.directory, ['ls-tree', head, '--', path])) === '')
      throw unprocessable(
        `A path was requested for deletion which does not exist as of commit oid \`${head}\`: ${path}`,
      );
  return [
    ...additions.map(({ path, contents }) => {
      const bytes = Buffer.from(contents, 'base64');
      if (bytes.toString('base64').replace(/=+$/, '') !== contents.replace(/\s/g, '').replace(/=+$/, ''))
        throw unprocessable(`The contents of ${path} are not base64`);
      return { path, content: bytes };
    }),
    ...deletions.map(({ path }) => ({ path, content: null })),
  ];
}

/** `createCommitOnBranch`: one commit by the token's actor on top of the expected head, or STALE_DATA. */
export async function createCommitOnBranch(
  { input }: { input: Input },
  context: GraphqlContext,
): Promise<Node> {
  const { world, credential } = context;
  const { repository, name } = target(context, input);
  const { directory } = repository;
  const head = await branchHead(directory, name);
  if (head === null)
    throw new GraphqlRefusal('NOT_FOUND', `A ref by the name of "${name}" could not be found`);
  if (input.message.headline.trim() === '') throw unprocessable('A commit message headline is required');
  const stale = new GraphqlRefusal(
    'STALE_DATA',
    `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`,
  );
  if (head !== input.expectedHeadOid) throw stale;
  const tree = await writeTree(directory, head, await changesOf(context, repository, input, head));
  const actor = actorOf(credential);
  const date = timestamp(world);
  const body = input.message.body ?? '';
  const sha = await writeCommit(directory, {
    tree,
    parents: [head],
    message: body === '' ? input.message.headline : `${input.message.headline}\n\n${body}`,
    author: { name: actor.login, email: noreply(actor), date },
    committer: { name: 'GitHub', email: 'noreply@github.com', date },
  });
  // Between the look at the head and here another may have pushed: git's own compare-and-swap decides.
  const ref = `refs/heads/${name}`;
  // GitHub signs what it commits itself.
  const found = await violations(repository, { ref, before: head, after: sha, signed: true });
  if (found.length > 0) {
    const classic = found.every(({ kind }) => kind === 'protected branch');
    throw new GraphqlRefusal(
      classic ? 'BRANCH_PROTECTION_RULE_VIOLATION' : 'UNPROCESSABLE',
      apiRefusal(ref, found),
    );
  }
  await moveRef(world, repository, { ref, before: head, after: sha }, actor).catch((cause: unknown) => {
    throw cause instanceof Error && cause.message.startsWith('Reference cannot') ? stale : cause;
  });
  return {
    clientMutationId: input.clientMutationId ?? null,
    commit: commitNode(world, repository, await readCommit(directory, sha)),
    ref: {
      __typename: 'Ref',
      id: ref,
      name,
      prefix: 'refs/heads/',
      target: commitNode(world, repository, await readCommit(directory, sha)),
    },
  };
}
