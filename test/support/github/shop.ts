import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import type { GitHub, GitHubOptions } from './start-github.ts';
import { startGitHub } from './start-github.ts';
import type { Permissions } from './world.ts';

/** The path of the sample's one source file, and its ten lines. */
export const samplePath = 'src/count.ts';
export const sampleLines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);

/** The sample repository, for Octokit's calls. */
export const shop = { owner: 'acme', repo: 'shop' };

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** An Octokit with that token (anonymous by default) that logs nothing. */
export const octokitFor = (github: GitHub, auth?: string) =>
  new Octokit({ baseUrl: github.apiUrl, log: quiet, ...(auth === undefined ? {} : { auth }) });

/** An Octokit that signs as an app, or as its installation if the id is given. */
export const octokitForApp = (
  github: GitHub,
  app: { readonly appId: number; readonly privateKey: string; readonly installationId: number },
  asInstallation = true,
) =>
  new Octokit({
    baseUrl: github.apiUrl,
    log: quiet,
    authStrategy: createAppAuth,
    auth: {
      appId: app.appId,
      privateKey: app.privateKey,
      ...(asInstallation ? { installationId: app.installationId } : {}),
    },
  });

/** The permissions of the sample's app. */
export const everything: Permissions = {
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  checks: 'write',
  statuses: 'write',
};

/**
 * A GitHub with the repository acme/shop: ann may write, bob may read, and the app `anode` is
 * installed. Issue 1 is open, and pull request 2 by ann changes line 4 of the file on its branch
 * `fix`.
 */
export async function startShop(options: GitHubOptions = {}) {
  const github = await startGitHub({ checkOutput: true, ...options });
  const app = github.addApp({ slug: 'anode', permissions: everything });
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
  const repository = await github.createRepository('acme/shop', {
    files: { [samplePath]: text(sampleLines), 'README.md': '# Shop\n' },
  });
  repository.setPermission('ann', 'write');
  repository.setPermission('bob', 'read');
  const changed = text(sampleLines.with(3, 'line four'));
  await repository.commit('fix', {
    files: { [samplePath]: changed },
    message: 'Name the line',
    author: 'ann',
  });
  const issue = await repository.openIssue({
    title: 'Lines have numbers',
    body: 'They should not.',
    author: 'bob',
  });
  const pull = await repository.openPullRequest({
    title: 'Name line four',
    body: 'Closes #1',
    head: 'fix',
    author: 'ann',
  });
  const ann = octokitFor(github, github.createToken({ actor: 'ann' }));
  const bob = octokitFor(github, github.createToken({ actor: 'bob' }));
  const bot = octokitForApp(github, app);
  return { github, app, repository, issue, pull, ann, bob, bot };
}

/** The refusal of a call: status, message and errors. Throws where it was not refused. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number; message: string; errors?: unknown }> {
  const error = await call.then(
    () => {
      throw new Error('The call was not refused');
    },
    (cause: unknown) => cause,
  );
  if (!(error instanceof Error) || !('status' in error) || !('response' in error)) throw error;
  const { data } = error.response as { data: { message: string; errors?: unknown } };
  return {
    status: Number(error.status),
    message: data.message,
    ...(data.errors === undefined ? {} : { errors: data.errors }),
  };
}
