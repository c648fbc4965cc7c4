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

/** Stored diagnostics and their size. */
interface StoredFile {
  readonly report: FileDiagnostics;
  readonly size: DiagnosticBudget;
}

/**
 * The newest published diagnostics of each file. `budget` bounds all files together: the oldest are
 * dropped first.
 */
export class PublishedDiagnostics {
  /** Reports so far. */
  count = 0;
  readonly #budget: DiagnosticBudget;
  readonly #stored = new Map<string, StoredFile>();
  /** Files whose diagnostics were dropped; only their number is left. */
  readonly #emptied = new Map<string, StoredFile>();
  readonly #listeners = new Set<() => void>();
  /** The newest `at` of a file that was forgotten for others. */
  #forgottenAt = 0;
  #size: DiagnosticBudget = { count: 0, bytes: 0 };

  constructor(budget: DiagnosticBudget = totalBudget) {
    this.#budget = budget;
  }

  readonly take = (params: Json): void => {
    if (!isJsonObject(params) || typeof params.uri !== 'string' || params.uri.length > longestUri) return;
    this.count += 1;
    const version = typeof params.version === 'number' ? params.version : null;
    this.#store(sameUri(params.uri), version, readDiagnostics(params.diagnostics));
    for (const notify of [...this.#listeners]) notify();
  };

  /**
   * The last report on a file. If it was dropped for others, all its diagnostics count as omitted.
   */
  readonly of = (uri: string): FileDiagnostics | null =>
    (this.#stored.get(sameUri(uri)) ?? this.#emptied.get(sameUri(uri)))?.report ?? null;

  /**
   * True if the report on a file was dropped for others. `since` is the count when the file was
   * sent.
   */
  wasDropped(uri: string, since: number): boolean {
    const own = sameUri(uri);
    if (this.#stored.has(own)) return false;
    const left = this.#emptied.get(own);
    return left === undefined ? this.#forgottenAt > since : left.report.leftOut > 0;
  }

  forget(uri: string): void {
    this.#remove(this.#stored, sameUri(uri));
    this.#remove(this.#emptied, sameUri(uri));
  }

  /** Calls back at each report, until the function that is returned is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #store(uri: string, version: number | null, diagnostics: StoredDiagnostics): void {
    this.#remove(this.#stored, uri);
    this.#remove(this.#emptied, uri);
    const bytes = Buffer.byteLength(uri);
    const budget = this.#budget;
    const fitted = fitBudget({ count: budget.count, bytes: budget.bytes - bytes }, diagnostics);
    this.#add(this.#stored, uri, {
      report: { version, at: this.count, ...fitted.fitted },
      size: { count: fitted.size.count, bytes: fitted.size.bytes + bytes },
    });
    while ((this.#size.count > budget.count || this.#size.bytes > budget.bytes) && this.#dropOldest());
    const [oldest] = this.#emptied.size > 0 ? this.#emptied.keys() : this.#stored.keys();
    if (this.#stored.size + this.#emptied.size > mostFiles && oldest !== undefined) this.#drop(oldest);
  }

  #add(files: Map<string, StoredFile>, uri: string, file: StoredFile): void {
    files.set(uri, file);
    this.#size = budgetAfter(this.#size, { count: -file.size.count, bytes: -file.size.bytes });
  }

  #remove(files: Map<string, StoredFile>, uri: string): void {
    const file = files.get(uri);
    if (file === undefined) return;
    files.delete(uri);
    this.#size = budgetAfter(this.#size, file.size);
  }

  /** Forgets a file for others. */
  #drop(uri: string): void {
    const at = (this.#stored.get(uri) ?? this.#emptied.get(uri))?.report.at ?? 0;
    this.#forgottenAt = Math.max(this.#forgottenAt, at);
    this.#remove(this.#stored, uri);
    this.#remove(this.#emptied, uri);
  }

  /** Drops the oldest, never the newest. False if nothing is left to drop. */
  #dropOldest(): boolean {
    const [oldest] = this.#stored;
    if (oldest !== undefined && this.#stored.size > 1) {
      const [uri, { report }] = oldest;
      const leftOut = report.leftOut + report.diagnostics.length;
      this.#remove(this.#stored, uri);
      this.#add(this.#emptied, uri, {
        report: { ...report, diagnostics: [], leftOut },
        size: { count: 0, bytes: Buffer.byteLength(uri) },
      });
      return true;
    }
    const [oldestEmptied] = this.#emptied.keys();
    if (oldestEmptied !== undefined) this.#drop(oldestEmptied);
    return oldestEmptied !== undefined;
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
