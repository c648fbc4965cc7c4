import { McpServerSettings } from '../../config/extension-settings.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { readWorkspaceServers } from '../../extensions/mcp/workspace-servers.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import { type ExternalRun, trustedTree } from './external-run.ts';
import { mcpSource, type NamedServer } from './mcp-source.ts';
import { unknownHolderProblems } from './program-environment.ts';

/** The usual file for the servers of a repository. */
const workspaceFile = '.mcp.json';

/** The servers of the repository's `.mcp.json`, shared by a run. */
export interface WorkspaceServers {
  /** The commit they come from. */
  readonly trusted: NamedServer['trusted'];
  /** Reads the servers once, without those whose name the configuration has. */
  readonly read: () => Promise<ReturnType<typeof namedServers>>;
}

/** Opens the servers of `.mcp.json` in the trusted commit; reads on demand. */
export function openWorkspaceServers(run: ExternalRun): WorkspaceServers {
  const trusted = trustedTree(run, 'mcp');
  let servers: ReturnType<WorkspaceServers['read']> | null = null;
  return {
    trusted,
    read() {
      servers ??= workspaceServers(run, trusted);
      return servers;
    },
  };
}

/**
 * The servers of the configuration and of the repository's `.mcp.json`, each a source of its own,
 * so that none waits for another. Only the file is waited for: a few milliseconds of git.
 */
export async function mcpSources(
  run: ExternalRun,
  { trusted, read }: WorkspaceServers = openWorkspaceServers(run),
): Promise<readonly ExternalSource[]> {
  const settings = run.config.mcp;
  const configured = Object.entries<McpServerSettings>(settings?.servers ?? {}).flatMap(
    ([name, server]): NamedServer[] => {
      if (server.enabled === false) return [];
      const folder = server.folder ?? null;
      const by = folder === null ? 'repository' : 'operator';
      const inApp = run.plan.source.kind === 'app';
      return [{ name, settings: server, by, folder, mayBePrivate: by === 'operator' || !inApp, trusted }];
    },
  );
  const { servers, problems } = await read().catch((error: unknown) => ({
    servers: [],
    problems: [
      `${workspaceFile} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    ],
  }));
  const ofFile = servers.map((one) => ({
    ...one,
    by: 'repository' as const,
    folder: null,
    mayBePrivate: false,
    trusted,
  }));
  const allProblems = [...problems, ...unknownServers(run, servers)];
  return [
    ...[...configured, ...ofFile].map((one) => mcpSource(run, one)),
    ...(allProblems.length === 0
      ? []
      : [
          {
            name: workspaceFile,
            load: async () => ({ tools: [], problems: allProblems }),
            close: async () => undefined,
          },
        ]),
  ];
}

/** Warnings about unknown servers in `env.pass`. None if skills may add servers later. */
function unknownServers(run: ExternalRun, ofFile: readonly { readonly name: string }[]): string[] {
  const { mcp, skills } = run.config;
  const later = (skills?.allowMCP ?? false) !== false || run.environment.ANODE_WORKSPACE_MCP === '1';
  if ((mcp?.workspace ?? false) === false || later) return [];
  const names = [...Object.keys(mcp?.servers ?? {}), ...ofFile.map(({ name }) => name)];
  return unknownHolderProblems(
    run,
    'mcp:',
    names.map((name) => `mcp:${name}`),
  );
}

async function workspaceServers(
  { environment, config: { mcp: settings } }: Pick<ExternalRun, 'environment' | 'config'>,
  trusted: NamedServer['trusted'],
): Promise<ReturnType<typeof namedServers>> {
  const wanted = environment.ANODE_WORKSPACE_MCP === '1' ? true : (settings?.workspace ?? false);
  const taken = new Set(Object.keys(settings?.servers ?? {}).map((name) => name.toLowerCase()));
  const tree = wanted === false ? null : await trusted();
  const text = (await tree?.read([workspaceFile]))?.get(workspaceFile)?.toString('utf8');
  if (text === undefined) return { servers: [], problems: [] };
  const read = readWorkspaceServers(text, workspaceFile);
  const isWanted = Array.isArray(wanted) ? nameMatcher(wanted) : () => true;
  const chosen = Object.entries(read.servers).filter(([name]) => isWanted(name));
  const named = namedServers(Object.fromEntries(chosen), workspaceFile, taken);
  return { servers: named.servers, problems: [...read.problems, ...named.problems] };
}

/**
 * Converts servers of a file to our settings, with names normalised. Names in `taken`, in small
 * letters, are omitted.
 */
export function namedServers(
  given: Readonly<Record<string, JsonObject>>,
  file: string,
  taken: ReadonlySet<string>,
): {
  readonly servers: readonly { readonly name: string; readonly settings: McpServerSettings }[];
  readonly problems: readonly string[];
} {
  const servers = new Map<string, McpServerSettings>();
  const problems: string[] = [];
  for (const [rawName, raw] of Object.entries(given)) {
    if (raw.disabled === true || raw.enabled === false) continue;
    const name = rawName
      .replaceAll(/[^A-Za-z0-9-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 40)
      .replace(/_+$/, '');
    const shown = `${file}: the MCP server ${JSON.stringify(rawName.slice(0, 80))}`;
    // The configuration's server of the same name wins.
    if (taken.has(name.toLowerCase())) continue;
    if (servers.has(name) || name === '') {
      problems.push(
        `${shown} has a name that ${name === '' ? 'is none' : 'another already has'}; it is left out.`,
      );
      continue;
    }
    const settings = settingsOf(raw);
    if ('problem' in settings) problems.push(`${shown} ${settings.problem}; it is left out.`);
    else servers.set(name, settings.settings);
  }
  return { servers: [...servers].map(([name, settings]) => ({ name, settings })), problems };
}

function settingsOf(
  raw: JsonObject,
): { readonly settings: McpServerSettings } | { readonly problem: string } {
  const { type, command, args, env, url, headers } = raw;
  if (type === 'sse' || type === 'ws')
    return { problem: `is reached by ${type}, which is not supported; "type": "http" is streamable HTTP` };
  const plain = isJsonObject(env)
    ? Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
    : undefined;
  const picked =
    url === undefined
      ? { command, ...(args == null ? {} : { args }), ...(plain === undefined ? {} : { env: plain }) }
      : { url, ...(headers == null ? {} : { headers }) };
  const parsed = McpServerSettings.safeParse(picked);
  if (parsed.success) return { settings: parsed.data };
  return { problem: 'needs a command with arguments, or an address that begins with http' };
}
