import path from 'node:path';
import { append } from '../../contract/lists.ts';
import type { VariableHolder } from '../../permissions/policy/environment-policy.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import { type DescriptionCache, describePrograms } from './describe-programs.ts';
import { keepToolbox } from './keep-toolbox.ts';
import { type ToolboxFolder, type ToolboxProgram, toolboxFolders } from './toolbox-folder.ts';
import { toolboxTool } from './toolbox-tool.ts';

/** Seconds that a program has to say what it is. */
const describeSeconds = 10;

/** What a toolbox is made from. */
export interface ToolboxRun {
  readonly root: string;
  /** Outside the checkout; made here. */
  readonly folder: string;
  /** `ANODE_TOOLBOX`, and `tools.toolboxDirs`. */
  readonly named: { readonly environment: string | undefined; readonly config: readonly string[] };
  readonly home: string | undefined;
  /** The files of the commit that steers; null where there is none. */
  readonly trusted: () => Promise<SteeringTree | null>;
  /** What was described before; asked for when something is to be described. */
  readonly cache: DescriptionCache;
  /** `tools.externalTimeout`, in seconds. */
  readonly timeoutSeconds: number;
  /**
   * The variables that a program is given, and whether it runs apart from the others, or a clause with it as the subject that says why it
   * cannot be run.
   */
  readonly givenTo: (
    holder: VariableHolder,
  ) =>
    | { readonly variables: Readonly<Record<string, string>>; readonly apart: boolean }
    | { readonly problem: string };
  /** A runner whose commands see `folder`: one of its own for a program that runs apart (`name`), else one for all. */
  readonly runnerFor: (name: string | null) => Promise<CommandRunner>;
}

/** The toolbox of a run as a source of tools. Nothing is looked at before it is loaded. */
export function openToolbox(run: ToolboxRun): ExternalSource {
  const runners = new Map<string | null, Promise<CommandRunner>>();
  let closed = false;
  const runnerOf = (name: string | null): Promise<CommandRunner> => {
    if (closed) throw new Error('a toolbox program was to be started when its run had ended');
    const opened = runners.get(name) ?? run.runnerFor(name);
    runners.set(name, opened);
    return opened;
  };
  return {
    name: 'the toolbox',
    async load(signal) {
      const { folders, problems: wrong } = await toolboxFolders(run.named, run);
      const problems = [...wrong];
      const programs: (ToolboxProgram & { readonly folder: ToolboxFolder })[] = [];
      for (const [index, folder] of folders.entries()) {
        signal.throwIfAborted();
        const kept = await keepToolbox(folder, path.join(run.folder, String(index + 1)), run.trusted);
        append(problems, kept.problems);
        append(
          programs,
          kept.programs.map((program) => ({ ...program, folder })),
        );
      }
      // Programs that describe themselves in one sandbox could speak for each other: the repository's are in none with the operator's.
      const asked = (['operator', 'repository'] as const).map(async (from) => {
        const own = programs.filter(({ folder }) => folder.from === from);
        if (own.length === 0) return [];
        return describePrograms(own, {
          // Whatever is known already needs no sandbox.
          runner: () => runnerOf(null),
          workspaceRoot: run.root,
          signal,
          cache: run.cache,
          seconds: describeSeconds,
          // Those that hang must leave time to read what the others said.
          within: Math.max(1, run.timeoutSeconds - describeSeconds),
        });
      });
      const all = (await Promise.all(asked)).flat();
      const described = programs.flatMap((program) => all.filter((one) => one.program === program));
      const tools = new Map<string, { readonly tool: Tool; readonly index: number }>();
      for (const [at, one] of described.entries()) {
        const { shown } = one.program;
        const folder = programs[at]?.folder;
        if ('problem' in one || folder === undefined) {
          problems.push(`${shown} ${'problem' in one ? one.problem : ''}, so it is no tool of this run.`);
          continue;
        }
        const { name } = one.description;
        const index = folders.indexOf(folder);
        const earlier = tools.get(name);
        if (earlier !== undefined) {
          // A folder that stands first may well replace what a later one has; in one folder it is a mistake.
          if (earlier.index === index)
            problems.push(
              `${shown} calls itself ${name}, as another program of ${folder.shown} does; it is left out.`,
            );
          continue;
        }
        const holder = name.slice('tb__'.length);
        const given = run.givenTo({ name: `toolbox:${holder}`, by: folder.from });
        if ('problem' in given) {
          problems.push(`${shown} (${name}) ${given.problem}, so it is no tool of this run.`);
          continue;
        }
        const own = given.apart ? holder : null;
        const tool = toolboxTool(one.program, one.description, {
          runner: () => runnerOf(own),
          variables: given.variables,
          timeoutSeconds: run.timeoutSeconds,
        });
        tools.set(name, { tool, index });
      }
      return { tools: [...tools.values()].map(({ tool }) => tool), problems };
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
