import path from 'node:path';
import { cleanEnvironment } from '../../sandbox/clean-environment.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { createCommandRunner, ownerOf } from '../../sandbox/create-command-runner.ts';
import { type NodeCommand, nodeCommand } from '../../sandbox/reachable-node.ts';
import type { SetupOutput } from '../../sandbox/setup-layout.ts';
import { findGit } from '../../workspace/git/git-layout.ts';
import { makeAgentGit } from '../../workspace/git/own-git.ts';
import type { SandboxNetwork } from './networked-runner.ts';

/** What the sandbox of a run's programs is made from. */
export interface ProgramSandbox {
  readonly root: string;
  /** The run's own folder, outside the checkout. */
  readonly runFolder: string;
  /** True where the run's own commands have a working sandbox. */
  readonly sandboxed: boolean;
  readonly repositories?: readonly { readonly root: string; readonly displayPath: string }[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What a set-up made, which commands are shown; left out or null, there was none. */
  readonly prepared?: SetupResult | null;
}

/** What a set-up made, asked for each command anew, and the variables that lead to it. */
export interface SetupResult {
  readonly output: () => SetupOutput | null;
  readonly variables: Readonly<Record<string, string>>;
}

/** What one sandbox is besides that of every program of a run. */
export interface ProgramSettings {
  /** Tells its git directory from those of others. */
  readonly name: string;
  /** The workspace is read-only unless this is true. */
  readonly writes?: boolean;
  /** Hosts that it reaches, perhaps with ports; left out or empty, none. */
  readonly hosts?: readonly string[];
  /** More folders that commands may read. */
  readonly shown?: readonly string[];
}

/**
 * A runner of a run's programs, another domain of trust than the model: its git directory is one that no command of the model writes.
 * `folder`, which commands see, is where the programs were kept.
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
  // Without a sandbox there is no network to open.
  if (hosts.length === 0 || !run.sandboxed) return make(null);
  const { networkedRunner } = await import('./networked-runner.ts');
  return networkedRunner(hosts, programNode(run), make);
}

/** The command by which programs of a run start Node in their sandbox. */
export function programNode({ root, environment, prepared }: ProgramSandbox): NodeCommand {
  const { PATH = '' }: Readonly<Record<string, string>> = {
    ...cleanEnvironment(environment),
    ...prepared?.variables,
  };
  return nodeCommand(PATH, ownerOf(root));
}
