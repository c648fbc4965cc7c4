import type { Json } from '../../contract/json.ts';
import { append } from '../../contract/lists.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import type { Tool } from '../../tools/tool.ts';
import { type Connection, describeMcpFailure } from './connect.ts';
import type { McpServer } from './mcp-server.ts';
import { mcpTool, type ServerTerms } from './mcp-tool.ts';
import { promptTool } from './prompt-tool.ts';
import { readDeclaredMcpTool, readPage } from './read-declared.ts';
import { resourceTools } from './resource-tools.ts';

/** Bounds of a list, as a server may never end it. */
const mostPages = 100;
const mostTools = 1_000;

/** Maximum changes of a server's tools in a run; each reads everything again. */
const mostChanges = 50;

/** Milliseconds that a call waits for changed lists. */
const graceMs = 2_000;

/** Maximum characters; a model reads them once. */
const longestInstructions = 2_000;

/** Settings of the source for one server. */
export interface McpSourceOptions {
  readonly server: McpServer;
  readonly terms: Omit<ServerTerms, 'refreshed' | 'introduce'>;
  /** Filters on the server's own names of tools. */
  readonly tools: {
    readonly allow?: readonly string[] | undefined;
    readonly deny?: readonly string[] | undefined;
  };
  /** Time-out of each list request in seconds. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Closes its sandbox and connections. */
  readonly release: () => Promise<void>;
}

/** Opens the tools, resources and prompts of a server as a source that reports changes. */
export function openMcp(options: McpSourceOptions): ExternalSource {
  return new McpSource(options);
}

class McpSource implements ExternalSource {
  readonly name: string;
  readonly #options: McpSourceOptions;
  readonly #terms: ServerTerms;
  #changed: (loaded: LoadedTools) => void = () => undefined;
  #reading: Promise<void> | null = null;
  #stale = false;
  #changes = 0;
  #loaded = false;
  #last: LoadedTools = { tools: [], problems: [] };
  #instructions = '';
  #introduced = false;

  constructor(options: McpSourceOptions) {
    this.name = `the MCP server ${options.server.name}`;
    this.#options = options;
    this.#terms = {
      ...options.terms,
      refreshed: async () => {
        if (this.#reading !== null) await settledWithin(this.#reading, graceMs);
      },
      introduce: () => this.#introduce(),
    };
  }

  async load(signal: AbortSignal): Promise<LoadedTools> {
    this.#last = await this.#read(signal);
    this.#loaded = true;
    if (this.#stale) this.#refresh();
    return this.#last;
  }

  watch(listener: (loaded: LoadedTools) => void): void {
    this.#changed = listener;
    this.#options.server.onChange = (list) => {
      if (list !== 'tools' || this.#changes >= mostChanges) return;
      this.#changes += 1;
      this.#stale = true;
      if (this.#loaded) this.#refresh();
    };
  }

  async close(): Promise<void> {
    await this.#options.server.close();
    await this.#options.release();
  }

  #introduce(): string | null {
    if (this.#introduced || this.#instructions === '') return null;
    this.#introduced = true;
    return `[instructions of the MCP server ${this.#options.server.name}: ${this.#instructions}]`;
  }

  async #read(signal: AbortSignal): Promise<LoadedTools> {
    const { server, terms } = this.#options;
    const connection = await server.connection(signal);
    // The request below sees every change up to here.
    this.#stale = false;
    const start = visibleStart(connection.instructions.trim(), longestInstructions, terms.hide);
    this.#instructions = start.trim();
    return loadTools(this.#options, this.#terms, connection, signal);
  }

  #refresh(): void {
    this.#reading ??= this.#readAgain().finally(() => {
      this.#reading = null;
    });
  }

  async #readAgain(): Promise<void> {
    const { signal, server } = this.#options;
    while (this.#stale) {
      this.#stale = false;
      try {
        this.#last = await this.#read(signal);
        this.#changed(this.#last);
      } catch (error) {
        if (signal.aborted) return;
        const why = error instanceof Error ? error.message : String(error);
        // The earlier tools stay, and fail with a reason.
        const problem = `The MCP server ${server.name} has other tools, which cannot be read: ${why}.`;
        this.#changed({ tools: this.#last.tools, problems: [problem] });
      }
    }
  }
}

async function loadTools(
  options: McpSourceOptions,
  terms: ServerTerms,
  connection: Connection,
  signal: AbortSignal,
): Promise<LoadedTools> {
  const { server } = options;
  const allowed = nameMatcher(options.tools.allow ?? ['*']);
  const denied = nameMatcher(options.tools.deny ?? []);
  const has = (name: string) => allowed(name) && !denied(name) && !denied(name.toLowerCase());
  const entries = connection.capabilities.has('tools') ? await listTools(options, connection, signal) : [];
  const subject = `The MCP server ${server.name}`;
  const { tools, problems } = readTools(entries.slice(0, mostTools), server, terms, has);
  if (entries.length > mostTools)
    problems.unshift(`${subject} has ${entries.length} tools; only the first ${mostTools} are looked at.`);
  const more = [
    ...(connection.capabilities.has('resources') ? resourceTools(server, terms) : []),
    ...(connection.capabilities.has('prompts') ? [promptTool(server, terms)] : []),
  ].filter(({ name }) => has(name.slice(`mcp__${server.name}__`.length)));
  for (const tool of more) {
    // The server's own tool of the same name comes first.
    const key = tool.name.toLowerCase();
    if (!tools.has(key)) tools.set(key, { tool, given: tool.name });
  }
  return { tools: [...tools.values()].map(({ tool }) => tool), problems };
}

/** The entries of `tools/list`, over all pages up to the bounds. */
async function listTools(
  { timeoutSeconds, terms }: McpSourceOptions,
  connection: Connection,
  signal: AbortSignal,
): Promise<Json[]> {
  const entries: Json[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages && entries.length < mostTools; page += 1) {
    const params = cursor === null ? {} : { cursor };
    const result = await connection
      .request('tools/list', params, { signal, timeoutMs: timeoutSeconds * 1_000 })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw new Error(`it ${describeMcpFailure(error, timeoutSeconds, terms.hide)}`, { cause: error });
      });
    const { items, next } = readPage(result, 'tools');
    append(entries, items);
    if (next === null || next === cursor) break;
    cursor = next;
  }
  return entries;
}

/** The tools among some entries, by their names in small letters. */
function readTools(
  entries: readonly Json[],
  server: McpServer,
  terms: ServerTerms,
  has: (name: string) => boolean,
) {
  const tools = new Map<string, { readonly tool: Tool; readonly given: string }>();
  const problems: string[] = [];
  const subject = `The MCP server ${server.name}`;
  const quoted = (given: string) => JSON.stringify(visibleStart(given, 80, terms.hide));
  for (const entry of entries) {
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
    else
      problems.push(
        `${subject} has two tools whose name is ${terms.hide(declared.name)} here, ${quoted(other.given)} and ${quoted(declared.given)}; the second is left out.`,
      );
  }
  return { tools, problems };
}
