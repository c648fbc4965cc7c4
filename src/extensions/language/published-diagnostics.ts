import { isJsonObject, type Json } from '../../contract/json.ts';
import {
  budgetAfter,
  type DiagnosticBudget,
  fitBudget,
  readDiagnostics,
  type StoredDiagnostics,
  totalBudget,
} from './diagnostic.ts';

/** Maximum files with stored diagnostics. */
const mostFiles = 5_000;
/** A longer address of a file, in characters, is not taken. */
const longestUri = 4_096;

/** Published diagnostics of one file. */
export interface FileDiagnostics extends StoredDiagnostics {
  /** The document version; null if the server gives none. */
  readonly version: number | null;
  /** Counts what came, over all files. */
  readonly at: number;
}

/** The newest published diagnostics of each file. */
export interface Published {
  /** Counts what has come so far. */
  readonly count: number;
  take(params: Json): void;
  /**
   * The last report on a file. If it was dropped for others, all its diagnostics count as omitted.
   */
  of(uri: string): FileDiagnostics | null;
  /**
   * True if the report on a file was dropped for others. `since` is the count when the file was
   * sent.
   */
  gaveWay(uri: string, since: number): boolean;
  forget(uri: string): void;
  /** Calls back at each that comes, until the function that is returned is called. */
  listen(listener: () => void): () => void;
}

/** Stored diagnostics and their size. */
interface StoredFile {
  readonly said: FileDiagnostics;
  readonly taken: DiagnosticBudget;
}

/**
 * Collects published diagnostics. `room` bounds all files together: the oldest are dropped first.
 */
export function publishedDiagnostics(room: DiagnosticBudget = totalBudget): Published {
  return new PublishedDiagnostics(room);
}

class PublishedDiagnostics implements Published {
  count = 0;
  readonly #room: DiagnosticBudget;
  readonly #whole = new Map<string, StoredFile>();
  /** Files whose diagnostics were dropped; only their number is left. */
  readonly #emptied = new Map<string, StoredFile>();
  readonly #listeners = new Set<() => void>();
  /** The newest `at` of a file that was forgotten for others. */
  #forgottenAt = 0;
  #taken: DiagnosticBudget = { count: 0, bytes: 0 };

  constructor(room: DiagnosticBudget) {
    this.#room = room;
  }

  readonly take = (params: Json): void => {
    if (!isJsonObject(params) || typeof params.uri !== 'string' || params.uri.length > longestUri) return;
    this.count += 1;
    const version = typeof params.version === 'number' ? params.version : null;
    this.#keep(sameUri(params.uri), version, readDiagnostics(params.diagnostics));
    for (const notify of [...this.#listeners]) notify();
  };

  readonly of = (uri: string): FileDiagnostics | null =>
    (this.#whole.get(sameUri(uri)) ?? this.#emptied.get(sameUri(uri)))?.said ?? null;

  gaveWay(uri: string, since: number): boolean {
    const own = sameUri(uri);
    if (this.#whole.has(own)) return false;
    const left = this.#emptied.get(own);
    return left === undefined ? this.#forgottenAt > since : left.said.leftOut > 0;
  }

  forget(uri: string): void {
    this.#remove(this.#whole, sameUri(uri));
    this.#remove(this.#emptied, sameUri(uri));
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #keep(uri: string, version: number | null, diagnostics: StoredDiagnostics): void {
    this.#remove(this.#whole, uri);
    this.#remove(this.#emptied, uri);
    const bytes = Buffer.byteLength(uri);
    const room = this.#room;
    const fitted = fitBudget({ count: room.count, bytes: room.bytes - bytes }, diagnostics);
    this.#add(this.#whole, uri, {
      said: { version, at: this.count, ...fitted.kept },
      taken: { count: fitted.taken.count, bytes: fitted.taken.bytes + bytes },
    });
    while ((this.#taken.count > room.count || this.#taken.bytes > room.bytes) && this.#giveWay());
    const [oldest] = this.#emptied.size > 0 ? this.#emptied.keys() : this.#whole.keys();
    if (this.#whole.size + this.#emptied.size > mostFiles && oldest !== undefined) this.#drop(oldest);
  }

  #add(files: Map<string, StoredFile>, uri: string, kept: StoredFile): void {
    files.set(uri, kept);
    this.#taken = budgetAfter(this.#taken, { count: -kept.taken.count, bytes: -kept.taken.bytes });
  }

  #remove(files: Map<string, StoredFile>, uri: string): void {
    const kept = files.get(uri);
    if (kept === undefined) return;
    files.delete(uri);
    this.#taken = budgetAfter(this.#taken, kept.taken);
  }

  /** Forgets a file for others. */
  #drop(uri: string): void {
    const at = (this.#whole.get(uri) ?? this.#emptied.get(uri))?.said.at ?? 0;
    this.#forgottenAt = Math.max(this.#forgottenAt, at);
    this.#remove(this.#whole, uri);
    this.#remove(this.#emptied, uri);
  }

  /** Drops the oldest, never the newest. False if nothing is left to drop. */
  #giveWay(): boolean {
    const [oldest] = this.#whole;
    if (oldest !== undefined && this.#whole.size > 1) {
      const [uri, { said }] = oldest;
      const leftOut = said.leftOut + said.diagnostics.length;
      this.#remove(this.#whole, uri);
      this.#add(this.#emptied, uri, {
        said: { ...said, diagnostics: [], leftOut },
        taken: { count: 0, bytes: Buffer.byteLength(uri) },
      });
      return true;
    }
    const [gone] = this.#emptied.keys();
    if (gone !== undefined) this.#drop(gone);
    return gone !== undefined;
  }
}

/** Servers write a name in other escapes than we do. */
function sameUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
