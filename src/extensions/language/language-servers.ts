import { posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { unlessAborted } from '../../tools/registry/unless-aborted.ts';
import { type LookedUp, lookUpServer, type ServerPlaces, serverKeys } from './find-servers.ts';
import type { LanguageCall, LanguageRun, LanguageServers, ServerInUse } from './language-run.ts';
import { openDocuments } from './open-documents.ts';
import { ServerEnded } from './server-ended.ts';
import { languageOf } from './server-entry.ts';

/** One server for one folder, as long as the run has use for it. */
interface Kept extends LookedUp {
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

/**
 * The language servers of a run. Each folder that a server works on has one of its own; of more than six, the one that was used longest
 * ago is stopped where it has nothing to do.
 */
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

  const placesIn = ({ root, files }: LanguageCall['workspace']): ServerPlaces => ({
    ...run.places,
    root,
    files,
  });

  async function keptFor(file: string, call: LanguageCall): Promise<Kept> {
    const looked = await lookUpServer(file, run.entries, placesIn(call.workspace));
    if (looked === null) throw noServer(file, run);
    const { found, key } = looked;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const one: Kept = {
      ...looked,
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
      key: one.key,
      reads: (path) => languageOf(path, entry) !== null,
      tsserver: entry.tsserver === true,
      indexesAll: entry.indexesAll === true,
    };
  }

  const died = (one: Kept, { message: why, silent }: ServerEnded) => {
    // One that never answered costs a minute each time.
    one.deaths = silent ? mostStarts : one.deaths + 1;
    one.why = why;
    const next = one.deaths < mostStarts ? 'it is started once more' : 'it is not started again in this run';
    if (!closing.signal.aborted) run.tell(`The language server ${one.found.entry.name} ${why}; ${next}.`);
  };

  /** The same promise for all calls, until its server has ended. */
  function up(one: Kept, call: LanguageCall): Promise<ServerInUse> {
    if (one.up !== null) return one.up;
    if (one.deaths >= mostStarts) throw gone(one.found.entry.name, one.why);
    makeRoom();
    const started = start(one, call);
    one.up = started;
    started.catch((error: unknown) => {
      if (one.up === started) one.up = null;
      if (error instanceof ServerEnded) died(one, error);
    });
    return started;
  }

  return {
    keysOf: (files, { workspace }) => serverKeys(files, run.entries, placesIn(workspace)),
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
          try {
            return await work(await unlessAborted(opened, call.signal));
          } catch (error) {
            if (!(error instanceof ServerEnded) || call.signal.aborted) throw error;
            // Several calls may have seen the same end: the first one counts it, before another has it started again.
            if (one.up === opened) {
              one.up = null;
              died(one, error);
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

/** One that ended too often. */
export function gone(name: string, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language server ${name} is not there any more: it ${why.replace(/\.+$/, '')}. It is not started again in this run; use code_search and grep.`,
  );
}

/** Why a file has no server: none reads it, or none is installed, or may run. */
export function noServer(
  file: string,
  { entries, places }: Pick<LanguageRun, 'entries' | 'places'>,
): ToolError {
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
