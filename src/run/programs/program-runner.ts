import path from 'node:path';
import { cleanEnvironment } from '../../sandbox/clean-environment.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { createCommandRunner, ownerOf } from '../../sandbox/create-command-runner.ts';
import { type NodeCommand, nodeCommand } from '../../sandbox/reachable-node.ts';
import type { SetupOutput } from '../../sandbox/setup-layout.ts';
import { findGit } from '../../workspace/git/git-layout.ts';
import { makeAgentGit } from '../../workspace/git/own-git.ts';
import type { SandboxNetwork } from './networked-runner.ts';

/** Inputs for the sandbox of a run's programs. */
export interface ProgramSandbox {
  readonly root: string;
  /** The run's own folder, outside the checkout. */
  readonly runFolder: string;
  /** True if the run's own commands have a working sandbox. */
  readonly sandboxed: boolean;
  readonly repositories?: readonly { readonly root: string; readonly displayPath: string }[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Results of the set-up, mounted for commands. Default: null, none. */
  readonly prepared?: ProvidedSetup | null;
}

/** Results of a set-up, read again for each command, and the variables that lead to them. */
export interface ProvidedSetup {
  readonly output: () => SetupOutput | null;
  readonly variables: Readonly<Record<string, string>>;
}

/** Settings of one program's sandbox. */
export interface ProgramSettings {
  /** Distinguishes its git directory. */
  readonly name: string;
  /** True if the workspace is writable. Default: false. */
  readonly writes?: boolean;
  /** Hosts that it reaches, with optional ports. Default: none. */
  readonly hosts?: readonly string[];
  /** More folders to mount read-only. Default: none. */
  readonly shown?: readonly string[];
}

/**
 * Makes a runner for a run's programs. They are trusted differently from the model, so no command
 * of the model writes their git directory. `folder` has the programs and is mounted.
 */
export async function createProgramRunner(
  run: ProgramSandbox,
  folder: string,
  { name, writes = false, hosts = [], shown = [] }: ProgramSettings,
): Promise<CommandRunner> {
  const layout = findGit(run.root);
  const gitDirectory = path.join(run.runFolder, `${name}-agent.git`);
  if (layout !== null) await makeAgentGit(layout, gitDirectory);
  const make = (network: SandboxNetwork | null) =>
    createCommandRunner({
      mode: run.sandboxed ? 'required' : 'off',
      workspace: { root: run.root, agentGitDirectory: async () => (layout === null ? null : gitDirectory) },
      spillFolder: folder,
      ...(run.repositories === undefined ? {} : { repositories: run.repositories }),
      environment: run.environment,
      ...(run.prepared == null ? {} : { setup: run.prepared.output, variables: run.prepared.variables }),
      readOnlyWorkspace: !writes,
      readOnlyFolders: [...shown, ...(network === null ? [] : [network.shown])],
      ...(network === null ? {} : { hosts: network.hosts }),
    });
  // Without a sandbox there is no network to restrict.
  if (hosts.length === 0 || !run.sandboxed) return make(null);
  const { networkedRunner } = await import('./networked-runner.ts');
  return networkedRunner(hosts, programNode(run), make);
}

/** Returns the command that starts Node in the programs' sandbox. */
export function programNode({ root, environment, prepared }: ProgramSandbox): NodeCommand {
  const { PATH = '' }: Readonly<Record<string, string>> = {
    ...cleanEnvironment(environment),
    ...prepared?.variables,
  };
  return nodeCommand(PATH, ownerOf(root));
}
