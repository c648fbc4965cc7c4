import { posix } from 'node:path';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { unlessAborted } from '../../tools/registry/promise-limits.ts';
import { type LocatedServer, lookUpServer, type ServerLocations, serverKeys } from './find-servers.ts';
import type { LanguageCall, LanguageRun, LanguageServers, ServerInUse } from './language-run.ts';
import { OpenDocuments } from './open-documents.ts';
import { ServerEnded } from './server-ended.ts';
import { languageIdOf } from './server-entry.ts';

/** One server for one folder, as long as the run has use for it. */
interface OpenedServer extends LocatedServer {
  readonly runner: Promise<CommandRunner>;
  up: Promise<ServerInUse> | null;
  /** Unexpected ends, and the last reason. */
  deaths: number;
  why: string;
  calls: number;
  cancelIdle: () => void;
  file: string;
}

/** Maximum concurrent servers; each may use hundreds of MiB. */
const mostAtOnce = 6;
/** A server is started so often. */
const mostStarts = 2;

/**
 * The language servers of a run: one for each folder that a server works on. Above six, the idle
 * server that was used longest ago is stopped.
 */
export function createLanguageServers(run: LanguageRun): LanguageServers {
  return new RunServers(run);
}

class RunServers implements LanguageServers {
  readonly #run: LanguageRun;
  /** By key, the one that was used last at the end. */
  readonly #servers = new Map<string, OpenedServer>();
  readonly #stops = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(run: LanguageRun) {
    this.#run = run;
  }

  keysOf(files: readonly string[], { workspace }: LanguageCall): Promise<readonly string[]> {
    return serverKeys(files, this.#run.entries, this.#placesIn(workspace));
  }

  readonly knows = (file: string): boolean =>
    this.#run.entries.some((entry) => languageIdOf(file, entry) !== null);

  samples(): readonly string[] {
    const running = [...this.#servers.values()].filter((one) => one.up !== null);
    return running.length > 0 ? running.map(({ file }) => file) : this.#run.sampleFiles();
  }

  async withServer<Result>(
    file: string,
    call: LanguageCall,
    work: (used: ServerInUse) => Promise<Result>,
  ): Promise<Result> {
    if (this.#closing.signal.aborted)
      throw new ToolError('unavailable', 'The run is ending, and its language servers with it.');
    const one = await this.#openedFor(file, call);
    one.cancelIdle();
    one.calls += 1;
    try {
      for (;;) {
        const opened = this.#up(one, call);
        try {
          return await work(await unlessAborted(opened, call.signal));
        } catch (error) {
          if (!(error instanceof ServerEnded) || call.signal.aborted) throw error;
          this.#countEnd(one, opened, error);
        }
      }
    } finally {
      one.calls -= 1;
      if (one.calls === 0 && !this.#closing.signal.aborted)
        one.cancelIdle = this.#run.after(this.#run.idleMs, () => this.#stop(one));
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the run has ended'));
    for (const one of this.#servers.values()) {
      one.cancelIdle();
      // Killed rather than asked to end: no answer is needed.
      one.up = null;
    }
    const runners = [...this.#servers.values()].map(({ runner }) => runner);
    await Promise.allSettled(runners.map(async (runner) => (await runner).close()));
    await Promise.allSettled(this.#stops);
  }

  #placesIn({ root, files }: LanguageCall['workspace']): ServerLocations {
    return { ...this.#run.locations, root, files };
  }

  #stop(one: OpenedServer): void {
    one.cancelIdle();
    const { up } = one;
    one.up = null;
    if (up === null) return;
    const stopped = up.then(({ server }) => server.stop()).catch(() => undefined);
    this.#stops.add(stopped);
    void stopped.then(() => this.#stops.delete(stopped));
  }

  async #openedFor(file: string, call: LanguageCall): Promise<OpenedServer> {
    const located = await lookUpServer(file, this.#run.entries, this.#placesIn(call.workspace));
    if (located === null) throw noServer(file, this.#run);
    const { found, key } = located;
    const known = this.#servers.get(key);
    if (known !== undefined) {
      this.#servers.delete(key);
      this.#servers.set(key, known);
      return known;
    }
    const count = this.#servers.size + 1;
    const name = count === 1 ? 'language-server' : `language-server-${count}`;
    const runner = this.#run.runnerFor(name, found.argv[0]);
    runner.catch(() => undefined);
    const one = {
      ...located,
      runner,
      file,
      up: null,
      deaths: 0,
      why: '',
      calls: 0,
      cancelIdle: () => undefined,
    };
    this.#servers.set(key, one);
    return one;
  }

  /** Stops the idle server that was used longest ago, if too many run. */
  #stopIdle(): void {
    const running = [...this.#servers.values()].filter(({ up }) => up !== null);
    const idle = running.find(({ calls }) => calls === 0);
    if (running.length >= mostAtOnce && idle !== undefined) this.#stop(idle);
  }

  async #start(one: OpenedServer, { workspace }: LanguageCall): Promise<ServerInUse> {
    const { entry, argv } = one.found;
    const changed = workspace.changes.changedPaths.length;
    const { startLanguageServer } = await import('./language-server.ts');
    const server = await startLanguageServer(
      {
        name: entry.name,
        runner: await one.runner,
        argv: argv,
        env: { ...entry.env, ...this.#run.variablesFor(entry.name) },
        folder: posix.join(workspace.root, one.root),
        settings: entry.settings ?? {},
        initializationOptions: entry.initializationOptions,
        startMs: this.#run.startMs,
      },
      // Not the call's signal: other calls may wait for the server too.
      this.#closing.signal,
    );
    return {
      server,
      documents: new OpenDocuments(server, (path) => languageIdOf(path, entry) ?? 'plaintext', changed),
      key: one.key,
      reads: (path) => languageIdOf(path, entry) !== null,
      tsserver: entry.tsserver === true,
      indexesAll: entry.indexesAll === true,
    };
  }

  /** Returns the same promise for all calls, until the server has ended. */
  #up(one: OpenedServer, call: LanguageCall): Promise<ServerInUse> {
    if (one.up !== null) return one.up;
    if (one.deaths >= mostStarts) throw serverGone(one.found.entry.name, one.why);
    this.#stopIdle();
    const started = this.#start(one, call);
    one.up = started;
    started.catch((error: unknown) => {
      if (one.up === started) one.up = null;
      if (error instanceof ServerEnded) this.#died(one, error);
    });
    return started;
  }

  /** Counts an end that a call has seen. Throws if the server is not started again. */
  #countEnd(one: OpenedServer, opened: Promise<ServerInUse>, error: ServerEnded): void {
    // Several calls may see one end. The first counts it, before another starts the server again.
    if (one.up === opened) {
      one.up = null;
      this.#died(one, error);
    }
    if (this.#closing.signal.aborted || one.deaths >= mostStarts)
      throw serverGone(one.found.entry.name, error.message);
  }

  #died(one: OpenedServer, { message: why, silent }: ServerEnded): void {
    // A server that never answered costs a minute each time.
    one.deaths = silent ? mostStarts : one.deaths + 1;
    one.why = why;
    const next = one.deaths < mostStarts ? 'it is started once more' : 'it is not started again in this run';
    const report = `The language server ${one.found.entry.name} ${why}; ${next}.`;
    if (!this.#closing.signal.aborted) this.#run.report(report);
  }
}

/** One that ended too often. */
export function serverGone(name: string, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language server ${name} has stopped: it ${why.replace(/\.+$/, '')}. It is not started again in this run; use code_search and grep.`,
  );
}

/** Why a file has no server: none reads it, or none is installed, or may run. */
export function noServer(
  file: string,
  { entries, locations }: Pick<LanguageRun, 'entries' | 'locations'>,
): ToolError {
  const named = entries.filter((entry) => languageIdOf(file, entry) !== null);
  if (named.length === 0) return invalidInput(`No language server reads ${file}. Use code_search and grep.`);
  const names = named.map(({ name }) => name).join(', ');
  const withheldNote = !locations.checkout && named.some(({ runsCheckout }) => runsCheckout);
  return new ToolError(
    'unavailable',
    `There is no language server for ${file}: ${names} ${named.length === 1 ? 'is' : 'are'} not installed${withheldNote ? ', or may not run here because code of the checkout could make it run programs' : ''}. Use code_search and grep.`,
  );
}
