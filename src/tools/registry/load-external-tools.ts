import type { Tool } from '../tool.ts';
import { unlessAborted } from './unless-aborted.ts';

/** What a source has brought: tools, and what could not be one, each a sentence. */
export interface LoadedTools {
  readonly tools: readonly Tool[];
  readonly problems: readonly string[];
}

/** Where tools come from that are not built in: the toolbox, an MCP server, a plugin. */
export interface ExternalSource {
  /** What it is called in a sentence: `the toolbox`, `the MCP server github`. */
  readonly name: string;
  /** Asked once. What it rejects with is a problem of this source alone. */
  load(signal: AbortSignal): Promise<LoadedTools>;
  /** Has `changed` called with all its tools whenever they are others than before; left out, they stay as loaded. */
  watch?(changed: (loaded: LoadedTools) => void): void;
  /** Ends what it has started, also while it is loading. */
  close(): Promise<void>;
}

/** The tools of a run that are not built in, as far as they are there. */
export interface ExternalTools {
  /** In the order of their sources; another array after each change. */
  current(): readonly Tool[];
  /** What could not be loaded so far, each a sentence, in the order in which it was told. */
  problems(): readonly string[];
  /** Settles when every source has loaded or has failed; never rejects. */
  readonly loaded: Promise<void>;
  close(): Promise<void>;
}

/** The same for those who want to know of each source by itself when it has loaded or failed. */
export interface LoadingTools extends ExternalTools {
  readonly sources: readonly { readonly name: string; readonly loaded: Promise<void> }[];
}

/** So many tools one source may bring: each is looked at by every search. */
const mostOfOne = 256;

/** Of one source so many problems are told by themselves. */
const mostProblems = 20;

/**
 * Loads all sources side by side, each for `timeoutMs` milliseconds at most. A name that a built-in tool or an earlier source has is
 * refused. Whatever goes wrong is told in a sentence, once, and leaves the rest as it is.
 */
export function loadExternalTools(
  sources: readonly ExternalSource[],
  run: {
    /** The built-in tools, whose names are taken. */
    readonly builtin: () => Promise<readonly Tool[]>;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
    readonly tell: (problem: string) => void;
  },
): LoadingTools {
  const closing = new AbortController();
  const brought = sources.map((): LoadedTools => ({ tools: [], problems: [] }));
  const told = new Set<string>();
  let tools: readonly Tool[] = [];
  let builtin: readonly Tool[] = [];
  const tell = (problem: string) => {
    if (!told.has(problem)) run.tell(problem);
    told.add(problem);
  };
  const settle = (index: number, loaded: LoadedTools, name: string) => {
    if (closing.signal.aborted) return;
    const { problems } = loaded;
    for (const problem of problems.slice(0, mostProblems)) tell(problem);
    if (problems.length > mostProblems)
      tell(`${capital(name)} has ${problems.length - mostProblems} more problems.`);
    brought[index] = { ...loaded, tools: loaded.tools.slice(0, mostOfOne) };
    if (loaded.tools.length > mostOfOne)
      tell(`${capital(name)} has ${loaded.tools.length} tools; only the first ${mostOfOne} can be called.`);
    tools = join(sources, brought, builtin, tell);
  };
  const load = async (source: ExternalSource, index: number) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`not within ${run.timeoutMs / 1_000} s`)),
      run.timeoutMs,
    );
    const signal = AbortSignal.any([run.signal, closing.signal, late.signal]);
    try {
      source.watch?.((loaded) => settle(index, loaded, source.name));
      settle(index, await unlessAborted(source.load(signal), signal), source.name);
    } catch (error) {
      if (run.signal.aborted || closing.signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      tell(`${capital(source.name)} could not be loaded, so its tools are missing: ${why}.`);
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
    problems: () => [...told],
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

/** All tools in the order of their sources; of each name the first. */
function join(
  sources: readonly ExternalSource[],
  brought: readonly LoadedTools[],
  builtin: readonly Tool[],
  tell: (problem: string) => void,
): readonly Tool[] {
  const names = (tool: Tool) => [
    tool.name,
    tool.name.replaceAll('.', '_'),
    ...Object.keys(tool.aliases ?? {}),
  ];
  const taken = new Map(
    builtin.flatMap((tool) => names(tool).map((name) => [name.toLowerCase(), 'a built-in tool'])),
  );
  return brought.flatMap(({ tools }, index) =>
    tools.filter(({ name }) => {
      const by = taken.get(name.toLowerCase());
      const from = sources[index]?.name ?? '';
      if (by !== undefined)
        tell(`${capital(from)} has a tool ${name}, a name that ${by} has already; it is left out.`);
      else taken.set(name.toLowerCase(), `another tool of ${from}`);
      return by === undefined;
    }),
  );
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
