import type { ExternalNote } from '../../agent/notes/external-note.ts';
import type { TurnNote } from '../../agent/notes/turn-notes.ts';
import type { Profile } from '../../agent/profiles/profiles.ts';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import { searchVariables } from '../../config/extension-settings.ts';
import type { ExternalSource, LoadingTools } from '../../tools/registry/load-external-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ExternalRun } from './external-run.ts';
import { findMonty } from './find-monty.ts';
import { mayHaveLanguageServer } from './language-programs.ts';
import type { WorkspaceServers } from './mcp-servers.ts';
import type { SkillServers } from './skill-servers.ts';

/** One kind of source: what the configuration names of it, opened without waiting for anything; none where it names nothing. */
type Opener = (run: ExternalRun, servers: OpenServers) => Promise<readonly ExternalSource[]>;

/** The servers of the repository's file, the same ones whenever they are asked for. */
type OpenServers = () => Promise<WorkspaceServers>;

/**
 * Every kind of source, in the order in which their tools are told of. An opener loads what is heavy only where something of its kind
 * is named.
 */
const openers: readonly Opener[] = [
  openToolbox,
  openMcp,
  openPlugins,
  openLanguageServers,
  openWeb,
  openAgents,
  openPython,
  openSemanticSearch,
];

async function openToolbox(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const named =
    (run.environment.ANODE_TOOLBOX ?? '') !== '' || (run.config.tools?.toolboxDirs ?? []).length > 0;
  return named ? [(await import('./toolbox-source.ts')).toolboxSource(run)] : [];
}

async function openMcp(run: ExternalRun, ofFile: OpenServers): Promise<readonly ExternalSource[]> {
  const { servers = {}, workspace = false } = run.config.mcp ?? {};
  const named =
    Object.keys(servers).length > 0 || workspace !== false || run.environment.ANODE_WORKSPACE_MCP === '1';
  return named ? (await import('./mcp-servers.ts')).mcpSources(run, await ofFile()) : [];
}

/** Where skills may bring servers, which are started when one is used. */
async function openSkillServers(run: ExternalRun, ofFile: OpenServers): Promise<SkillServers | null> {
  const { allowMCP = false } = run.config.skills ?? {};
  const allowed = allowMCP !== false || run.environment.ANODE_WORKSPACE_MCP === '1';
  return allowed ? (await import('./skill-servers.ts')).skillServers(run, await ofFile()) : null;
}

async function openPlugins(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const named = Object.keys(run.config.plugins ?? {}).length > 0;
  return named ? (await import('./plugin-source.ts')).pluginSources(run) : [];
}

async function openLanguageServers(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const { servers = {}, detect = true } = run.config.lsp ?? {};
  const named = Object.values(servers).some((server) => server !== false);
  const { root, environment, prepared } = run;
  const place = { root, path: environment.PATH, setUp: prepared != null };
  const found = detect && run.sandboxed && mayHaveLanguageServer(place);
  return named || found ? [(await import('./language-source.ts')).languageSource(run)] : [];
}

async function openWeb(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const { environment, config, plan } = run;
  // Who runs it on a machine of their own has set the key for this; in a workflow it may be there for something else.
  const here = plan === null && /^(?:false|0|)$/i.test(environment.CI ?? '');
  const { web = here && searchVariables.some((name) => (environment[name] ?? '') !== '') } =
    config.tools ?? {};
  return web === false ? [] : [(await import('./web-source.ts')).webSource(run)];
}

async function openAgents(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const { agents = {}, allow = [] } = run.config.a2a ?? {};
  const named = Object.keys(agents).length > 0 || allow.length > 0;
  return named ? [(await import('./a2a-source.ts')).a2aSource(run)] : [];
}

async function openPython(run: ExternalRun): Promise<readonly ExternalSource[]> {
  // What runs code of strangers in native code has a sandbox around it, or is not there.
  const found = run.sandboxed ? findMonty() : null;
  return found === null ? [] : [(await import('./python-source.ts')).pythonSource(run, found)];
}

async function openSemanticSearch(run: ExternalRun): Promise<readonly ExternalSource[]> {
  const model = run.config.tools?.semanticSearch?.model;
  return model === undefined ? [] : [(await import('./semantic-source.ts')).semanticSource(run, model)];
}

/** The first request waits so long for tools, in milliseconds; of those that come later the model is told between turns. */
const patienceMs = 2_000;

/** What others bring to a run. */
export interface BroughtTools {
  /** Null where the configuration names nothing. */
  readonly tools: LoadingTools | null;
  /** For the first message of the run, or of a child with another profile. */
  readonly first: (child?: Profile) => Promise<string | null>;
  /** For the turns of the run. */
  readonly notes: readonly TurnNote[];
  /** Starts what a skill brings, and says of it; null where no skill may bring anything. */
  readonly bring: SkillServers['bring'] | null;
  close(): Promise<void>;
}

const nothing: BroughtTools = {
  tools: null,
  first: async () => null,
  notes: [],
  bring: null,
  close: async () => undefined,
};

/** The tools that others bring to a run with this profile. They begin to load at once; nothing is waited for. */
export async function openExternalTools(
  run: ExternalRun,
  profile: Profile,
  builtin: () => Promise<readonly Tool[]>,
): Promise<BroughtTools> {
  let ofFile: ReturnType<OpenServers> | null = null;
  const servers = () => {
    ofFile ??= import('./mcp-servers.ts').then(({ openWorkspaceServers }) => openWorkspaceServers(run));
    return ofFile;
  };
  const skills = await openSkillServers(run, servers);
  const opened = (await Promise.all(openers.map((open) => open(run, servers)))).flat();
  const sources = skills === null ? opened : [...opened, skills];
  if (sources.length === 0) return nothing;
  const [{ loadExternalTools }, { externalNote }] = await Promise.all([
    import('../../tools/registry/load-external-tools.ts'),
    import('../../agent/notes/external-note.ts'),
  ]);
  const seconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
  const tools = loadExternalTools(sources, {
    builtin,
    timeoutMs: seconds * 1_000,
    signal: run.signal,
    tell: run.warn,
  });
  const noteFor = (one: Profile): ExternalNote =>
    externalNote(tools, { builtin, profile: one, disabled: run.config.tools?.disabled ?? [] });
  const own = noteFor(profile);
  return {
    tools,
    first: (child) => (child === undefined ? own : noteFor(child)).first(patienceMs),
    notes: [own.later],
    bring: skills?.bring ?? null,
    close: () => tools.close(),
  };
}
