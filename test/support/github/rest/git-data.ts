import { moveRef, type RefMove } from '../actions/refs.ts';
import { type Signature, type TreeChange, writeBlob, writeCommit, writeTree } from '../git/commit.ts';
import { git, gitBytes, listRefs, resolveCommit } from '../git/git.ts';
import { readCommit } from '../git/read-commit.ts';
import { ApiError, notAccessible, notFound, validationFailed } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { actorOf, bodyOf, type Handlers, onRepository, type RepositoryCall } from '../protocol/call.ts';
import { type Limits, tooLarge } from '../rules/limits.ts';
import { apiRefusal, violations } from '../rules/protection.ts';
import { assertDeletable, assertNoConflict, assertRefName } from '../rules/refs.ts';
import { gitCommitShape, noreply, refShape } from '../shapes/commit.ts';
import { apiBase } from '../shapes/repository.ts';
import { type Repository, timestamp } from '../world.ts';

const objectType = (repository: Repository, sha: string) =>
  git(repository.directory, ['cat-file', '-t', sha], { accept: [128] });

async function allRefs(call: RepositoryCall): Promise<Map<string, string>> {
  permit(call, 'contents', 'read');
  return listRefs(call.repository.directory);
}

/** Throws as GitHub does where a tree between two commits changes a workflow and the token may not. */
export function assertWorkflows(call: RepositoryCall, paths: readonly string[]): void {
  const { credential } = call;
  if (credential.kind !== 'token' || credential.token.permissions === null) return;
  if (!paths.some((path) => path.startsWith('.github/workflows/'))) return;
  if (credential.token.permissions.workflows !== 'write') throw notAccessible();
}

async function blobOrTree(call: RepositoryCall, sha: string, type: 'blob' | 'tree'): Promise<void> {
  if (!/^[0-9a-f]{40}$/.test(sha) || (await objectType(call.repository, sha)) !== type) throw notFound();
}

/** The first entries of a recursive tree that GitHub sends (GitHub Docs, "REST API endpoints for Git trees"). */
function cutTree<Entry>(
  limits: Limits,
  tree: readonly Entry[],
): { cut: readonly Entry[]; truncated: boolean } {
  let bytes = 0;
  const end = tree.findIndex((entry, index) => {
    bytes += JSON.stringify(entry).length + 1;
    return index >= limits.treeEntries || bytes > limits.treeBytes;
  });
  return end < 0 ? { cut: tree, truncated: false } : { cut: tree.slice(0, end), truncated: true };
}

async function treeShape(call: RepositoryCall, sha: string, recursive: boolean) {
  const { repository, world } = call;
  const api = apiBase(world, repository);
  const output = await git(repository.directory, [
    'ls-tree',
    '-z',
    '-l',
    ...(recursive ? ['-r', '-t'] : []),
    sha,
  ]);
  const tree = output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', type = '', object = '', size = '-'] = line.slice(0, tab).split(/ +/);
      return {
        path: line.slice(tab + 1),
        mode,
        type,
        sha: object,
        ...(size === '-' ? {} : { size: Number(size) }),
        url: `${api}/git/${type}s/${object}`,
      };
    });
  const { cut, truncated } = recursive ? cutTree(world.limits, tree) : { cut: tree, truncated: false };
  return { sha, url: `${api}/git/trees/${sha}`, tree: cut, truncated };
}

interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha?: string | null;
  readonly content?: string;
}

async function createTree(call: RepositoryCall, base: string | undefined, entries: readonly TreeEntry[]) {
  const { repository } = call;
  const baseType = base === undefined ? 'tree' : await objectType(repository, base);
  if (baseType !== 'tree' && baseType !== 'commit')
    throw new ApiError(422, 'base_tree is not a valid tree oid');
  const changes: TreeChange[] = [];
  for (const { path, mode, type, sha, content } of entries) {
    if (sha === undefined && content === undefined)
      throw new ApiError(422, 'Must supply either tree.sha or tree.content.');
    if (type !== 'blob') throw new ApiError(501, 'The stand-in makes trees of blobs only');
    if (sha != null && (await objectType(repository, sha)) !== 'blob')
      throw new ApiError(422, `tree.sha ${sha} is not a valid blob`);
    changes.push({ path, mode, content: content === undefined ? (sha ?? null) : Buffer.from(content) });
  }
  return writeTree(repository.directory, base ?? null, changes);
}

/**
 * Moves a ref unless the rules of its branch are against it. Commits of this API are not signed.
 */
async function moveChecked(call: RepositoryCall, move: RefMove): Promise<void> {
  const found = await violations(call.repository, { ...move, signed: false });
  if (found.length > 0) throw new ApiError(422, apiRefusal(move.ref, found));
  await moveRef(call.world, call.repository, move, actorOf(call.credential));
}

export const gitDataHandlers: Handlers = {
  'git/get-ref': onRepository(async (call) => {
    const ref = `refs/${call.params.ref ?? ''}`;
    const sha = (await allRefs(call)).get(ref);
    if (sha === undefined) throw notFound();
    const type = await objectType(call.repository, sha);
    return { status: 200, body: refShape(call.world, call.repository, ref, sha, type) };
  }),

  'git/list-matching-refs': onRepository(async (call) => {
    const prefix = `refs/${call.params.ref ?? ''}`;
    const found = [...(await allRefs(call))].filter(([ref]) => ref.startsWith(prefix));
    return { status: 200, list: found.map(([ref, sha]) => refShape(call.world, call.repository, ref, sha)) };
  }),

  'git/create-ref': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const { ref, sha } = bodyOf<{ ref: string; sha: string }>(call);
    await assertRefName(call.repository, ref);
    assertNoConflict(await listRefs(call.repository.directory), ref);
    if ((await resolveCommit(call.repository.directory, sha)) !== sha)
      throw new ApiError(422, 'Object does not exist');
    await moveChecked(call, { ref, before: null, after: sha });
    return { status: 201, body: refShape(call.world, call.repository, ref, sha) };
  }),

  'git/update-ref': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const { sha, force = false } = bodyOf<{ sha: string; force?: boolean }>(call);
    const { directory } = call.repository;
    const ref = `refs/${call.params.ref ?? ''}`;
    const before = (await listRefs(directory)).get(ref);
    if (before === undefined) throw new ApiError(422, 'Reference does not exist');
    if ((await resolveCommit(directory, sha)) !== sha) throw new ApiError(422, 'Object does not exist');
    const lost = await git(directory, ['rev-list', '-1', `${sha}..${before}`]);
    if (lost !== '' && !force) throw new ApiError(422, 'Update is not a fast forward');
    const changed = await git(directory, ['diff', '--name-only', before, sha]);
    assertWorkflows(call, changed.split('\n'));
    await moveChecked(call, { ref, before, after: sha });
    return { status: 200, body: refShape(call.world, call.repository, ref, sha) };
  }),

  'git/delete-ref': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const ref = `refs/${call.params.ref ?? ''}`;
    const before = (await listRefs(call.repository.directory)).get(ref);
    if (before === undefined) throw new ApiError(422, 'Reference does not exist');
    assertDeletable(call.repository, ref);
    await moveChecked(call, { ref, before, after: null });
    return { status: 204 };
  }),

  'git/get-commit': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const sha = await resolveCommit(call.repository.directory, call.params.commit_sha ?? '');
    if (sha === null) throw notFound();
    return {
      status: 200,
      body: gitCommitShape(call.world, call.repository, await readCommit(call.repository.directory, sha)),
    };
  }),

  'git/create-commit': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const { world, repository } = call;
    const body = bodyOf<{
      message: string;
      tree: string;
      parents?: readonly string[];
      author?: Partial<Signature>;
      committer?: Partial<Signature>;
    }>(call);
    const actor = actorOf(call.credential);
    const own = { name: actor.login, email: noreply(actor), date: timestamp(world) };
    if ((await objectType(repository, body.tree)) !== 'tree')
      throw new ApiError(422, 'Tree SHA does not exist');
    for (const parent of body.parents ?? [])
      if ((await resolveCommit(repository.directory, parent)) !== parent)
        throw new ApiError(422, 'Parent SHA does not exist or is not a commit object');
    const author = { ...own, ...body.author };
    const sha = await writeCommit(repository.directory, {
      tree: body.tree,
      parents: body.parents ?? [],
      message: body.message,
      author,
      committer: { ...author, ...body.committer },
    });
    return {
      status: 201,
      body: gitCommitShape(world, repository, await readCommit(repository.directory, sha)),
    };
  }),

  'git/get-blob': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const sha = call.params.file_sha ?? '';
    await blobOrTree(call, sha, 'blob');
    const { blobBytes } = call.world.limits;
    if (Number(await git(call.repository.directory, ['cat-file', '-s', sha])) > blobBytes)
      throw tooLarge(blobBytes);
    const content = await gitBytes(call.repository.directory, ['cat-file', 'blob', sha]);
    if (/raw/.test(call.accept)) return { status: 200, text: content, type: 'application/octet-stream' };
    const url = `${apiBase(call.world, call.repository)}/git/blobs/${sha}`;
    const body = {
      content: content.toString('base64'),
      encoding: 'base64',
      sha,
      node_id: `B_${sha}`,
      size: content.length,
      url,
    };
    return { status: 200, body };
  }),

  'git/create-blob': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const { content, encoding = 'utf-8' } = bodyOf<{ content: string; encoding?: string }>(call);
    if (encoding !== 'utf-8' && encoding !== 'base64')
      throw validationFailed('Blob', 'encoding', 'invalid', 'encoding must be utf-8 or base64');
    const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
    const sha = await writeBlob(call.repository.directory, bytes);
    return { status: 201, body: { sha, url: `${apiBase(call.world, call.repository)}/git/blobs/${sha}` } };
  }),

  'git/get-tree': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const name = call.params.tree_sha ?? '';
    const sha = await git(
      call.repository.directory,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{tree}`],
      { accept: [1, 128] },
    );
    if (sha === '') throw notFound();
    return { status: 200, body: await treeShape(call, sha, call.query.recursive !== undefined) };
  }),

  'git/create-tree': onRepository(async (call) => {
    permit(call, 'contents', 'write');
    const { base_tree, tree } = bodyOf<{ base_tree?: string; tree: readonly TreeEntry[] }>(call);
    assertWorkflows(
      call,
      tree.map(({ path }) => path),
    );
    const sha = await createTree(call, base_tree, tree);
    return { status: 201, body: await treeShape(call, sha, false) };
  }),
};
