import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AfterCall } from './agent/call-tool.ts';
import { passPolicyOf } from './compose-environment.ts';
import type { Config } from './config/schema.ts';
import type { Hook } from './contract/hooks.ts';
import type { Json } from './contract/json.ts';
import type { SandboxMode } from './contract/levels.ts';
import type { RunPlan } from './contract/plan.ts';
import type { Rule } from './contract/rules.ts';
import {
  type AskedProgram,
  type AskProgram,
  type ProgramAnswer,
  questionOf,
} from './permissions/ask-program.ts';
import { passedVariables, type VariableHolder } from './permissions/environment-policy.ts';
import { hooksFor, noteOf } from './permissions/hooks.ts';
import { createRedactor } from './permissions/redact.ts';
import { redactValue } from './permissions/redaction/redact-value.ts';
import type { CommandRunner } from './permissions/sandbox/command-runner.ts';
import { createCommandRunner } from './permissions/sandbox/create-command-runner.ts';
import { makeAgentGit } from './workspace/agent-git.ts';
import { filesAt } from './workspace/files-at.ts';
import { findGit, readHead } from './workspace/git-layout.ts';
import { type KeptProgram, keepProgram, type TrustedFiles } from './workspace/kept-programs.ts';
import { makeOwnGit } from './workspace/own-git.ts';

/** How long a program may think, in seconds, before its silence counts as a refusal. */
const defaultTimeout = 60;

/** Bytes of standard error that are kept of one answer. */
const mostSaid = 64 * 1024;

/** The programs that have a say in a run's calls: hooks, and those that `delegate` rules name. */
export interface Programs {
  readonly ask: AskProgram;
  readonly before: readonly Hook[];
  /** Tells the after-hooks of a call that was made; null where there are none. */
  readonly after: AfterCall | null;
  close(): Promise<void>;
}

/** What the programs of one run need of it. */
export interface ProgramsRun {
  readonly config: Config;
  readonly root: string;
  /** The run's own folder, outside the checkout; a folder for the programs is made in it. */
  readonly runFolder: string;
  /** The commit that programs come from; left out, the checkout's last one. */
  readonly trusted?: TrustedFiles;
  readonly sandbox: SandboxMode;
  /** True where the run's own commands have a working sandbox. */
  readonly sandboxed: boolean;
  readonly repositories?: readonly { readonly root: string; readonly shown: string }[];
  readonly plan: RunPlan | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Credentials of ours that stand in no variable. */
  readonly secrets: readonly string[];
  /** Tells the operator, once for each thing to tell. */
  readonly warn: (message: string) => void;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Takes the programs of a run out of the trusted commit, before anything of the run could touch them, and asks them in
 * a sandbox of their own: without network, the workspace read-only at `AGENT_WORKSPACE`, a git directory that no command
 * of the model writes. To be made before the first call. Whatever keeps a program from answering is its rejection.
 */
export function openPrograms(run: ProgramsRun): Programs {
  const folder = path.join(run.runFolder, 'programs');
  const rules: readonly Rule[] = run.config.permissions?.rules ?? [];
  const { before = [], after = [] } = run.config.hooks ?? {};
  const delegates = rules.flatMap(({ to, folder: from }): Omit<AskedProgram, 'by'>[] =>
    to === undefined ? [] : [{ run: to, ...(from === undefined ? {} : { folder: from }) }],
  );
  const kept = keepAll([...before, ...after, ...delegates], folder, run);
  kept.catch(() => undefined);
  const policy = passPolicyOf(run);
  const told = new Set<string>();
  const warn = (message: string) => {
    if (!told.has(message)) run.warn(message);
    told.add(message);
  };
  let runner: Promise<CommandRunner> | null = null;
  const answer = async (program: AskedProgram, tool: string, input: Json, when: 'before' | 'after') => {
    const whole = program.delegate
      ? { ...delegates.find(({ run: line }) => line === program.run), ...program }
      : program;
    const { variables, withheld } = passedVariables(holderOf(whole), policy);
    const found = (await kept).get(keyOf(whole));
    const problem =
      found === undefined || 'problem' in found
        ? (found?.problem ?? 'cannot be run')
        : unsafe(run, Object.keys(variables), withheld);
    if (problem !== null || found === undefined || 'problem' in found)
      return failed(problem ?? 'cannot be run');
    runner ??= createProgramRunner(run, folder);
    return start(await runner, found, {
      run,
      variables,
      timeoutMs: (program.timeoutSeconds ?? defaultTimeout) * 1_000,
      env: { AGENT_TOOL_NAME: tool, AGENT_HOOK: when, AGENT_WORKSPACE: run.root },
      stdin: JSON.stringify(input),
    });
  };
  const asked = async (program: AskedProgram, tool: string, input: Json, when: 'before' | 'after') => {
    const said = await answer(program, tool, input, when).catch((error: unknown) => {
      run.signal.throwIfAborted();
      return failed(`could not be run (${error instanceof Error ? error.message : String(error)})`);
    });
    if (said.problem !== null) warn(`${program.by}: \`${program.run}\` ${said.problem}.`);
    return said;
  };
  const tell: AfterCall = async (call, result) => {
    const { input, targets, tool } = call;
    const notes = [];
    for (const { hook, by } of hooksFor(after, { tool: tool.name, targets })) {
      const told = redactValue({ tool: tool.name, input, result } as unknown as Json, run.redact);
      const note = noteOf(hook.run, by, await asked({ ...hook, by }, tool.name, told, 'after'));
      if (note === null) continue;
      if (note.objects) warn(`${tool.name} ${targets.what}: ${note.text.slice(1, -1)}`);
      notes.push(note);
    }
    return notes;
  };
  return {
    before,
    ask: ({ program, call }) => asked(program, call.tool, questionOf(call), 'before'),
    after: after.length === 0 ? null : tell,
    async close() {
      await kept.catch(() => undefined);
      await (await runner?.catch(() => null))?.close();
    },
  };
}

/** Why a program may not be started as things are; null where it may. */
function unsafe(
  run: ProgramsRun,
  variables: readonly string[],
  withheld: readonly { readonly name: string; readonly why: string }[],
): string | null {
  const [first] = withheld;
  if (first !== undefined) return `cannot be run: ${first.name} is not given to it, as ${first.why}`;
  if (run.sandboxed) return null;
  if (run.plan !== null && run.sandbox !== 'off')
    return 'cannot be run: there is no sandbox to keep keys out of its reach';
  return variables.length === 0
    ? null
    : `cannot be run: ${variables.join(', ')} may only be given to what runs in a sandbox, and there is none`;
}

/** One run of a program: what it is given, and what is made of how it ends. */
async function start(
  runner: CommandRunner,
  { words, folder }: KeptProgram,
  asked: {
    readonly run: ProgramsRun;
    readonly variables: Readonly<Record<string, string>>;
    readonly env: Readonly<Record<string, string>>;
    readonly stdin: string;
    readonly timeoutMs: number;
  },
): Promise<ProgramAnswer> {
  const said: Buffer[] = [];
  let size = 0;
  const { exitCode, signal, timedOut } = await runner.run({
    // Words hold nothing that a quote would have to be kept from.
    command: `exec ${words.map((word) => `'${word}'`).join(' ')} >/dev/null`,
    cwd: folder,
    timeoutMs: asked.timeoutMs,
    signal: asked.run.signal,
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

/** What `env.pass` calls a program, and whose it is: only the operator's files say where they lie. */
function holderOf({ name, run, folder, delegate }: AskedProgram): VariableHolder {
  const called = delegate === true ? `delegate:${run.split(' ')[0]}` : `hook:${name ?? ''}`;
  return { name: called, by: folder === undefined ? 'repository' : 'operator' };
}

function failed(problem: string): ProgramAnswer {
  return { exitCode: null, stderr: '', problem };
}

const keyOf = ({ run, files = [], folder }: Pick<AskedProgram, 'run' | 'files' | 'folder'>): string =>
  JSON.stringify([folder ?? null, run, files]);

/** Each program in a folder of its own, so that it finds its own files and no other's. */
async function keepAll(
  programs: readonly Omit<AskedProgram, 'by'>[],
  folder: string,
  run: ProgramsRun,
): Promise<ReadonlyMap<string, KeptProgram | { readonly problem: string }>> {
  const trusted = run.trusted ?? lastCommitOf(run);
  const wanted = new Map(programs.map((program) => [keyOf(program), program]));
  const kept = new Map<string, KeptProgram | { readonly problem: string }>();
  await mkdir(folder, { recursive: true });
  for (const [key, program] of wanted) {
    const target = path.join(folder, String(kept.size + 1));
    await mkdir(target);
    const asKept = { run: program.run, files: program.files ?? [], folder: program.folder ?? null };
    kept.set(key, await keepProgram(asKept, { target, root: run.root, trusted }));
  }
  return kept;
}

/** The files of the commit that a checkout of the operator's own stands at: a command in the sandbox cannot move it. */
function lastCommitOf({ root, runFolder }: ProgramsRun): TrustedFiles {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  if (layout === null || sha === null) return async () => new Map();
  const made = makeOwnGit(layout, path.join(runFolder, 'programs.git'));
  made.catch(() => undefined);
  return async (paths) => filesAt(await made, sha, paths);
}

async function createProgramRunner(run: ProgramsRun, folder: string): Promise<CommandRunner> {
  const layout = findGit(run.root);
  const gitDirectory = path.join(run.runFolder, 'programs-agent.git');
  if (layout !== null) await makeAgentGit(layout, gitDirectory);
  return createCommandRunner({
    mode: run.sandboxed ? 'required' : 'off',
    workspace: { root: run.root, agentGitDirectory: async () => (layout === null ? null : gitDirectory) },
    spillFolder: folder,
    ...(run.repositories === undefined ? {} : { repositories: run.repositories }),
    environment: run.environment,
    readOnlyWorkspace: true,
  });
}
