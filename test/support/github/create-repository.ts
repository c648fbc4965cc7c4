import { join } from 'node:path';
import { ensureAccount } from './create-app.ts';
import { writeCommit, writeTree } from './git/commit.ts';
import { createBare } from './git/create-bare.ts';
import { git } from './git/git.ts';
import { writeRef } from './git/refs.ts';
import { noreply } from './shapes/commit.ts';
import { findRepository, nodeId, type Repository, timestamp, type World } from './world.ts';

/** File contents by path; null deletes. A value with a mode makes an executable file or a link. */
export type Files = Readonly<
  Record<
    string,
    | string
    | Buffer
    | null
    | { readonly content: string | Buffer; readonly mode: '100644' | '100755' | '120000' }
  >
>;

/** The changes that a map of files makes. */
export const changesOf = (files: Files) =>
  Object.entries(files).map(([path, value]) => {
    if (value === null) return { path, content: null };
    if (typeof value === 'string') return { path, content: Buffer.from(value) };
    if (Buffer.isBuffer(value)) return { path, content: value };
    return { path, content: Buffer.from(value.content), mode: value.mode };
  });

function register(
  world: World,
  fields: Pick<Repository, 'owner' | 'name' | 'private' | 'defaultBranch' | 'parent'>,
): Repository {
  const fullName = `${fields.owner.login}/${fields.name}`;
  if (findRepository(world, fullName) !== undefined) throw new Error(`${fullName} exists already`);
  const id = world.nextId();
  const repository: Repository = {
    ...fields,
    id,
    nodeId: nodeId('R', id),
    fullName,
    archived: false,
    deleted: false,
    protections: [],
    pushProtection: false,
    // A repository that was renamed keeps its folder, and another may take its name.
    directory: join(world.directory, fields.owner.login, `${fields.name}-${id}.git`),
    roles: new Map([[fields.owner.login.toLowerCase(), 'admin' as const]]),
    threads: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    reviewThreads: [],
    labels: new Map(),
    checkRuns: [],
    statuses: [],
    pushes: new Map(),
    jobLogs: new Map(),
    workflowRuns: new Map(),
    artifacts: [],
    sarifs: [],
    createdAt: timestamp(world),
  };
  world.repositories.set(fullName.toLowerCase(), repository);
  return repository;
}

/** Makes a repository whose default branch holds one commit with the files. */
export async function createRepository(
  world: World,
  fullName: string,
  options: { readonly files?: Files; readonly private?: boolean; readonly defaultBranch?: string },
): Promise<Repository> {
  const [login, name] = fullName.split('/');
  if (login === undefined || name === undefined) throw new Error(`${fullName} is not owner/name`);
  const owner = ensureAccount(world, login, { type: 'Organization' });
  const defaultBranch = options.defaultBranch ?? 'main';
  const repository = register(world, {
    owner,
    name,
    private: options.private ?? false,
    defaultBranch,
    parent: null,
  });
  await createBare(repository.directory, defaultBranch);
  const author = { name: owner.login, email: noreply(owner), date: timestamp(world) };
  const tree = await writeTree(
    repository.directory,
    null,
    changesOf(options.files ?? { 'README.md': `# ${name}\n` }),
  );
  const sha = await writeCommit(repository.directory, { tree, parents: [], message: 'Start', author });
  await writeRef(repository.directory, `refs/heads/${defaultBranch}`, sha);
  return repository;
}

/** Makes a fork with all branches of the parent. */
export async function createFork(world: World, parent: Repository, login: string): Promise<Repository> {
  const owner = ensureAccount(world, login);
  const { name, defaultBranch } = parent;
  const repository = register(world, { owner, name, private: parent.private, defaultBranch, parent });
  await createBare(repository.directory, defaultBranch);
  await git(repository.directory, ['fetch', '--quiet', parent.directory, '+refs/heads/*:refs/heads/*']);
  return repository;
}
