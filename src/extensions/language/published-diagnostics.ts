import { isJsonObject, type Json } from '../../contract/json.ts';
import { fitInto, type KeptDiagnostics, type Room, readDiagnostics, roomForAll } from './diagnostic.ts';

/** Of so many files something is kept. */
const mostFiles = 5_000;
/** A longer address of a file, in characters, is not taken. */
const longestUri = 4_096;

/** What a server said of one file, without being asked. */
export interface FileDiagnostics extends KeptDiagnostics {
  /** Of the text that it was sent; null where it does not say. */
  readonly version: number | null;
  /** Counts what came, over all files. */
  readonly at: number;
}

/** What a server says of files as it goes along, the newest for each. */
export interface Published {
  /** Counts what has come so far. */
  readonly count: number;
  take(params: Json): void;
  /** What it said last of a file. Where that gave way to what it said of others, all of it counts as left out. */
  of(uri: string): FileDiagnostics | null;
  /**
   * True where what it said of a file gave way to what it said of others. `since` is the count when the file was sent: one of which nothing is
   * known any more may be among those that were forgotten for others after that.
   */
  gaveWay(uri: string, since: number): boolean;
  forget(uri: string): void;
  /** Calls back at each that comes, until the function that is returned is called. */
  listen(heard: () => void): () => void;
}

/** What is kept of a file, and what it takes. */
interface Kept {
  readonly said: FileDiagnostics;
  readonly taken: Room;
}

/** `room` is for all files together: what a server said longest ago gives way. */
export function publishedDiagnostics(room: Room = roomForAll): Published {
  const whole = new Map<string, Kept>();
  /** Those that gave way: that they were told of is kept, without what. */
  const emptied = new Map<string, Kept>();
  const listeners = new Set<() => void>();
  let count = 0;
  /** When the last was said that was forgotten for others. */
  let forgottenAt = 0;
  let taken = { count: 0, bytes: 0 };
  const add = (files: Map<string, Kept>, uri: string, kept: Kept) => {
    files.set(uri, kept);
    taken = { count: taken.count + kept.taken.count, bytes: taken.bytes + kept.taken.bytes };
  };
  const remove = (files: Map<string, Kept>, uri: string) => {
    const kept = files.get(uri);
    if (kept === undefined) return;
    files.delete(uri);
    taken = { count: taken.count - kept.taken.count, bytes: taken.bytes - kept.taken.bytes };
  };
  const forget = (uri: string) => {
    remove(whole, uri);
    remove(emptied, uri);
  };

  /** Forgets a file for others. */
  const drop = (uri: string) => {
    forgottenAt = Math.max(forgottenAt, (whole.get(uri) ?? emptied.get(uri))?.said.at ?? 0);
    forget(uri);
  };

  /** The oldest gives way; never the one that has just come. False where there is nothing left that could. */
  function giveWay(): boolean {
    const [oldest] = whole;
    if (oldest !== undefined && whole.size > 1) {
      const [uri, { said }] = oldest;
      const leftOut = said.leftOut + said.diagnostics.length;
      remove(whole, uri);
      add(emptied, uri, {
        said: { ...said, diagnostics: [], leftOut },
        taken: { count: 0, bytes: Buffer.byteLength(uri) },
      });
      return true;
    }
    const [gone] = emptied.keys();
    if (gone !== undefined) drop(gone);
    return gone !== undefined;
  }

  function keep(uri: string, version: number | null, told: KeptDiagnostics) {
    forget(uri);
    const bytes = Buffer.byteLength(uri);
    const fitted = fitInto({ count: room.count, bytes: room.bytes - bytes }, told);
    add(whole, uri, {
      said: { version, at: count, ...fitted.kept },
      taken: { count: fitted.taken.count, bytes: fitted.taken.bytes + bytes },
    });
    while ((taken.count > room.count || taken.bytes > room.bytes) && giveWay());
    const [oldest] = emptied.size > 0 ? emptied.keys() : whole.keys();
    if (whole.size + emptied.size > mostFiles && oldest !== undefined) drop(oldest);
  }

  return {
    get count() {
      return count;
    },
    take(params) {
      if (!isJsonObject(params) || typeof params.uri !== 'string' || params.uri.length > longestUri) return;
      count += 1;
      const version = typeof params.version === 'number' ? params.version : null;
      keep(sameUri(params.uri), version, readDiagnostics(params.diagnostics));
      for (const heard of [...listeners]) heard();
    },
    of: (uri) => (whole.get(sameUri(uri)) ?? emptied.get(sameUri(uri)))?.said ?? null,
    gaveWay(uri, since) {
      const own = sameUri(uri);
      if (whole.has(own)) return false;
      const left = emptied.get(own);
      return left === undefined ? forgottenAt > since : left.said.leftOut > 0;
    },
    forget: (uri) => forget(sameUri(uri)),
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
}

/** Servers write a name in other escapes than we do. */
function sameUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
