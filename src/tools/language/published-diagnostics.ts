import { isJsonObject, type Json } from '../../contract/json.ts';
import { type Location, type Range, readLocation, readRange } from './protocol-values.ts';

/** So much of what a server says of files is kept. */
const mostFiles = 5_000;
const mostOfFile = 1_000;
/** Of a message and of a name so many characters are kept. */
const longestMessage = 2_000;
const longestName = 200;
const longestUri = 4_096;

export type DiagnosticSeverity = 'error' | 'warning' | 'info' | 'hint';

/** What a server says of a part of a file. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly message: string;
  readonly code: string | null;
  readonly source: string | null;
  readonly related: readonly { readonly location: Location; readonly message: string }[];
}

/** What a server said of one file, without being asked. */
export interface FileDiagnostics {
  /** Of the text that it was sent; null where it does not say. */
  readonly version: number | null;
  /** Counts what came, over all files. */
  readonly at: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a server says of files as it goes along, the newest for each. */
export interface Published {
  /** Counts what has come so far. */
  readonly count: number;
  take(params: Json): void;
  of(uri: string): FileDiagnostics | null;
  forget(uri: string): void;
  /** Calls back at each that comes, until the function that is returned is called. */
  listen(heard: () => void): () => void;
}

export function publishedDiagnostics(): Published {
  const said = new Map<string, FileDiagnostics>();
  const listeners = new Set<() => void>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    take(params) {
      if (!isJsonObject(params) || typeof params.uri !== 'string' || params.uri.length > longestUri) return;
      const uri = sameUri(params.uri);
      count += 1;
      const version = typeof params.version === 'number' ? params.version : null;
      const diagnostics = readDiagnostics(params.diagnostics);
      said.delete(uri);
      said.set(uri, { version, at: count, diagnostics });
      const [oldest] = said.keys();
      if (said.size > mostFiles && oldest !== undefined) said.delete(oldest);
      for (const heard of [...listeners]) heard();
    },
    of: (uri) => said.get(sameUri(uri)) ?? null,
    forget: (uri) => void said.delete(sameUri(uri)),
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

const severities: readonly DiagnosticSeverity[] = ['error', 'warning', 'info', 'hint'];

/** Diagnostics out of what a server said. What is none is left out; one without a severity is an error, as the protocol has it for us to choose. */
export function readDiagnostics(value: Json | undefined): Diagnostic[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostOfFile).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const range = readRange(one.range);
    const message = isJsonObject(one.message) ? one.message.value : one.message;
    if (range === null || typeof message !== 'string') return [];
    const { code, source } = one;
    const related = Array.isArray(one.relatedInformation) ? one.relatedInformation.slice(0, 10) : [];
    return [
      {
        range,
        severity: severities[Number(one.severity) - 1] ?? 'error',
        message: cut(message, longestMessage),
        code: typeof code === 'string' || typeof code === 'number' ? cut(String(code), longestName) : null,
        source: typeof source === 'string' ? cut(source, longestName) : null,
        related: related.flatMap((info) => {
          if (!isJsonObject(info) || typeof info.message !== 'string') return [];
          const location = readLocation(info.location);
          if (location === null || location.uri.length > longestUri) return [];
          return [{ location, message: cut(info.message, longestName) }];
        }),
      },
    ];
  });
}

/** The beginning of a text, as a copy: what is sliced off keeps the whole alive. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
