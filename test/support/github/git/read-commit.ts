import type { Signature } from './commit.ts';
import { git } from './git.ts';

export interface CommitRecord {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');

/** ISO 8601 in UTC, as GitHub shows commit dates. */
const utc = (date: string) => new Date(date).toISOString().replace(/\.\d+Z$/, 'Z');

/** Reads commits by a `git log` range or revision, newest first; `extra` is more of git's arguments. */
export async function readCommits(
  directory: string,
  revisions: readonly string[],
  extra: readonly string[] = [],
  paths: readonly string[] = [],
): Promise<CommitRecord[]> {
  const output = await git(directory, [
    'log',
    `--format=${format}%x01`,
    ...extra,
    ...revisions,
    '--',
    ...paths,
  ]);
  return output
    .split('\x01')
    .map((record) => record.replace(/^\n/, ''))
    .filter((record) => record !== '')
    .map((record) => {
      const [
        sha = '',
        tree = '',
        parents = '',
        an = '',
        ae = '',
        ad = '',
        cn = '',
        ce = '',
        cd = '',
        body = '',
      ] = record.split('\0');
      return {
        sha,
        tree,
        parents: parents.split(' ').filter((parent) => parent !== ''),
        author: { name: an, email: ae, date: utc(ad) },
        committer: { name: cn, email: ce, date: utc(cd) },
        message: body.replace(/\n+$/, ''),
      };
    });
}

/** One commit; throws where the id names none. */
export async function readCommit(directory: string, sha: string): Promise<CommitRecord> {
  const [commit] = await readCommits(directory, [sha], ['-1']);
  if (commit === undefined) throw new Error(`No commit ${sha}`);
  return commit;
}
