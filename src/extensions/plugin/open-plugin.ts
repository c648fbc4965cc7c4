import { isJsonObject, type Json } from '../../contract/json.ts';
import type { ExternalSource, LoadedTools } from '../../tools/registry/load-external-tools.ts';
import { settledWithin } from '../../tools/registry/settled-within.ts';
import { oneLine, visibleStart } from '../../tools/text/visible-text.ts';
import { type DeclaredTool, readDeclaredTool } from '../protocol/declared-tool.ts';
import { PluginFailure } from './line-connection.ts';
import { type PluginPlace, type PluginProcess, startPlugin, supervisePlugin } from './plugin-process.ts';
import { type PluginCalls, pluginTool } from './plugin-tool.ts';

/** What of one plug-in is passed on to the operator, and how often it may have other tools. */
const mostWarnings = 20;
const mostLists = 100;

/** Milliseconds that a call waits, once it is answered, for tools that have changed meanwhile. */
const longestListing = 1_000;

/** What a plug-in of a run is made from. */
export interface PluginRun extends Omit<PluginCalls, 'call'> {
  /** Where it runs; rejects with `PluginFailure` where it cannot. Asked for when it is first started. */
  readonly place: () => Promise<PluginPlace>;
  /** Tells the operator, in a sentence. */
  readonly warn: (message: string) => void;
  /** Ends what `place` has opened. */
  readonly close: () => Promise<void>;
}

/** A plug-in of a run as a source of tools. Its process is started when it is loaded, and kept until it is closed. */
export function openPlugin(run: PluginRun): ExternalSource {
  const closing = new AbortController();
  const sentence = (clause: string) => `The plug-in ${run.name} ${run.hide(clause)}.`;
  const told = new Set<string>();
  const warn = (clause: string) => {
    if (told.size < mostWarnings && !told.has(clause)) run.warn(sentence(clause));
    told.add(clause);
  };
  let changed: (loaded: LoadedTools) => void = () => undefined;
  let lists = 0;
  const list = async (process: PluginProcess, signal: AbortSignal): Promise<LoadedTools> => {
    const answer = await process.request('tools/list', {}, { timeoutMs: run.timeoutSeconds * 1_000, signal });
    const { tools, problems } = readToolList(answer, run);
    return {
      tools: tools.map((tool) => pluginTool(tool, { ...run, call })),
      problems: problems.map(sentence),
    };
  };
  const listAgain = async (): Promise<void> => {
    lists += 1;
    if (lists === mostLists) warn(`has changed its tools ${mostLists} times; they stay as they are now`);
    if (lists >= mostLists || closing.signal.aborted) return;
    try {
      const process = await plugin.current();
      if (process !== null) changed(await list(process, closing.signal));
    } catch (error) {
      if (error instanceof PluginFailure)
        warn(`could not be asked again which tools it has: ${error.message}`);
      else if (!closing.signal.aborted) throw error;
    }
  };
  let listing: Promise<void> = Promise.resolve();
  const relist = () => {
    listing = listing.then(listAgain);
  };
  const hear = (method: string, params: Json): void => {
    if (method === 'tools/changed') relist();
    if (method !== 'log' || !isJsonObject(params)) return;
    const { level, message } = params;
    // To look for secrets takes time, which is not for what nobody is told.
    if (typeof message !== 'string' || told.size >= mostWarnings) return;
    if (level === 'warning' || level === 'error') warn(`says: ${oneLine(message, 500, run.hide)}`);
  };
  let place: Promise<PluginPlace> | null = null;
  const plugin = supervisePlugin(
    async (signal) => {
      place ??= run.place();
      return startPlugin(await place, { notified: hear, broke: warn }, signal);
    },
    () => {
      warn('had ended and was started again');
      relist();
    },
  );
  const call: PluginCalls['call'] = async (params, limits) => {
    try {
      const process = await plugin.running(limits.signal);
      const result = await process.request('tools/call', params, limits);
      // A call that changes what there is should be followed by one of what there is then.
      await settledWithin(listing, longestListing);
      return result;
    } catch (error) {
      if (!(error instanceof PluginFailure)) throw error;
      if (error.kind === 'unknown') relist();
      if (error.kind === 'ended' || error.kind === 'over') warn(wordsOfEnd(error));
      if (error.kind !== 'ended' || plugin.mayStart()) throw error;
      throw new PluginFailure('over', error.message, error.said);
    }
  };
  return {
    name: `the plug-in ${run.name}`,
    async load(signal) {
      try {
        return await list(await plugin.running(signal), signal);
      } catch (error) {
        throw error instanceof PluginFailure ? new Error(`it ${run.hide(wordsOfEnd(error))}`) : error;
      }
    },
    watch(listener) {
      changed = listener;
    },
    async close() {
      closing.abort(new Error('the run has ended'));
      await plugin.close();
      await listing;
      await run.close();
    },
  };
}

/** What the operator is told of an end: the last that was printed may name the cause. */
function wordsOfEnd({ message, said }: PluginFailure): string {
  return said === '' ? message : `${message} (it had printed: ${said.replaceAll(/\s+/g, ' ').slice(-500)})`;
}

/** More of one plug-in's tools are not looked at. */
const mostTools = 256;

/**
 * Reads the answer to `tools/list`; what is no tool is a problem, a clause with the plug-in as its subject. `hide` takes out what the
 * plug-in was given, before its words are cut.
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
