import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { GitRemote } from './git-environment.ts';
import { isSha } from './git-layout.ts';
import { runGit } from './run-git.ts';

/** What to have in the mirror afterwards: refs by their full names, and commits they led to once. */
export interface Wanted {
  readonly refs: readonly string[];
  readonly commits: readonly string[];
  /**
   * Before each further look for a commit that is not there, in milliseconds: copies of a repository may be behind what GitHub told.
   * Left out, none is taken.
   */
  readonly waits?: readonly number[];
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--'];

/** Names refs of the mirror: under their own, `a` and a later `a/b` would get in each other's way. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Where a repository's mirror lies below `mirrorFolder`: readable, and no two repositories the same. */
export function mirrorOf(mirrorFolder: string, url: string): string {
  const name = path.basename(url, '.git').replace(/[^\w.-]/g, '_');
  return path.join(mirrorFolder, `${name}-${shortHash(url)}.git`);
}

function checkNames({ refs, commits }: Wanted): void {
  const badRef = refs.find((ref) => !/^refs\/[^\s:~^?*[\\]+$/.test(ref));
  if (badRef !== undefined) throw new ConfigError(`Not the full name of a ref: ${badRef}`);
  const badSha = commits.find((sha) => !isSha(sha));
  if (badSha !== undefined) throw new ConfigError(`Not the full name of a commit: ${badSha}`);
}

/**
 * Brings what is wanted into the repository's bare mirror, which is made at first, and returns the mirror's
 * path. Only the named refs are fetched, over one connection where that suffices; a commit that its ref has
 * left behind is asked for by name. One process at a time writes to a mirror. Throws `RunStopped` when a
 * commit cannot be had any more, `ConfigError` for a name git would read as something else.
 */
export async function fetchIntoMirror(
  mirrorFolder: string,
  remote: GitRemote,
  wanted: Wanted,
  signal?: AbortSignal,
): Promise<string> {
  checkNames(wanted);
  await mkdir(mirrorFolder, { recursive: true, mode: 0o700 });
  const mirror = mirrorOf(mirrorFolder, remote.url);
  const place = {
    cwd: mirrorFolder,
    gitDirectory: mirror,
    lockFile: `${mirror}.lock`,
    ...(signal && { signal }),
  };
  await runGit(['init', '--quiet', '--bare', '--template='], place);
  const lacking = wanted.commits.length === 0 || (await missing(mirror, wanted.commits)).length > 0;
  if (lacking && wanted.refs.length > 0) {
    const refspecs = wanted.refs.map((ref) => `+${ref}:refs/anode/refs/${shortHash(ref)}`);
    await runGit([...FETCH, remote.url, ...refspecs], { ...place, remote });
  }
  for (const sha of await missing(mirror, wanted.commits)) {
    const args = [...FETCH, remote.url, `${sha}:refs/anode/commits/${sha}`];
    const fetchOne = () => runGit(args, { ...place, remote, accept: [1, 128] });
    let { exitCode, stderr } = await fetchOne();
    for (const wait of wanted.waits ?? []) {
      if (exitCode === 0) break;
      await sleep(wait, undefined, { ...(signal && { signal }) });
      ({ exitCode, stderr } = await fetchOne());
    }
    if (exitCode === 0) continue;
    throw new RunStopped({
      kind: 'cancelled',
      message: `The commit ${sha} cannot be fetched; it may have been replaced by a push. ${stderr.trim()}`,
    });
  }
  return mirror;
}

async function missing(mirror: string, commits: readonly string[]): Promise<string[]> {
  const { stdout } = await runGit(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    cwd: mirror,
    gitDirectory: mirror,
    stdin: commits.map((sha) => `${sha}\n`).join(''),
  });
  const there = new Set(stdout.toString('utf8').split('\n'));
  return commits.filter((sha) => !there.has(`${sha} commit`));
}
