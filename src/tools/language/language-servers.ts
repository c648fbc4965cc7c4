import { posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { CommandRunner } from '../../permissions/sandbox/command-runner.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { unlessAborted } from '../external/unless-aborted.ts';
import { type FoundServer, findServerFor, rootFor, type ServerPlaces } from './find-servers.ts';
import type { LanguageServer } from './language-server.ts';
import { type OpenDocuments, openDocuments } from './open-documents.ts';
import { ServerEnded } from './server-ended.ts';
import { type LanguageServerEntry, languageOf } from './server-table.ts';

/** What a call works with: a server that is up, and what it has open. */
export interface ServerInUse {
  readonly server: LanguageServer;
  readonly documents: OpenDocuments;
  /** True where it hands requests on to TypeScript's own server. */
  readonly tsserver: boolean;
}

/** What a call gives: where it is, and what ends it. */
export interface LanguageCall {
  readonly workspace: Pick<Workspace, 'root' | 'files' | 'changes'>;
  readonly signal: AbortSignal;
}

/** The language servers of a run. None is started before it is asked for. */
export interface LanguageServers {
  /**
   * Works with the server of a file, starting it where need be. A server that ended in the middle is started once more, and `work`
   * done again. Throws `ToolError` in words where there is none, or none that stays up.
   */
  withServer<Result>(
    file: string,
    call: LanguageCall,
    work: (used: ServerInUse) => Promise<Result>,
  ): Promise<Result>;
  /** The same for files that have the same server. */
  keyOf(file: string, call: LanguageCall): Promise<string>;
  /** Whether a file has a server, as far as its name tells. */
  knows(file: string): boolean;
  /** Files whose servers are asked about the whole workspace: those of servers that run, else one of each that was found. */
  samples(): readonly string[];
  close(): Promise<void>;
}

/** What the servers of a run are made from. */
export interface LanguageRun {
  /** Those that may be asked, in order. */
  readonly entries: readonly LanguageServerEntry[];
  readonly places: Omit<ServerPlaces, 'files' | 'root'>;
  /** A runner for one server: the workspace for reading only, no network, a sandbox of its own. */
  readonly runnerFor: (name: string, program: string) => Promise<CommandRunner>;
  /** Variables that a server is given besides its own. */
  readonly variablesFor: (name: string) => Readonly<Record<string, string>>;
  /** A file of each kind that was found in the checkout, to ask about the whole of it. */
  readonly sampleFiles: () => readonly string[];
  /** After so many milliseconds without a call a server is stopped. */
  readonly idleMs: number;
  /** How long a server has to come up, in milliseconds. */
  readonly startMs: number;
  /** Calls back after so many milliseconds, unless what is returned is called first. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
  /** Told of each server that ended by itself, in a sentence. */
  readonly tell: (problem: string) => void;
}

/** One server for one folder, as long as the run has use for it. */
interface Kept {
  readonly found: FoundServer;
  readonly root: string;
  readonly runner: Promise<CommandRunner>;
  up: Promise<ServerInUse> | null;
  /** How often it ended by itself, and why the last time. */
  deaths: number;
  why: string;
  calls: number;
  cancelIdle: () => void;
  file: string;
}

/** So many run side by side; each may take hundreds of MiB. */
const mostAtOnce = 6;
/** A server is started so often. */
const mostStarts = 2;

export function createLanguageServers(run: LanguageRun): LanguageServers {
  const kept = new Map<string, Kept>();
  const stops = new Set<Promise<void>>();
  const closing = new AbortController();

  const stop = (one: Kept) => {
    one.cancelIdle();
    const { up } = one;
    one.up = null;
    if (up === null) return;
    const stopped = up.then(({ server }) => server.stop()).catch(() => undefined);
    stops.add(stopped);
    void stopped.then(() => stops.delete(stopped));
  };

  /** The server of a file and the folder that it works on; null where there is none. */
  async function lookUp(file: string, { workspace }: LanguageCall) {
    const places = { ...run.places, root: workspace.root, files: workspace.files };
    const found = await findServerFor(file, run.entries, places);
    if (found === null) return null;
    const root = await rootFor(file, found.entry, places);
    return { found, root, key: `${found.entry.name}\0${root}` };
  }

  async function keptFor(file: string, call: LanguageCall): Promise<Kept> {
    const looked = await lookUp(file, call);
    if (looked === null) throw noServer(file, run);
    const { found, root, key } = looked;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const one: Kept = {
      found,
      root,
      runner: run.runnerFor(
        kept.size === 0 ? 'language-server' : `language-server-${kept.size + 1}`,
        found.words[0],
      ),
      up: null,
      deaths: 0,
      why: '',
      calls: 0,
      cancelIdle: () => undefined,
      file,
    };
    one.runner.catch(() => undefined);
    kept.set(key, one);
    return one;
  }

  /** Makes room for one more: the one that was used longest ago goes, if it has nothing to do. */
  function makeRoom() {
    const running = [...kept.values()].filter(({ up }) => up !== null);
    const idle = running.find(({ calls }) => calls === 0);
    if (running.length >= mostAtOnce && idle !== undefined) stop(idle);
  }

  async function start(one: Kept, call: LanguageCall): Promise<ServerInUse> {
    const { entry, words } = one.found;
    const changed = call.workspace.changes.changedPaths.length;
    const { startLanguageServer } = await import('./language-server.ts');
    const server = await startLanguageServer(
      {
        name: entry.name,
        runner: await one.runner,
        words,
        env: { ...entry.env, ...run.variablesFor(entry.name) },
        folder: posix.join(call.workspace.root, one.root),
        settings: entry.settings ?? {},
        initializationOptions: entry.initializationOptions,
        startMs: run.startMs,
      },
      // Not the call's: others may wait for it, and a later one finds it up.
      closing.signal,
    );
    return {
      server,
      documents: openDocuments(server, (path) => languageOf(path, entry) ?? 'plaintext', changed),
      tsserver: entry.tsserver === true,
    };
  }

  const died = (one: Kept, why: string) => {
    one.deaths += 1;
    one.why = why;
    // One that never answered costs a minute each time.
    if (/^did not answer within/.test(why)) one.deaths = mostStarts;
    const next = one.deaths < mostStarts ? 'it is started once more' : 'it is not started again in this run';
    if (!closing.signal.aborted) run.tell(`The language server ${one.found.entry.name} ${why}; ${next}.`);
  };

  async function up(one: Kept, call: LanguageCall): Promise<ServerInUse> {
    const { entry } = one.found;
    if (one.up === null) {
      if (one.deaths >= mostStarts) throw gone(entry.name, one.why);
      makeRoom();
      const started = start(one, call);
      one.up = started;
      started.catch((error: unknown) => {
        if (one.up === started) one.up = null;
        if (!(error instanceof ServerEnded)) return;
        died(one, error.message);
      });
      return started;
    }
    return one.up;
  }

  return {
    // That there is none is told where it is asked, once for each kind of file.
    keyOf: async (file, call) => (await lookUp(file, call))?.key ?? `\0${posix.extname(file)}`,
    knows: (file) => run.entries.some((entry) => languageOf(file, entry) !== null),
    samples() {
      const running = [...kept.values()].filter((one) => one.up !== null);
      return running.length > 0 ? running.map(({ file }) => file) : run.sampleFiles();
    },
    async withServer(file, call, work) {
      if (closing.signal.aborted)
        throw new ToolError('unavailable', 'The run is ending, and its language servers with it.');
      const one = await keptFor(file, call);
      one.cancelIdle();
      one.calls += 1;
      try {
        for (;;) {
          const opened = up(one, call);
          let used: ServerInUse | null = null;
          try {
            used = await unlessAborted(opened, call.signal);
            return await work(used);
          } catch (error) {
            if (!(error instanceof ServerEnded) || call.signal.aborted) throw error;
            // Several calls may have seen the same end.
            if (used !== null && one.up !== null && (await one.up.catch(() => null)) === used) {
              one.up = null;
              died(one, error.message);
            }
            if (closing.signal.aborted || one.deaths >= mostStarts)
              throw gone(one.found.entry.name, error.message);
          }
        }
      } finally {
        one.calls -= 1;
        if (one.calls === 0 && !closing.signal.aborted)
          one.cancelIdle = run.after(run.idleMs, () => stop(one));
      }
    },
    async close() {
      closing.abort(new Error('the run has ended'));
      for (const one of kept.values()) {
        one.cancelIdle();
        // Not asked nicely: nothing of it is needed any more.
        one.up = null;
      }
      await Promise.allSettled([...kept.values()].map(async ({ runner }) => (await runner).close()));
      await Promise.allSettled(stops);
    },
  };
}

function gone(name: string, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language server ${name} is not there any more: it ${why.replace(/\.+$/, '')}. It is not started again in this run; use code_search and grep.`,
  );
}

function noServer(file: string, { entries, places }: LanguageRun): ToolError {
  const named = entries.filter((entry) => languageOf(file, entry) !== null);
  if (named.length === 0)
    return new ToolError('invalid_input', `No language server reads ${file}. Use code_search and grep.`);
  const names = named.map(({ name }) => name).join(', ');
  const held = !places.checkout && named.some(({ runsCheckout }) => runsCheckout);
  return new ToolError(
    'unavailable',
    `No language server for ${file} is there: ${names} ${named.length === 1 ? 'is' : 'are'} not installed${held ? ', or may not run here, as code of the checkout could have it run programs' : ''}. Use code_search and grep.`,
  );
}
