import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';

/** Git as a runner has it: without configuration of a user, and with an identity only where asked. */
const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...{ GIT_AUTHOR_NAME: 'GitHub', GIT_AUTHOR_EMAIL: 'noreply@github.com' },
  ...{ GIT_COMMITTER_NAME: 'GitHub', GIT_COMMITTER_EMAIL: 'noreply@github.com' },
};

/** Runs git as a runner does; returns its output. */
export const git = async (folder: string, ...words: readonly string[]) =>
  (await promisify(execFile)('git', ['-C', folder, ...words], { env: environment })).stdout.trim();

/**
 * Makes a checkout the way `actions/checkout` does: one commit deep, detached. With a number it is
 * the merge of the pull request into the default branch (`refs/pull/N/merge`). A token is left in
 * `.git/config`, as with `persist-credentials: true`.
 */
export async function runnerCheckout(
  repository: RepositoryHandle,
  folder: string,
  { pull, token }: { readonly pull?: number; readonly token?: string },
): Promise<void> {
  const whole = await mkdtemp(path.join(os.tmpdir(), 'anode-whole-'));
  await git(whole, 'clone', '-q', repository.cloneUrl, '.');
  if (pull !== undefined) {
    await git(whole, 'fetch', '-q', 'origin', `refs/pull/${pull}/head`);
    await git(whole, 'merge', '-q', '--no-ff', '-m', 'Merge the head into main', 'FETCH_HEAD');
  }
  const name = pull === undefined ? 'main' : `pull/${pull}/merge`;
  const ref = `refs/remotes/${pull === undefined ? 'origin/main' : name}`;
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'remote', 'add', 'origin', repository.cloneUrl);
  if (token !== undefined) {
    const header = Buffer.from(`x-access-token:${token}`).toString('base64');
    const { origin } = new URL(repository.cloneUrl);
    await git(folder, 'config', `http.${origin}/.extraheader`, `AUTHORIZATION: basic ${header}`);
  }
  const sha = await git(whole, 'rev-parse', 'HEAD');
  await git(whole, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await git(folder, 'fetch', '-q', '--no-tags', '--depth=1', `file://${whole}`, `+${sha}:${ref}`);
  await git(folder, 'checkout', '-q', '--force', ref);
  await rm(whole, { recursive: true });
}
