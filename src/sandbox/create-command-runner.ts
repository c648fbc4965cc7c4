import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { RunStopped } from '../contract/errors.ts';
import type { SandboxMode } from '../contract/levels.ts';
import { cleanEnvironment, withoutNetwork } from './clean-environment.ts';
import type { CommandRunner } from './command-runner.ts';
import { plainRunner } from './plain-processes.ts';
import type { SandboxIdentity, SandboxOptions } from './prepare-sandboxes.ts';
import { probeSandbox } from './probe-sandbox.ts';
import { sandboxedRunner } from './sandboxed-runner.ts';

/** `environment` is the broker's. */
interface RunnerOptions extends Omit<SandboxOptions, 'environment' | 'identity' | 'hidden'> {
  readonly mode: SandboxMode;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables for every command besides those of the clean environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The command runner of one run. */
export interface RunnerOfRun extends CommandRunner {
  /** Starts a sandbox ahead of the first command. */
  warm(): Promise<void>;
  /** Reason and remedy, in sentences, if `sandboxed` is false; else null. */
  readonly whyNoSandbox: string | null;
}

/**
 * Returns the warning at the start of a run without a sandbox. `forGitHub`: someone else's text
 * starts the run. `commands`: it may run commands all the same.
 */
export function noSandboxWarning(
  whyNoSandbox: string,
  { commands, forGitHub }: { readonly commands: boolean; readonly forGitHub: boolean },
): string {
  const unconfined = 'as your user, with your files and your network.';
  const none = 'So it has no tool that runs commands: it reads, edits and reviews.';
  const refused = forGitHub ? none : `${none} \`--sandbox off\` has it run them ${unconfined}`;
  const effect = commands ? `Commands run ${unconfined}` : refused;
  return `This run has no sandbox. ${whyNoSandbox} ${effect}`;
}

/**
 * Makes the runner of one run. Probes the sandbox in a few milliseconds (with `off`, not at all).
 * Starts none before the first command unless `warm` is called.
 *
 * `preferred` falls back to plain processes, which `sandboxed` shows. `required` throws
 * `RunStopped` (`sandbox_missing`), which says what to install.
 *
 * Only a short allow-list of `environment` is used. As root, commands run as the workspace's owner.
 */
export async function createCommandRunner(options: RunnerOptions): Promise<RunnerOfRun> {
  const environment = { ...cleanEnvironment(options.environment), ...options.variables };
  if (options.mode === 'off') return withoutSandbox(environment, 'It is switched off (`sandbox: off`).');
  const identity = ownerOf(options.workspace.root);
  const probe = await probeSandbox({ path: environment.PATH, root: options.workspace.root, identity });
  if (probe.available) {
    const runner = sandboxedRunner({
      ...options,
      environment: { ...withoutNetwork, ...environment },
      identity,
      hidden: foldersOfSecrets(options.environment),
    });
    return { ...runner, whyNoSandbox: null };
  }
  if (options.mode === 'preferred')
    return withoutSandbox(environment, `It is not available: ${probe.reason}. ${probe.summary}`);
  throw new RunStopped({
    kind: 'sandbox_missing',
    message: `This run requires a sandbox, and ${probe.reason}. ${probe.summary}`,
  });
}

/**
 * Returns folders that no command may see: the event, command files and credentials of the workflow
 * runner and of the broker. A step may have put a program folder among them on PATH.
 */
export function foldersOfSecrets(environment: Readonly<Record<string, string | undefined>>): string[] {
  const { RUNNER_TEMP, GITHUB_ENV, GITHUB_EVENT_PATH, ANODE_DATA_DIR, HOME } = environment;
  const named = (path: string | undefined): path is string => path !== undefined && path !== '';
  const files = [GITHUB_ENV, GITHUB_EVENT_PATH].filter(named);
  const folders = [RUNNER_TEMP, ANODE_DATA_DIR, HOME].filter(named);
  return [...folders, ...files.map(dirname)].map((folder) => resolve(folder));
}

function withoutSandbox(environment: Record<string, string>, whyNoSandbox: string): RunnerOfRun {
  return { ...plainRunner(environment), warm: () => Promise.resolve(), whyNoSandbox };
}

/**
 * Returns the user for commands. As root, this is the workspace's owner, who then owns what they
 * create.
 */
export function ownerOf(root: string): SandboxIdentity {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = statSync(root);
  return uid === 0 ? {} : { uid, gid };
}
