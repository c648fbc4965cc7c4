import path from 'node:path';
import { append } from '../../contract/lists.ts';
import type { VariableHolder } from '../../permissions/policy/environment-policy.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { copyToolbox } from './copy-toolbox.ts';
import { type Described, type DescriptionCache, describePrograms } from './describe-programs.ts';
import { type ToolboxFolder, type ToolboxProgram, toolboxFolders } from './toolbox-folder.ts';
import { toolboxTool } from './toolbox-tool.ts';

/** Seconds that a program has to say what it is. */
const describeSeconds = 10;

/** Settings and services of a toolbox. */
export interface ToolboxRun {
  readonly root: string;
  /** Outside the checkout; made here. */
  readonly folder: string;
  /** `ANODE_TOOLBOX`, and `tools.toolboxDirs`. */
  readonly named: { readonly environment: string | undefined; readonly config: readonly string[] };
  readonly home: string | undefined;
  /** The files of the commit that steers; null where there is none. */
  readonly trusted: () => Promise<TrustedTree | null>;
  /** Earlier descriptions. */
  readonly cache: DescriptionCache;
  /** `tools.externalTimeout`, in seconds. */
  readonly timeoutSeconds: number;
  /**
   * The variables of a program, and whether it needs a sandbox of its own. A problem is a clause
   * with the program as its subject.
   */
  readonly programEnvironment: (
    holder: VariableHolder,
  ) =>
    | { readonly variables: Readonly<Record<string, string>>; readonly apart: boolean }
    | { readonly problem: string };
  /**
   * Opens a runner that mounts `folder`: its own for a program that runs apart (`name`), else a
   * shared one.
   */
  readonly runnerFor: (name: string | null) => Promise<CommandRunner>;
}

/** The toolbox of a run as a source of tools. Nothing is read before it is loaded. */
export function openToolbox(run: ToolboxRun): ExternalSource {
  const runners = new Map<string | null, Promise<CommandRunner>>();
  let closed = false;
  const runnerOf: RunnerOf = (name) => {
    if (closed) throw new Error('a toolbox program was to be started when its run had ended');
    const opened = runners.get(name) ?? run.runnerFor(name);
    runners.set(name, opened);
    return opened;
  };
  return {
    name: 'the toolbox',
    async load(signal) {
      const { programs, problems } = await copyPrograms(run, signal);
      const described = await describeAll(run, programs, { runnerOf, signal });
      return toolsOf(run, described, problems, runnerOf);
    },
    async close() {
      closed = true;
      const opened = await Promise.allSettled(runners.values());
      await Promise.all(
        opened.map(async (one) => (one.status === 'fulfilled' ? one.value.close() : undefined)),
      );
    },
  };
}

/** Creates the tools of described programs; those without one are added to the problems. */
function toolsOf(
  run: ToolboxRun,
  described: readonly LocatedDescription[],
  problems: string[],
  runnerOf: RunnerOf,
): LoadedTools {
  const tools = new Map<string, { readonly tool: Tool; readonly folder: ToolboxFolder }>();
  for (const one of described) {
    const { folder, shown } = one.program;
    const earlier = 'problem' in one ? undefined : tools.get(one.description.name);
    // An earlier folder may replace programs of a later one; in one folder that is a mistake.
    if (earlier !== undefined && earlier.folder !== folder) continue;
    const tool =
      earlier === undefined ? toolOf(run, one, runnerOf) : sameName(earlier.tool.name, one.program);
    if ('problem' in tool) problems.push(`${shown} ${tool.problem}.`);
    else tools.set(tool.name, { tool, folder });
  }
  return { tools: [...tools.values()].map(({ tool }) => tool), problems };
}

/** A program with the folder that it comes from. */
interface LocatedProgram extends ToolboxProgram {
  readonly folder: ToolboxFolder;
}

type LocatedDescription = Described & { readonly program: LocatedProgram };

/** Copies the programs of all folders out of the checkout. */
async function copyPrograms(
  run: ToolboxRun,
  signal: AbortSignal,
): Promise<{ readonly programs: readonly LocatedProgram[]; readonly problems: string[] }> {
  const { folders, problems: wrong } = await toolboxFolders(run.named, run);
  const problems = [...wrong];
  const programs: LocatedProgram[] = [];
  for (const [index, folder] of folders.entries()) {
    signal.throwIfAborted();
    const copied = await copyToolbox(folder, path.join(run.folder, String(index + 1)), run.trusted);
    append(problems, copied.problems);
    for (const program of copied.programs) programs.push({ ...program, folder });
  }
  return { programs, problems };
}

/** Asks all programs to describe themselves; the answers are in the order of `programs`. */
async function describeAll(
  run: ToolboxRun,
  programs: readonly LocatedProgram[],
  { runnerOf, signal }: { readonly runnerOf: RunnerOf; readonly signal: AbortSignal },
): Promise<readonly LocatedDescription[]> {
  // In one sandbox a program could answer for another: the repository's and the operator's are
  // separated.
  const descriptions = (['operator', 'repository'] as const).map(async (from) => {
    const own = programs.filter(({ folder }) => folder.from === from);
    if (own.length === 0) return [];
    return describePrograms(own, {
      // Not called for programs that the cache knows.
      runner: () => runnerOf(null),
      workspaceRoot: run.root,
      signal,
      cache: run.cache,
      seconds: describeSeconds,
      // Programs that hang must leave time to read the answers of others.
      within: Math.max(1, run.timeoutSeconds - describeSeconds),
    });
  });
  const all = (await Promise.all(descriptions)).flat();
  return programs.flatMap((program) =>
    all.flatMap((one) => (one.program === program ? [{ ...one, program }] : [])),
  );
}

type RunnerOf = (name: string | null) => Promise<CommandRunner>;

function toolOf(
  run: ToolboxRun,
  one: LocatedDescription,
  runnerOf: RunnerOf,
): Tool | { readonly problem: string } {
  if ('problem' in one) return { problem: `${one.problem}, so it is no tool of this run` };
  const { program, description } = one;
  const { name } = description;
  const holder = name.slice('tb__'.length);
  const environment = run.programEnvironment({ name: `toolbox:${holder}`, by: program.folder.from });
  if ('problem' in environment)
    return { problem: `(${name}) ${environment.problem}, so it is no tool of this run` };
  return toolboxTool(program, description, {
    runner: () => runnerOf(environment.apart ? holder : null),
    variables: environment.variables,
    timeoutSeconds: run.timeoutSeconds,
  });
}

const sameName = (name: string, { folder }: LocatedProgram) => ({
  problem: `calls itself ${name}, as another program of ${folder.shown} does; it is left out`,
});
