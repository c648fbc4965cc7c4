import type { Json } from '../../contract/json.ts';
import { append } from '../../contract/lists.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/settled-within.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import type { Tool } from '../../tools/tool.ts';
import { type Connection, describeFailure } from './connect.ts';
import type { McpServer } from './mcp-server.ts';
import { mcpTool, type ServerTerms } from './mcp-tool.ts';
import { promptTool } from './prompt-tool.ts';
import { readDeclaredMcpTool, readPage } from './read-declared.ts';
import { resourceTools } from './resource-tools.ts';

/** What of a list is read: a server with more has no end of it. */
const mostPages = 100;
const mostTools = 1_000;

/** A server may change its tools so often in one run: each time everything is read anew. */
const mostChanges = 50;

/** Milliseconds that a call waits for what has changed to be read. */
const patienceMs = 2_000;

/** In characters; a model reads them once. */
const longestInstructions = 2_000;

/** How the tools of one server become a source. */
export interface McpSourceOptions {
  readonly server: McpServer;
  readonly terms: Omit<ServerTerms, 'settled' | 'introduce'>;
  /** Which tools there are, by the names that the server gives them. */
  readonly tools: {
    readonly allow?: readonly string[] | undefined;
    readonly deny?: readonly string[] | undefined;
  };
  /** Seconds for each request of a list. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Ends what was opened beside the server: its sandbox, connections. */
  readonly release: () => Promise<void>;
}

/** The tools of a server, its resources and its prompts, as a source that tells when they have changed. */
export function openMcp(options: McpSourceOptions): ExternalSource {
  const { server } = options;
  const { hide } = options.terms;
  let changed: (loaded: LoadedTools) => void = () => undefined;
  let reading: Promise<void> | null = null;
  let stale = false;
  let changes = 0;
  let loaded = false;
  let last: LoadedTools = { tools: [], problems: [] };
  let instructions = '';
  let introduced = false;
  const terms: ServerTerms = {
    ...options.terms,
    async settled() {
      if (reading !== null) await settledWithin(reading, patienceMs);
    },
    introduce() {
      if (introduced || instructions === '') return null;
      introduced = true;
      return `[what the MCP server ${server.name} says of its use: ${instructions}]`;
    },
  };
  const load = async (signal: AbortSignal) => {
    const connection = await server.connection(signal);
    // What it told until here is in what it is asked now.
    stale = false;
    instructions = visibleStart(connection.instructions.trim(), longestInstructions, hide).trim();
    return loadTools(options, terms, connection, signal);
  };
  const readAgain = async () => {
    while (stale) {
      stale = false;
      try {
        last = await load(options.signal);
        changed(last);
      } catch (error) {
        if (options.signal.aborted) return;
        const why = error instanceof Error ? error.message : String(error);
        // What there was stays, and fails in words.
        changed({
          tools: last.tools,
          problems: [`The MCP server ${server.name} has other tools, which cannot be read: ${why}.`],
        });
      }
    }
  };
  const refresh = () => {
    reading ??= readAgain().finally(() => {
      reading = null;
    });
  };
  return {
    name: `the MCP server ${server.name}`,
    async load(signal) {
      last = await load(signal);
      loaded = true;
      if (stale) refresh();
      return last;
    },
    watch(listener) {
      changed = listener;
      server.onChange = (list) => {
        if (list !== 'tools' || changes >= mostChanges) return;
        changes += 1;
        stale = true;
        if (loaded) refresh();
      };
    },
    async close() {
      await server.close();
      await options.release();
    },
  };
}

async function loadTools(
  options: McpSourceOptions,
  terms: ServerTerms,
  connection: Connection,
  signal: AbortSignal,
): Promise<LoadedTools> {
  const { server } = options;
  const [allowed, denied] = [
    nameMatcher(options.tools.allow ?? ['*']),
    nameMatcher(options.tools.deny ?? []),
  ];
  const has = (name: string) => allowed(name) && !denied(name) && !denied(name.toLowerCase());
  const problems: string[] = [];
  const tools = new Map<string, { readonly tool: Tool; readonly given: string }>();
  const subject = `The MCP server ${server.name}`;
  const entries: Json[] = [];
  if (connection.capabilities.has('tools')) {
    let cursor: string | null = null;
    for (let page = 0; page < mostPages && entries.length < mostTools; page += 1) {
      const params = cursor === null ? {} : { cursor };
      const result = await connection
        .request('tools/list', params, { signal, timeoutMs: options.timeoutSeconds * 1_000 })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          throw new Error(`it ${describeFailure(error, options.timeoutSeconds, terms.hide)}`, {
            cause: error,
          });
        });
      const { items, next } = readPage(result, 'tools');
      append(entries, items);
      if (next === null || next === cursor) break;
      cursor = next;
    }
  }
  if (entries.length > mostTools)
    problems.push(`${subject} has ${entries.length} tools; only the first ${mostTools} are looked at.`);
  for (const entry of entries.slice(0, mostTools)) {
    const declared = readDeclaredMcpTool(server.name, entry, terms.hide);
    if ('problem' in declared) {
      problems.push(`${subject} ${declared.problem}; it is left out.`);
      continue;
    }
    if (!has(declared.given)) continue;
    const key = declared.name.toLowerCase();
    const other = tools.get(key);
    if (other === undefined)
      tools.set(key, { tool: mcpTool(server, declared, terms), given: declared.given });
    else {
      const [one, two] = [other.given, declared.given].map((given) =>
        JSON.stringify(visibleStart(given, 80, terms.hide)),
      );
      problems.push(
        `${subject} has two tools whose name is ${terms.hide(declared.name)} here, ${one} and ${two}; the second is left out.`,
      );
    }
  }
  const more = [
    ...(connection.capabilities.has('resources') ? resourceTools(server, terms) : []),
    ...(connection.capabilities.has('prompts') ? [promptTool(server, terms)] : []),
  ].filter(({ name }) => has(name.slice(`mcp__${server.name}__`.length)));
  for (const tool of more) {
    // A tool of the server's own that is called like one of ours does what it says itself.
    if (!tools.has(tool.name.toLowerCase())) tools.set(tool.name.toLowerCase(), { tool, given: tool.name });
  }
  return { tools: [...tools.values()].map(({ tool }) => tool), problems };
}
