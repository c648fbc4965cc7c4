import path from 'node:path';
import { defaultExternalTimeout } from '../../config/defaults.ts';
import { isJsonObject, type Json } from '../../contract/json.ts';
import { readWorkspaceServers } from '../../extensions/mcp/workspace-servers.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import { type Skill, skillKey } from '../../tools/services/skill-entry.ts';
import { skillFilter } from '../../tools/skills/find-skill.ts';
import { skillText } from '../../tools/skills/skill-text.ts';
import { frontMatter } from '../../tools/text/front-matter.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import type { ExternalRun } from './external-run.ts';
import { namedServers, openWorkspaceServers, type WorkspaceServers } from './mcp-servers.ts';
import { mcpSource } from './mcp-source.ts';

/** The servers of skills: a source that is empty until a skill is used. */
export interface SkillServers extends ExternalSource {
  /** Starts the servers of a skill, once. Returns a text for the model; null without servers. */
  startPrograms(skill: Skill): Promise<string | null>;
}

/** Files of a skill's folder with servers; the first counts. */
const files = ['mcp.json', '.mcp.json'];

/** Creates the source of the skills' servers that `skills.allowMCP` allows. */
export function skillServers(
  run: ExternalRun,
  ofFile: Pick<WorkspaceServers, 'read'> = openWorkspaceServers(run),
): SkillServers {
  const setting = run.environment.ANODE_WORKSPACE_MCP === '1' ? true : (run.config.skills?.allowMCP ?? false);
  const isAllowed = Array.isArray(setting)
    ? skillFilter([{ visible: setting.length === 0 ? [''] : setting }])
    : () => setting === true;
  const taken = new Set(Object.keys(run.config.mcp?.servers ?? {}).map((name) => name.toLowerCase()));
  const started = new Map<string, Promise<string | null>>();
  const sources = new Map<ExternalSource, LoadedTools>();
  let changed: (loaded: LoadedTools) => void = () => undefined;
  let closed = false;
  const publish = () =>
    changed({
      tools: [...sources.values()].flatMap(({ tools }) => tools),
      problems: [...sources.values()].flatMap(({ problems }) => problems),
    });
  const start = async (skill: Skill): Promise<string | null> => {
    const found = await declared(skill);
    if (found === null || closed) return null;
    if (!isAllowed(skill.name))
      return `It brings MCP servers (${Object.keys(found.servers).join(', ').slice(0, 500)}), which this run does not start: skills.allowMCP does not name it.`;
    // Variables and rules of a name belong to the server that had it first.
    const { servers: first } = await ofFile.read().catch(() => ({ servers: [] }));
    for (const { name } of first) taken.add(name.toLowerCase());
    // If the run has ended in the meantime, no one would stop the server.
    if (closed) return null;
    const { servers, problems } = namedServers(found.servers, found.file, taken);
    for (const problem of [...found.problems, ...problems]) run.warn(problem);
    const trusted = async () => below(skill.tree, skill.folder ?? '');
    const by = skill.source === 'user' ? ('operator' as const) : ('repository' as const);
    const reports = await Promise.all(
      servers.map(({ name, settings }) => {
        taken.add(name.toLowerCase());
        const source = mcpSource(run, {
          ...{ name, settings, by, folder: null, mayBePrivate: false, trusted },
        });
        const update = (loaded: LoadedTools) => {
          sources.set(source, loaded);
          publish();
        };
        sources.set(source, { tools: [], problems: [] });
        source.watch?.(update);
        return loadServer(run, `${name} of the skill ${skill.name}`, source, update).then((loaded) =>
          typeof loaded === 'string' ? loaded : startedText(name, loaded),
        );
      }),
    );
    return reports.length === 0 ? null : reports.join('\n');
  };
  return {
    name: 'the MCP servers of skills',
    load: async () => ({ tools: [], problems: [] }),
    watch(listener) {
      changed = listener;
    },
    startPrograms(skill) {
      const key = `${skill.source} ${skillKey(skill.name)}`;
      const known =
        started.get(key) ??
        start(skill).catch((error: unknown) => {
          started.delete(key);
          throw error;
        });
      started.set(key, known);
      return known;
    },
    async close() {
      closed = true;
      await Promise.allSettled([...sources.keys()].map((source) => source.close()));
    },
  };
}

/** Loads the tools of a server. Returns the problem as a sentence if it cannot be started. */
async function loadServer(
  run: ExternalRun,
  name: string,
  source: ExternalSource,
  update: (loaded: LoadedTools) => void,
): Promise<LoadedTools | string> {
  const seconds = run.config.tools?.externalTimeout ?? defaultExternalTimeout;
  try {
    const loaded = await source.load(AbortSignal.any([run.signal, AbortSignal.timeout(seconds * 1_000)]));
    update(loaded);
    return loaded;
  } catch (error) {
    run.signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    const problem = `The MCP server ${name} could not be started: ${why}.`;
    update({ tools: [], problems: [problem] });
    return problem;
  }
}

function startedText(name: string, { tools }: LoadedTools): string {
  const names = tools.map((tool) => tool.name).join(', ');
  return `The MCP server ${name} is started for it: ${names.slice(0, 1_500)}.`;
}

/** The servers of a skill, in a file of its folder or in its front matter; null for none. */
async function declared(
  skill: Skill,
): Promise<(ReturnType<typeof readWorkspaceServers> & { readonly file: string }) | null> {
  const { tree, folder } = skill;
  if (folder !== null) {
    const paths = files.map((file) => path.posix.join(folder, file));
    const read = await tree.read(paths);
    const file = paths.find((one) => read.has(one));
    const text = file === undefined ? undefined : read.get(file)?.toString('utf8');
    if (file !== undefined && text !== undefined) return { ...readWorkspaceServers(text, file), file };
  }
  const { fields } = frontMatter((await skillText(skill)).text);
  const named = (fields?.mcpServers ?? fields?.['mcp-servers'] ?? fields?.mcp) as Json | undefined;
  if (!isJsonObject(named)) return null;
  return {
    ...readWorkspaceServers(JSON.stringify({ mcpServers: named }), skill.location),
    file: skill.location,
  };
}

/** The files of a skill by their paths in its folder. */
function below(tree: TrustedTree, folder: string): TrustedTree {
  const inside = (name: string) => path.posix.join(folder, name === '.' ? '' : name);
  const start = folder === '' ? 0 : folder.length + 1;
  return {
    below: async (name, depth, most) =>
      (await tree.below(inside(name).replace(/\/$/, ''), depth, most)).map((file) => ({
        ...file,
        path: file.path.slice(start),
      })),
    read: async (names) => {
      const read = await tree.read(names.map(inside));
      return new Map([...read].map(([name, bytes]) => [name.slice(start), bytes]));
    },
  };
}
