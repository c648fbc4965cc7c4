import path from 'node:path';
import type { ProgramAnswer } from '../../permissions/ask-program.ts';
import { createRedactor } from '../../permissions/redact.ts';
import type { CommandRunner } from '../../permissions/sandbox/command-runner.ts';
import { createCommandRunner } from '../../permissions/sandbox/create-command-runner.ts';
import type { SetupOutput } from '../../permissions/sandbox/shown-setup.ts';
import { quotedWord } from '../../permissions/shell/quoted-word.ts';
import { makeAgentGit } from '../../workspace/agent-git.ts';
import { findGit } from '../../workspace/git-layout.ts';
import type { KeptProgram } from '../../workspace/kept-programs.ts';
import type { SandboxNetwork } from './networked-runner.ts';

/** What the sandbox of a run's programs is made from. */
export interface ProgramSandbox {
  readonly root: string;
  /** The run's own folder, outside the checkout. */
  readonly runFolder: string;
  /** True where the run's own commands have a working sandbox. */
  readonly sandboxed: boolean;
  readonly repositories?: readonly { readonly root: string; readonly shown: string }[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What a set-up made, which commands are shown; left out or null, there was none. */
  readonly prepared?: SetupResult | null;
}

/** What a set-up made, asked for each command anew, and the variables that lead to it. */
export interface SetupResult {
  readonly output: () => SetupOutput | null;
  readonly variables: Readonly<Record<string, string>>;
}

/** Bytes of standard error that are kept of one answer. */
const mostSaid = 64 * 1024;

/**
 * Asks a program once: `stdin` is what it is asked, its exit code and standard error are the answer. The values of `variables`,
 * which it is given besides `env`, are taken out of what it said. A signal that aborts rejects.
 */
export async function startProgram(
  runner: CommandRunner,
  { words, folder }: KeptProgram,
  asked: {
    readonly variables: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
    readonly stdin: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<ProgramAnswer> {
  const said: Buffer[] = [];
  let size = 0;
  const { exitCode, signal, timedOut } = await runner.run({
    command: `exec ${words.map(quotedWord).join(' ')} >/dev/null`,
    cwd: folder,
    timeoutMs: asked.timeoutMs,
    signal: asked.signal,
    env: { ...asked.variables, ...asked.env },
    stdin: asked.stdin,
    readOnlyWorkspace: true,
    onOutput: (chunk) => {
      if (size < mostSaid) said.push(chunk.subarray(0, mostSaid - size));
      size += chunk.length;
    },
  });
  const hide = createRedactor(Object.values(asked.variables));
  const stderr = hide(Buffer.concat(said).toString('utf8'));
  const problem = timedOut
    ? `did not answer within ${asked.timeoutMs / 1_000} seconds`
    : exitCode === 126 || exitCode === 127
      ? `could not be run (exit code ${exitCode})`
      : exitCode === null
        ? `was ended by ${signal ?? 'a signal'}`
        : exitCode > 128
          ? `was ended by a signal, or ended with exit code ${exitCode}`
          : null;
  return { exitCode, stderr, problem };
}

/**
 * A runner of a run's programs, another domain of trust than the model: its git directory, which `name` tells from those of others, is one
 * that no command of the model writes. `folder`, which commands see, is where the programs were kept. The workspace is read-only
 * unless `writes` is true.
 */
export async function createProgramRunner(
  run: ProgramSandbox,
  folder: string,
  {
    name = 'programs',
    writes = false,
    network,
    shown = [],
  }: {
    readonly name?: string;
    readonly writes?: boolean;
    readonly network?: SandboxNetwork;
    /** More folders that commands may read. */
    readonly shown?: readonly string[];
  } = {},
): Promise<CommandRunner> {
  const layout = findGit(run.root);
  const gitDirectory = path.join(run.runFolder, `${name}-agent.git`);
  if (layout !== null) await makeAgentGit(layout, gitDirectory);
  return createCommandRunner({
    mode: run.sandboxed ? 'required' : 'off',
    workspace: { root: run.root, agentGitDirectory: async () => (layout === null ? null : gitDirectory) },
    spillFolder: folder,
    ...(run.repositories === undefined ? {} : { repositories: run.repositories }),
    environment: run.environment,
    ...(run.prepared == null ? {} : { setup: run.prepared.output, variables: run.prepared.variables }),
    readOnlyWorkspace: !writes,
    shown: [...shown, ...(network === undefined ? [] : [network.shown])],
    ...(network === undefined ? {} : { hosts: network.hosts }),
  });
}
