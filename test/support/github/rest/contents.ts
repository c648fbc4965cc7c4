import { posix } from 'node:path';
import { git, gitBytes, resolveCommit } from '../git/git.ts';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { type Handlers, onRepository, type RepositoryCall } from '../protocol/call.ts';
import { tooLarge } from '../rules/limits.ts';
import { apiBase, pageBase } from '../shapes/repository.ts';

interface Entry {
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly kind: 'file' | 'dir' | 'symlink' | 'submodule';
}

/** Reads `git ls-tree -z -l`. */
function entriesOf(listing: string): Entry[] {
  return listing
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', type = '', sha = '', size = '0'] = line.slice(0, tab).split(/ +/);
      const kind =
        type === 'tree' ? 'dir' : type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : 'file';
      return { path: line.slice(tab + 1), sha, size: size === '-' ? 0 : Number(size), kind };
    });
}

/** The fields that every entry of the contents API has. */
function placeOf({ world, repository }: RepositoryCall, ref: string, { path, sha, kind }: Entry) {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const url = `${apiBase(world, repository)}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const gitUrl = `${apiBase(world, repository)}/git/${kind === 'dir' ? 'trees' : 'blobs'}/${sha}`;
  const html = `${pageBase(world, repository)}/${kind === 'dir' ? 'tree' : 'blob'}/${ref}/${encoded}`;
  const download = kind === 'dir' ? null : `${pageBase(world, repository)}/raw/${ref}/${encoded}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    url,
    git_url: gitUrl,
    html_url: html,
    download_url: download,
    _links: { self: url, git: gitUrl, html },
  };
}

/** A file: up to 1 MB as base64, up to 100 MB raw or without its content, and nothing beyond. */
async function fileReply(call: RepositoryCall, ref: string, entry: Entry) {
  const { contentBytes, blobBytes } = call.world.limits;
  if (entry.size > blobBytes) throw tooLarge(blobBytes);
  const raw = /\braw\b/.test(call.accept);
  const empty = !raw && entry.size > contentBytes;
  const content = empty
    ? Buffer.alloc(0)
    : await gitBytes(call.repository.directory, ['cat-file', 'blob', entry.sha]);
  if (raw) return { status: 200, text: content, type: 'application/vnd.github.raw; charset=utf-8' };
  return {
    status: 200,
    body: {
      type: 'file',
      encoding: empty ? 'none' : 'base64',
      size: entry.size,
      content: content.toString('base64').replace(/.{60}/g, '$&\n'),
      ...placeOf(call, ref, entry),
    },
  };
}

export const contentHandlers: Handlers = {
  'repos/get-content': onRepository(async (call) => {
    permit(call, 'contents', 'read');
    const { repository, query, world } = call;
    const { directory } = repository;
    const path = (call.params.path ?? '').replace(/^\/+|\/+$/g, '');
    const ref = typeof query.ref === 'string' ? query.ref : repository.defaultBranch;
    const name = ref.replace(/^refs\/heads\//, '');
    const commit =
      (await resolveCommit(directory, `refs/heads/${name}`)) ?? (await resolveCommit(directory, ref));
    if (commit === null) throw new ApiError(404, `No commit found for the ref ${ref}`);
    const list = async (...args: string[]) =>
      entriesOf(await git(directory, ['ls-tree', '-z', '-l', commit, ...args]));
    const [one] = path === '' ? [] : await list('--', path);
    if (path !== '' && one === undefined) throw notFound();
    if (one?.kind === 'symlink') {
      // A link to a file of the repository is answered with that file, and any other as a link.
      const target = await git(directory, ['cat-file', 'blob', one.sha]);
      const [file] = await list('--', posix.normalize(posix.join(posix.dirname(path), target)));
      if (file?.kind === 'file') return fileReply(call, ref, { ...file, path });
      return {
        status: 200,
        body: { type: 'symlink', target, size: one.size, ...placeOf(call, ref, one) },
      };
    }
    if (one?.kind === 'submodule')
      return {
        status: 200,
        body: { type: 'submodule', submodule_git_url: '', size: 0, ...placeOf(call, ref, one) },
      };
    if (one?.kind === 'file') return fileReply(call, ref, one);
    const entries = await (path === '' ? list() : list('--', `${path}/`));
    // The rest of a large folder is left out without a word.
    const body = entries
      .slice(0, world.limits.folderEntries)
      .map((entry) => ({ type: entry.kind, size: entry.size, ...placeOf(call, ref, entry) }));
    return { status: 200, body };
  }),
};
