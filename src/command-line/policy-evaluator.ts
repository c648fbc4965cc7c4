import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { callTool } from '../agent/calls/call-tool.ts';
import { makeProfiles, onlyReadsBy } from '../agent/profiles/profiles.ts';
import type { ToolSet } from '../agent/profiles/tool-set.ts';
import type { Config } from '../config/schema.ts';
import type { Decision } from '../contract/decision.ts';
import { ToolError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Preset } from '../contract/levels.ts';
import { makeGate } from '../run/gate/make-gate.ts';
import { endSessions, makeServices } from '../run/make-services.ts';
import { localOrigin } from '../run/policy/local-plan.ts';
import { composePrograms } from '../run/programs/compose-programs.ts';
import type { Programs } from '../run/programs/open-programs.ts';
import { openRunStores } from '../run/records/run-stores.ts';
import { composeRepositories } from '../run/setup/compose-repositories.ts';
import type { CommandRunner } from '../sandbox/command-runner.ts';
import { createSkillLibrary } from '../tools/skills/create-skill-library.ts';
import type { Tool } from '../tools/tool.ts';
import type { ConfinedFiles } from '../workspace/files/confined-files.ts';
import type { RegisteredRepository } from '../workspace/git/registered-repositories.ts';
import { trustedTreeIn } from '../workspace/git/trusted-tree.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { userSkillsFolder } from './local-config.ts';
import { everyTool, type LocalTools, openLocalTools } from './local-tools.ts';

/** A call to evaluate and its context. */
export interface EvaluatedCall {
  /** Name or alias of the tool. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly preset: Preset;
  readonly context: 'main' | 'child';
  /** True if commands are assumed to run in a working sandbox. */
  readonly sandboxed: boolean;
  /** Applies the limits of forks, reviews and readers. */
  readonly readOnly: boolean;
}

/** Evaluates calls with the gate of a run, without executing any. */
export interface PolicyEvaluator {
  /** Throws `ToolError` for an unknown tool or invalid arguments. */
  evaluate(call: EvaluatedCall): Promise<Decision>;
  close(): Promise<void>;
}

/**
 * Opens an evaluator for one checkout and one policy. A call takes the normal path up to the gate:
 * find, parse, prepare, evaluate. Before-hooks and programs of `delegate` rules are run. Nothing
 * stays on disk.
 */
export async function openPolicyEvaluator(run: {
  readonly root: string;
  /** Folder below `root` that commands start in; '' for the root. */
  readonly start: string;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}): Promise<PolicyEvaluator> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-policy-'));
  const spillFolder = path.join(folder, 'spill');
  await mkdir(spillFolder);
  const { repositories } = await composeRepositories({ ...run, runsFolder: folder });
  const { root, start } = run;
  const workspace = await openWorkspace({ root, start, runFolder: folder, spillFolder, repositories });
  const programsOf = programLoader(run, { root: workspace.root, folder, repositories });
  const { storage, tasks } = openRunStores({
    runId: 'policy',
    runFolder: folder,
    store: null,
    readOnly: true,
    plan: localOrigin(run.root),
    resume: null,
    redact: (text) => text,
    now: () => new Date(),
  });
  const services = makeServices({
    workspace,
    commands: commandsOf(false),
    spillFolder,
    repositories,
    storage,
    tasks,
  });
  const toolsFor = toolLoader(run, workspace.files);

  const profiles = makeProfiles(run.config.profiles);
  const attempt = createAttempts(run, {
    workspace,
    spillFolder,
    repositories,
    services,
    programsOf,
    profiles,
  });

  return {
    async evaluate(call) {
      const { all, enabled, problems } = await toolsFor.load(call);
      if (all.find(call.tool) === undefined) throw unknownTool(call.tool, all, problems);
      const name = enabled.find(call.tool) === undefined ? all.find(call.tool)?.tool.name : undefined;
      if (name !== undefined) return disabledDecision(name);
      const first = await attempt(call, enabled);
      if (!(first instanceof ToolError)) return first;
      // Rules apply to the names in a call, even if its patch does not fit here.
      const second = await attempt(call, withoutPrepare(enabled));
      if (second instanceof ToolError) throw second;
      return {
        ...second,
        reason: `${second.reason} In this checkout the call would fail first: ${first.message}`,
      };
    },
    async close() {
      await toolsFor.close();
      await endSessions(services, { record: () => undefined });
      await programsOf.close();
      await workspace.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns what evaluates one call with the given tools. */
function createAttempts(
  run: EvaluatedRun,
  parts: {
    readonly workspace: Workspace;
    readonly spillFolder: string;
    readonly repositories: readonly RegisteredRepository[];
    readonly services: ReturnType<typeof makeServices>;
    readonly programsOf: ReturnType<typeof programLoader>;
    readonly profiles: ReturnType<typeof makeProfiles>;
  },
) {
  const { workspace, spillFolder, repositories, services, programsOf, profiles } = parts;
  return async (call: EvaluatedCall, tools: ToolSet): Promise<Decision | ToolError> => {
    const commands = commandsOf(call.sandboxed);
    const decide = makeGate({
      ...run,
      preset: call.preset,
      readOnly: call.readOnly,
      workspace,
      spillFolder,
      repositories,
      commands,
      sandbox: 'off',
      plan: localOrigin(run.root),
      programs: await programsOf.open(call.sandboxed),
    });
    let decision: Decision | null = null;
    const result = await dryRun(call, {
      tools,
      onlyReads: (name) => onlyReadsBy(profiles, name),
      // Always rejected, so that it is never executed.
      gate: async (asked) => {
        decision = await decide(asked, call.context);
        return { ...decision, action: 'reject' };
      },
      services,
      signal: run.signal,
      spillFolder,
      start: workspace.start,
    });
    const [part] = result.content;
    return decision ?? new ToolError('invalid_input', part?.type === 'text' ? part.text : 'The call fails.');
  };
}

/** An evaluated call is never made, so nothing runs. */
const commandsOf = (sandboxed: boolean): CommandRunner => ({
  sandboxed,
  run: unavailable,
  open: unavailable,
  close: async () => undefined,
});

type EvaluatedRun = Parameters<typeof openPolicyEvaluator>[0];

/** Opens the programs of a run with or without a sandbox, once each. */
function programLoader(
  run: EvaluatedRun,
  {
    root,
    folder,
    repositories,
  }: {
    readonly root: string;
    readonly folder: string;
    readonly repositories: readonly RegisteredRepository[];
  },
) {
  const opened = new Map<boolean, Promise<Programs | null>>();
  return {
    open(sandboxed: boolean): Promise<Programs | null> {
      const made =
        opened.get(sandboxed) ??
        composePrograms({
          ...{ ...run, sandboxed, root, sandbox: sandboxed ? 'required' : 'off', plan: localOrigin(root) },
          ...{ repositories, secrets: [], redact: (text: string) => text, warn: () => undefined },
          runFolder: path.join(folder, sandboxed ? 'on' : 'off'),
        });
      opened.set(sandboxed, made);
      return made;
    },
    async close(): Promise<void> {
      for (const made of opened.values()) await (await made)?.close();
    },
  };
}

/**
 * Loads the built-in tools if they suffice, else also extension tools, once. Servers of skills
 * start last, since a run starts them on use of the skill.
 */
function toolLoader(run: EvaluatedRun, files: ConfinedFiles) {
  const builtin = toolsOf(run.config, []);
  let withOthers: Promise<LocalTools> | null = null;
  const skills = async () => {
    const library = createSkillLibrary({
      tree: trustedTreeIn(files),
      userFolder: userSkillsFolder(run.environment),
      visibility: run.config.skills,
      mayWrite: () => false,
      report: () => undefined,
    });
    return (await library.index()).skills;
  };
  return {
    async load({ tool, args }: EvaluatedCall): Promise<EvaluatedTools> {
      const within = builtin.all.find(tool)?.tool.name === 'use_tool' ? args.name : undefined;
      const named = [tool, ...(typeof within === 'string' ? [within] : [])];
      const hasAll = ({ all }: EvaluatedTools) => named.every((name) => all.find(name) !== undefined);
      if (hasAll(builtin)) return builtin;
      withOthers ??= openLocalTools({ ...run, profile: null, sandbox: run.config.sandbox ?? 'preferred' });
      const others = await withOthers;
      const { problems } = others;
      const found = { ...toolsOf(run.config, others.external), problems };
      return hasAll(found)
        ? found
        : { ...toolsOf(run.config, await others.withSkills(await skills())), problems };
    },
    close: async () => (await withOthers)?.close(),
  };
}

type CallContext = Parameters<typeof callTool>[1];

/** Takes a call up to the gate, which must reject it. */
function dryRun(
  call: EvaluatedCall,
  parts: Pick<CallContext, 'tools' | 'gate' | 'spillFolder'> & {
    readonly start: string;
    readonly onlyReads: (profile: string) => boolean;
    readonly services: ReturnType<typeof makeServices>;
    readonly signal: AbortSignal;
  },
): ReturnType<typeof callTool> {
  const { tools, gate, spillFolder, start, services, signal } = parts;
  return callTool(
    { type: 'tool_call', id: 'call_1', name: call.tool, input: call.args },
    {
      ...{ tools, gate, spillFolder, start },
      childOnlyReads: parts.onlyReads,
      context: (callId, onlyReads) => ({
        ...services,
        callId,
        onlyReads,
        signal,
        state: { todos: [], findings: [] },
        record: () => undefined,
        finish: unavailable,
        ask: unavailable,
        requestPermissions: unavailable,
        runChild: unavailable,
      }),
      countCall: () => undefined,
      advised: new Set(),
      record: () => undefined,
      redact: (text) => text,
      baseline: async () => undefined,
      now: () => 0,
    },
  );
}

/** Tools in which a call is looked up. */
interface EvaluatedTools {
  readonly all: ToolSet;
  readonly enabled: ToolSet;
  /** Load errors, one sentence per source. */
  readonly problems: readonly string[];
}

const toolsOf = (config: Config, external: readonly Tool[]): EvaluatedTools => ({
  all: everyTool([], external),
  enabled: everyTool(config.tools?.disabled ?? [], external),
  problems: [],
});

function unknownTool(name: string, all: ToolSet, problems: readonly string[]): ToolError {
  const near = all.near(name);
  const advice = near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : [];
  const absent = all.absent(name);
  const why = [...(absent === null ? advice : [absent]), ...problems];
  return new ToolError('not_found', [`There is no tool "${name}" here.`, ...why].join(' '));
}

function withoutPrepare(tools: ToolSet): ToolSet {
  return {
    ...tools,
    find: (name) => {
      const found = tools.find(name);
      if (found === undefined) return undefined;
      const { prepare: _, ...tool } = found.tool;
      return { ...found, tool };
    },
  };
}

function disabledDecision(tool: string): Decision {
  return {
    action: 'reject',
    level: 'external_read',
    reason: `\`${tool}\` is disabled by tools.disabled: no run can call it.`,
    rule: null,
    hard: true,
    commands: [],
  };
}

const unavailable = () =>
  Promise.reject(new ToolError('unavailable', 'A call that is only checked is not made.'));
