import { OutputCapture } from '../shell/output-capture.ts';
import type { ToolContext } from '../tool.ts';

/** The commit of an accepted change: its SHA, or the reason there is none. */
export type KeptCommit = { readonly sha: string } | { readonly problem: string };

/**
 * Commits as all commits of a run are written, whatever the checkout's settings: fixed author, no
 * hooks, no signature. Excludes our own records and ignored files.
 */
const script = [
  'set -e',
  'git() { command git -c core.hooksPath=/dev/null -c commit.gpgSign=false -c user.name="Anode CI" -c user.email=anode-ci@users.noreply.github.com "$@"; }',
  'git add -A -- .',
  'git rm -r --quiet --cached --ignore-unmatch -- .anode-harness',
  'git commit --quiet --no-verify --allow-empty --file=-',
  'git rev-parse HEAD',
].join('\n');

const timeoutMs = 60_000;

/**
 * Commits the work tree into the git directory of the run, which its commands see instead of
 * `.git`. Without a sandbox too, so that a person's own branch gets no such commits. Git runs as
 * the model's commands do, as the model may have written its settings.
 */
export async function commitKept(message: string, context: ToolContext): Promise<KeptCommit> {
  const directory = await context.workspace.agentGitDirectory();
  if (directory === null) return { problem: 'the folder is no git repository' };
  const capture = new OutputCapture(context.spillFolder, `${context.callId}-commit`);
  const { exitCode, timedOut } = await context.commands
    .run({
      command: `exec 2>&1; ${script}`,
      cwd: context.workspace.root,
      timeoutMs,
      signal: context.signal,
      stdin: message,
      ...(context.commands.sandboxed
        ? {}
        : { env: { GIT_DIR: directory, GIT_WORK_TREE: context.workspace.root } }),
      onOutput: capture.push,
    })
    // Closes the capture's file if git could not be run.
    .catch((error: unknown) => {
      capture.finish();
      throw error;
    });
  const said = capture.finish().text.trim();
  const sha = said.split('\n').at(-1) ?? '';
  if (exitCode === 0 && /^[0-9a-f]{40,64}$/.test(sha)) return { sha };
  const last = said.replaceAll(/\s+/g, ' ').slice(-200);
  return { problem: timedOut ? 'git took too long' : `git said: ${last || 'nothing'}` };
}
