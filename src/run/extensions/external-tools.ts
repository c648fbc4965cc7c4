import type { Profile } from '../../agent/profiles/profiles.ts';
import type { ExternalToolsReminder } from '../../agent/reminders/external-tools-reminder.ts';
import type { TurnReminder } from '../../agent/reminders/turn-reminders.ts';
import { defaultExternalTimeout, searchVariables } from '../../config/defaults.ts';
import type { ExternalSource, LoadingTools } from '../../tools/registry/load-external-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import { isLocal } from '../policy/local-plan.ts';
import type { ExternalRun } from './external-run.ts';
import { findMonty } from './find-monty.ts';
import { mayHaveLanguageServer } from './language-programs.ts';
import type { WorkspaceServers } from './mcp-servers.ts';
import type { SkillServers } from './skill-servers.ts';

/**
 * Opens the sources of one kind. Null if the run configures none; then none of its code is loaded.
 */
type OpenSources = (run: ExternalRun, servers: OpenServers) => Promise<readonly ExternalSource[]> | null;

/** The servers of the repository's file; the same ones for every caller. */
type OpenServers = () => Promise<WorkspaceServers>;

const allowsWorkspaceServers = ({ environment }: ExternalRun) => environment.ANODE_WORKSPACE_MCP === '1';

/** Every kind of source, in the order in which the model sees their tools. */
const sourceKinds: Readonly<Record<string, OpenSources>> = {
  toolbox(run) {
    const { environment, config } = run;
    const folders = config.tools?.toolboxDirs ?? [];
    if ((environment.ANODE_TOOLBOX ?? '') === '' && folders.length === 0) return null;
    return import('./toolbox-source.ts').then(({ toolboxSource }) => [toolboxSource(run)]);
  },
  mcp(run, openServers) {
    const { servers = {}, workspace = false } = run.config.mcp ?? {};
    if (Object.keys(servers).length === 0 && workspace === false && !allowsWorkspaceServers(run)) return null;
    return import('./mcp-servers.ts').then(async ({ mcpSources }) => mcpSources(run, await openServers()));
  },
  plugin(run) {
    if (Object.keys(run.config.plugins ?? {}).length === 0) return null;
    return import('./plugin-source.ts').then(({ pluginSources }) => pluginSources(run));
  },
  language(run) {
    const { servers = {}, detect = true } = run.config.lsp ?? {};
    const { root, environment, prepared } = run;
    const isNamed = Object.values(servers).some((server) => server !== false);
    const location = { root, path: environment.PATH, setUp: prepared != null };
    if (!isNamed && !(detect && run.sandboxed && mayHaveLanguageServer(location))) return null;
    return import('./language-source.ts').then(({ languageSource }) => [languageSource(run)]);
  },
  web(run) {
    const { environment, config, plan } = run;
    // A key on a person's own machine is intended for this; in a workflow it may have another
    // purpose.
    const isPersonal = isLocal(plan) && /^(?:false|0|)$/i.test(environment.CI ?? '');
    const hasKey = () => searchVariables.some((name) => (environment[name] ?? '') !== '');
    const { web = isPersonal && hasKey() } = config.tools ?? {};
    return web === false ? null : import('./web-source.ts').then(({ webSource }) => [webSource(run)]);
  },
  a2a(run) {
    const { agents = {}, allow = [] } = run.config.a2a ?? {};
    if (Object.keys(agents).length === 0 && allow.length === 0) return null;
    return import('./a2a-source.ts').then(({ a2aSource }) => [a2aSource(run)]);
  },
  python(run) {
    // Native code that runs untrusted programs needs a sandbox.
    const found = run.sandboxed ? findMonty() : null;
    if (found === null) return null;
    return import('./python-source.ts').then(({ pythonSource }) => [pythonSource(run, found)]);
  },
  semantic(run) {
    const model = run.config.tools?.semanticSearch?.model;
    if (model === undefined) return null;
    return import('./semantic-source.ts').then(({ semanticSource }) => [semanticSource(run, model)]);
  },
};

/** The servers that skills may start; null if the configuration allows none. */
async function openSkillServers(run: ExternalRun, openServers: OpenServers): Promise<SkillServers | null> {
  const { allowMCP = false } = run.config.skills ?? {};
  if (allowMCP === false && !allowsWorkspaceServers(run)) return null;
  return (await import('./skill-servers.ts')).skillServers(run, await openServers());
}

/**
 * Milliseconds that the first request waits for tools. Reminders between turns name the later ones.
 */
const graceMs = 2_000;

/** The extension tools of a run. */
export interface ExtensionTools {
  /** Null if nothing is configured. */
  readonly tools: LoadingTools | null;
  /** Text for the first message of the run, or of a child with another profile. */
  readonly first: (child?: Profile) => Promise<string | null>;
  /** Reminders for the turns of the run. */
  readonly notes: readonly TurnReminder[];
  /** Starts the servers of a skill and describes them; null if skills may start none. */
  readonly startPrograms: SkillServers['startPrograms'] | null;
  close(): Promise<void>;
}

const nothing: ExtensionTools = {
  tools: null,
  first: async () => null,
  notes: [],
  startPrograms: null,
  close: async () => undefined,
};

/** Opens the extension tools of a run. Loading starts at once; this waits for none of it. */
export async function openExternalTools(
  run: ExternalRun,
  profile: Profile,
  builtin: () => Promise<readonly Tool[]>,
): Promise<ExtensionTools> {
  let workspaceServers: ReturnType<OpenServers> | null = null;
  const servers = () => {
    workspaceServers ??= import('./mcp-servers.ts').then((mcp) => mcp.openWorkspaceServers(run));
    return workspaceServers;
  };
  const skills = await openSkillServers(run, servers);
  const opened = await Promise.all(Object.values(sourceKinds).map((open) => open(run, servers) ?? []));
  const sources: readonly ExternalSource[] = [...opened.flat(), ...(skills === null ? [] : [skills])];
  if (sources.length === 0) return nothing;
  const [{ loadExternalTools }, { externalToolsReminder: externalNote }] = await Promise.all([
    import('../../tools/registry/load-external-tools.ts'),
    import('../../agent/reminders/external-tools-reminder.ts'),
  ]);
  const seconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
  const tools = loadExternalTools(sources, {
    builtin,
    timeoutMs: seconds * 1_000,
    signal: run.signal,
    report: run.warn,
  });
  const noteFor = (one: Profile): ExternalToolsReminder =>
    externalNote(tools, { builtin, profile: one, disabled: run.config.tools?.disabled ?? [] });
  const own = noteFor(profile);
  return {
    tools,
    first: (child) => (child === undefined ? own : noteFor(child)).first(graceMs),
    notes: [own.later],
    startPrograms: skills?.startPrograms ?? null,
    close: () => tools.close(),
  };
}
