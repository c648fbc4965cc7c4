import { isJsonObject, type Json } from '../../contract/json.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/promise-limits.ts';
import { visibleLine, visibleStart } from '../../tools/text/visible-text.ts';
import { type DeclaredTool, readDeclaredTool } from '../protocol/declared-tool.ts';
import type { RequestLimits } from '../protocol/message-lines.ts';
import { PluginFailure } from './line-connection.ts';
import {
  type PluginEnvironment,
  type PluginProcess,
  type SupervisedPlugin,
  startPlugin,
  supervisePlugin,
} from './plugin-process.ts';
import { type PluginCalls, pluginTool } from './plugin-tool.ts';

/** Maximum warnings of one plug-in, and changes of its tools. */
const mostWarnings = 20;
const mostLists = 100;

/** Milliseconds that an answered call waits for changed tools. */
const longestListing = 1_000;

/** Settings and services of a plug-in. */
export interface PluginRun extends Omit<PluginCalls, 'call'> {
  /** Prepares what it runs in, at the first start. Rejects with `PluginFailure`. */
  readonly place: () => Promise<PluginEnvironment>;
  /** Warns the operator; a sentence. */
  readonly warn: (message: string) => void;
  /** Closes what `place` opened. */
  readonly close: () => Promise<void>;
}

/** Opens a plug-in as a source of tools. Loading starts its process, which runs until `close`. */
export function openPlugin(run: PluginRun): ExternalSource {
  return new PluginSource(run);
}

class PluginSource implements ExternalSource {
  readonly name: string;
  #changed: (loaded: LoadedTools) => void = () => undefined;
  readonly #run: PluginRun;
  readonly #closing = new AbortController();
  readonly #plugin: SupervisedPlugin;
  readonly #warned = new Set<string>();
  #place: Promise<PluginEnvironment> | null = null;
  #lists = 0;
  #listing: Promise<void> = Promise.resolve();

  constructor(run: PluginRun) {
    this.name = `the plug-in ${run.name}`;
    this.#run = run;
    const events = {
      notified: (method: string, params: Json) => this.#receive(method, params),
      broke: (problem: string) => this.#warn(problem),
    };
    this.#plugin = supervisePlugin(
      async (signal) => {
        this.#place ??= run.place();
        return startPlugin(await this.#place, events, signal);
      },
      () => {
        this.#warn('had ended and was started again');
        this.#relist();
      },
    );
  }

  async load(signal: AbortSignal): Promise<LoadedTools> {
    try {
      return await this.#list(await this.#plugin.running(signal), signal);
    } catch (error) {
      throw error instanceof PluginFailure ? new Error(`it ${this.#run.hide(endMessage(error))}`) : error;
    }
  }

  watch(listener: (loaded: LoadedTools) => void): void {
    this.#changed = listener;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the run has ended'));
    await this.#plugin.close();
    await this.#listing;
    await this.#run.close();
  }

  #sentence(clause: string): string {
    return `The plug-in ${this.#run.name} ${this.#run.hide(clause)}.`;
  }

  #warn(clause: string): void {
    if (this.#warned.size < mostWarnings && !this.#warned.has(clause)) this.#run.warn(this.#sentence(clause));
    this.#warned.add(clause);
  }

  async #list(process: PluginProcess, signal: AbortSignal): Promise<LoadedTools> {
    const timeoutMs = this.#run.timeoutSeconds * 1_000;
    const answer = await process.request('tools/list', {}, { timeoutMs, signal });
    const { tools, problems } = readToolList(answer, this.#run);
    const calls: PluginCalls = { ...this.#run, call: (params, limits) => this.#call(params, limits) };
    return {
      tools: tools.map((tool) => pluginTool(tool, calls)),
      problems: problems.map((problem) => this.#sentence(problem)),
    };
  }

  #relist(): void {
    this.#listing = this.#listing.then(() => this.#listAgain());
  }

  async #listAgain(): Promise<void> {
    this.#lists += 1;
    if (this.#lists === mostLists)
      this.#warn(`has changed its tools ${mostLists} times; they stay as they are now`);
    const { signal } = this.#closing;
    if (this.#lists >= mostLists || signal.aborted) return;
    try {
      const process = await this.#plugin.current();
      if (process !== null) this.#changed(await this.#list(process, signal));
    } catch (error) {
      if (error instanceof PluginFailure)
        this.#warn(`could not be asked again which tools it has: ${error.message}`);
      else if (!signal.aborted) throw error;
    }
  }

  #receive(method: string, params: Json): void {
    if (method === 'tools/changed') this.#relist();
    if (method !== 'log' || !isJsonObject(params)) return;
    const { level, message } = params;
    // Redaction takes time, so messages that are not passed on are not redacted.
    if (typeof message !== 'string' || this.#warned.size >= mostWarnings) return;
    if (level === 'warning' || level === 'error')
      this.#warn(`says: ${visibleLine(message, 500, this.#run.hide)}`);
  }

  async #call(params: Json, limits: RequestLimits): Promise<Json> {
    try {
      const process = await this.#plugin.running(limits.signal);
      const result = await process.request('tools/call', params, limits);
      // After a call that changes the tools, the model sees the new ones next.
      await settledWithin(this.#listing, longestListing);
      return result;
    } catch (error) {
      if (!(error instanceof PluginFailure)) throw error;
      if (error.kind === 'unknown') this.#relist();
      if (error.kind === 'ended' || error.kind === 'over') this.#warn(endMessage(error));
      if (error.kind !== 'ended' || this.#plugin.mayStart()) throw error;
      throw new PluginFailure('over', error.message, error.stderr);
    }
  }
}

/** The clause for the operator on an end, with the last output, which may name the cause. */
function endMessage({ message, stderr: said }: PluginFailure): string {
  return said === '' ? message : `${message} (it had printed: ${said.replaceAll(/\s+/g, ' ').slice(-500)})`;
}

/** Maximum tools of a plug-in. */
const mostTools = 256;

/**
 * Reads the answer to `tools/list`. Problems are clauses with the plug-in as their subject. `hide`
 * removes its secrets before texts are cut.
 */
export function readToolList(
  answer: Json,
  { name, hide }: { readonly name: string; readonly hide: (text: string) => string },
): { readonly tools: readonly DeclaredTool[]; readonly problems: readonly string[] } {
  const listed = isJsonObject(answer) ? answer.tools : undefined;
  if (!Array.isArray(listed))
    return { tools: [], problems: ['lists no tools: {tools: [...]} was to be its answer'] };
  const tools = new Map<string, DeclaredTool>();
  const problems: string[] = [];
  for (const [index, one] of listed.slice(0, mostTools).entries()) {
    const given =
      isJsonObject(one) && typeof one.name === 'string'
        ? JSON.stringify(visibleStart(one.name, 80, hide))
        : index + 1;
    const declared = readDeclaredTool(one, { prefix: `plugin__${name}__`, verb: 'is declared', hide });
    if ('problem' in declared) problems.push(`has a tool ${given} that ${declared.problem}; it is left out`);
    else if (tools.has(declared.name))
      problems.push(`has two tools ${declared.name}; the second is left out`);
    else tools.set(declared.name, declared);
  }
  if (listed.length > mostTools)
    problems.push(`lists ${listed.length} tools; the first ${mostTools} are looked at`);
  return { tools: [...tools.values()], problems };
}
