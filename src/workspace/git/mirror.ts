import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, RunStopped } from '../../contract/errors.ts';
import type { GitRemote } from './git-environment.ts';
import { isSha } from './git-layout.ts';
import { runGit } from './run-git.ts';

/** Required contents of a mirror: refs by full name, and commits that were once on them. */
export interface Wanted {
  readonly refs: readonly string[];
  readonly commits: readonly string[];
  /**
   * Milliseconds to wait before each retry for a missing commit: replicas of GitHub may lag.
   * Default: no retry.
   */
  readonly waits?: readonly number[];
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--'];

/** Names refs of the mirror: under their own names, `a` and a later `a/b` would conflict. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Returns the path of a repository's mirror: readable, and unique per URL. */
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
 * Fetches the required refs and commits into the repository's bare mirror and returns its path.
 * Makes the mirror if missing. Only named refs are fetched, over one connection if that suffices; a
 * commit that left its ref is fetched by name. One process at a time writes to a mirror. Throws
 * `RunStopped` if a commit is gone, `ConfigError` for an invalid name.
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
  const git = {
    cwd: mirrorFolder,
    gitDirectory: mirror,
    lockFile: `${mirror}.lock`,
    signal,
  };
  await runGit(['init', '--quiet', '--bare', '--template='], git);
  const lacking = wanted.commits.length === 0 || (await missing(mirror, wanted.commits)).length > 0;
  if (lacking && wanted.refs.length > 0) {
    const refspecs = wanted.refs.map((ref) => `+${ref}:refs/anode/refs/${shortHash(ref)}`);
    await runGit([...FETCH, remote.url, ...refspecs], { ...git, remote });
  }
  for (const sha of await missing(mirror, wanted.commits)) {
    const args = [...FETCH, remote.url, `${sha}:refs/anode/commits/${sha}`];
    const fetchOne = () => runGit(args, { ...git, remote, accept: [1, 128] });
    let { exitCode, stderr } = await fetchOne();
    for (const wait of wanted.waits ?? []) {
      if (exitCode === 0) break;
      await sleep(wait, undefined, { signal });
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
