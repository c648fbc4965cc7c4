import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ServerLocations } from './find-servers.ts';
import type { LanguageServer } from './language-server.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { LanguageServerEntry } from './server-entry.ts';

/** A running server and its open documents. */
export interface ServerInUse {
  readonly server: LanguageServer;
  readonly documents: OpenDocuments;
  /** The same for files that have this server. */
  readonly key: string;
  /** True if it reads a file, by the file's name. */
  readonly reads: (path: string) => boolean;
  /** True where it hands requests on to TypeScript's own server. */
  readonly tsserver: boolean;
  /** True where it finds references in files that are not open, too. */
  readonly indexesAll: boolean;
}

/** The workspace and the signal of a call. */
export interface LanguageCall {
  readonly workspace: Pick<Workspace, 'root' | 'files' | 'changes'>;
  readonly signal: AbortSignal;
}

/** The language servers of a run, started on demand. */
export interface LanguageServers {
  /**
   * Calls `work` with the server of a file, started on demand. If the server ends during it, it is
   * started once more and `work` repeated. Throws `ToolError` if no server stays up.
   */
  withServer<Result>(
    file: string,
    call: LanguageCall,
    work: (used: ServerInUse) => Promise<Result>,
  ): Promise<Result>;
  /** Returns a key for each file; files with the same key share a server. */
  keysOf(files: readonly string[], call: LanguageCall): Promise<readonly string[]>;
  /** True if a file may have a server, by the file's name. */
  knows(file: string): boolean;
  /** Files for requests about the workspace: of running servers, else of found ones. */
  samples(): readonly string[];
  close(): Promise<void>;
}

/** Settings and services of a run's servers. */
export interface LanguageRun {
  /** The servers that may run, in order. */
  readonly entries: readonly LanguageServerEntry[];
  readonly locations: Omit<ServerLocations, 'files' | 'root'>;
  /** A runner for one server: the workspace for reading only, no network, a sandbox of its own. */
  readonly runnerFor: (name: string, program: string) => Promise<CommandRunner>;
  /** More variables of a server. */
  readonly variablesFor: (name: string) => Readonly<Record<string, string>>;
  /** A file of each kind that was found in the checkout, to ask about the whole of it. */
  readonly sampleFiles: () => readonly string[];
  /** After so many milliseconds without a call a server is stopped. */
  readonly idleMs: number;
  /** Time-out of a start in milliseconds. */
  readonly startMs: number;
  /** Calls back after so many milliseconds, unless what is returned is called first. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
  /** Receives a sentence for each server that ended by itself. */
  readonly report: (problem: string) => void;
}
