import type { Json, JsonObject } from '../../contract/json.ts';

/** A language server and its settings. */
export interface LanguageServerEntry {
  readonly name: string;
  /** The program, by name, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Language ids of the protocol, by file ending (`.ts`) or whole name (`Dockerfile`). */
  readonly languages: Readonly<Record<string, string>>;
  /** Files that mark a project; the topmost folder above a file with one is the server's root. */
  readonly markers: readonly string[];
  /**
   * True if the checkout can make the server run programs: build scripts, plug-ins, interpreters.
   */
  readonly runsCheckout: boolean;
  /** The path of its program in a checkout. Default: none. */
  readonly inCheckout?: string;
  /** The npm package that brings it. */
  readonly npm?: string;
  /** The first major version of the package with a server. Default: all. */
  readonly since?: number;
  /** True if it forwards requests to TypeScript's own server (`typescript.tsserverRequest`). */
  readonly tsserver?: boolean;
  /** True if its index covers files that are not open, and open files are expensive. */
  readonly indexesAll?: boolean;
  /** Answers to `workspace/configuration`, by section. */
  readonly settings?: JsonObject;
  readonly initializationOptions?: Json;
  /** Variables it is started with. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The language id of a file; null if the server does not read it. */
export function languageIdOf(
  path: string,
  { languages }: Pick<LanguageServerEntry, 'languages'>,
): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const own = (key: string) => (Object.hasOwn(languages, key) ? languages[key] : undefined);
  return own(name) ?? (dot > 0 ? own(name.slice(dot).toLowerCase()) : undefined) ?? null;
}
