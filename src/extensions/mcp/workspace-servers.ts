import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';

/** Servers in a file, unchecked, with problems as sentences. */
export interface DeclaredServers {
  readonly servers: Readonly<Record<string, JsonObject>>;
  readonly problems: readonly string[];
}

/** Maximum servers of one file. */
const mostServers = 50;

/**
 * Reads a file of servers, `{"mcpServers": {"<name>": {…}}}`; `servers`, or no key, works too. The
 * servers are not checked.
 */
export function readWorkspaceServers(text: string, file: string): DeclaredServers {
  const parsed = parseJson(text.replace(/^\ufeff/, '')) as Json | undefined;
  if (!isJsonObject(parsed))
    return { servers: {}, problems: [`${file} is no JSON object, so its MCP servers are left out.`] };
  const named = parsed.mcpServers ?? parsed.servers ?? parsed;
  if (!isJsonObject(named))
    return {
      servers: {},
      problems: [`${file} has no object mcpServers, so there are no MCP servers of its.`],
    };
  const entries = Object.entries(named);
  const good = entries.flatMap(([name, one]) => (isJsonObject(one) ? [[name, one] as const] : []));
  return {
    servers: Object.fromEntries(good.slice(0, mostServers)),
    problems: [
      ...entries
        .filter(([, one]) => !isJsonObject(one))
        .map(
          ([name]) =>
            `${file} names the MCP server ${JSON.stringify(name.slice(0, 80))} with a value that is no object; it is left out.`,
        ),
      ...(good.length > mostServers
        ? [`${file} names ${good.length} MCP servers; only the first ${mostServers} are started.`]
        : []),
    ],
  };
}
