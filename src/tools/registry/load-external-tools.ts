import type { Tool } from '../tool.ts';
import { unlessAborted } from './promise-limits.ts';

/** The tools of a source, and a sentence for each unusable one. */
export interface LoadedTools {
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
}

/** A source of tools that are not built in: the toolbox, an MCP server, a plugin. */
export interface ExternalSource {
  /** Its name in a sentence: `the toolbox`, `the MCP server github`. */
  readonly name: string;
  /** Called once. A rejection is a problem of this source alone. */
  load(signal: AbortSignal): Promise<LoadedTools>;
  /** Calls `changed` with all tools after each change. Default: they stay as loaded. */
  watch?(changed: (loaded: LoadedTools) => void): void;
  /** Ends what it has started, also while it is loading. */
  close(): Promise<void>;
}

/** The loaded tools of a run that are not built in. */
export interface ExternalTools {
  /** Returns them in the order of their sources; a new array after each change. */
  current(): readonly Tool[];
  /** Returns a sentence for each failure so far, in order. */
  problems(): readonly string[];
  /** Resolves when every source has loaded or failed; never rejects. */
  readonly loaded: Promise<void>;
  close(): Promise<void>;
}

/** The same, with the loading state of each source. */
export interface LoadingTools extends ExternalTools {
  readonly sources: readonly { readonly name: string; readonly loaded: Promise<void> }[];
}

/** Maximum tools of one source, as every search reads each. */
const mostOfOne = 256;

/** Maximum problems of one source reported one by one. */
const mostProblems = 20;

/**
 * Loads all sources in parallel, each for at most `timeoutMs` milliseconds. A name of a built-in
 * tool or an earlier source is refused. Each failure is reported once, as a sentence, and affects
 * nothing else.
 */
export function loadExternalTools(
  sources: readonly ExternalSource[],
  run: {
    /** The built-in tools, whose names are taken. */
    readonly builtin: () => Promise<readonly Tool[]>;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly report: (problem: string) => void;
  },
): LoadingTools {
  const closing = new AbortController();
  const loadedTools = sources.map((): LoadedTools => ({ tools: [], problems: [] }));
  const reported = new Set<string>();
  let tools: readonly Tool[] = [];
  let builtin: readonly Tool[] = [];
  const report = (problem: string) => {
    if (!reported.has(problem)) run.report(problem);
    reported.add(problem);
  };
  const addLoaded = (index: number, loaded: LoadedTools, name: string) => {
    if (closing.signal.aborted) return;
    const { problems } = loaded;
    for (const problem of problems.slice(0, mostProblems)) report(problem);
    if (problems.length > mostProblems)
      report(`${capital(name)} has ${problems.length - mostProblems} more problems.`);
    loadedTools[index] = { ...loaded, tools: loaded.tools.slice(0, mostOfOne) };
    if (loaded.tools.length > mostOfOne)
      report(`${capital(name)} has ${loaded.tools.length} tools; only the first ${mostOfOne} can be called.`);
    tools = join(sources, loadedTools, builtin, report);
  };
  const load = async (source: ExternalSource, index: number) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`not within ${run.timeoutMs / 1_000} s`)),
      run.timeoutMs,
    );
    const signal = AbortSignal.any([run.signal, closing.signal, late.signal]);
    try {
      source.watch?.((loaded) => addLoaded(index, loaded, source.name));
      addLoaded(index, await unlessAborted(source.load(signal), signal), source.name);
    } catch (error) {
      if (run.signal.aborted || closing.signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      report(`${capital(source.name)} could not be loaded, so its tools are missing: ${why}.`);
    } finally {
      clearTimeout(timer);
    }
  };
  const known = run.builtin().then((all) => {
    builtin = all;
  });
  const parts = sources.map((source, index) => ({
    name: source.name,
    loaded: known.then(() => load(source, index)),
  }));
  const loaded = Promise.all(parts.map((part) => part.loaded)).then(() => undefined);
  return {
    current: () => tools,
    problems: () => [...reported],
    loaded,
    sources: parts,
    async close() {
      if (closing.signal.aborted) return loaded;
      closing.abort(new Error('the run has ended'));
      await Promise.allSettled(sources.map((source) => source.close()));
      await loaded;
    },
  };
}

/** Joins the tools in the order of their sources; the first of each name wins. */
function join(
  sources: readonly ExternalSource[],
  loadedTools: readonly LoadedTools[],
  builtin: readonly Tool[],
  report: (problem: string) => void,
): readonly Tool[] {
  const names = (tool: Tool) => [
    tool.name,
    tool.name.replaceAll('.', '_'),
    ...Object.keys(tool.aliases ?? {}),
  ];
  const taken = new Map(
    builtin.flatMap((tool) => names(tool).map((name) => [name.toLowerCase(), 'a built-in tool'])),
  );
  return loadedTools.flatMap(({ tools }, index) =>
    tools.filter(({ name }) => {
      const by = taken.get(name.toLowerCase());
      const from = sources[index]?.name ?? '';
      if (by !== undefined)
        report(`${capital(from)} has a tool ${name}, a name that ${by} already has; it is left out.`);
      else taken.set(name.toLowerCase(), `another tool of ${from}`);
      return by === undefined;
    }),
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
