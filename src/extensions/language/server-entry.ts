import type { Json, JsonObject } from '../../contract/json.ts';

/** A language server: how it is known, started and told what to do. */
export interface LanguageServerEntry {
  readonly name: string;
  /** The program, by name, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Language ids of the protocol, by file ending (`.ts`) or whole name (`Dockerfile`). */
  readonly languages: Readonly<Record<string, string>>;
  /**
   * Files that show where a project begins; the topmost folder above a file that has one is the
   * server's root.
   */
  readonly markers: readonly string[];
  /**
   * True for a server that code or configuration of the checkout can have run programs: build
   * scripts, plug-ins, interpreters.
   */
  readonly runsCheckout: boolean;
  /** Its program in a checkout, from any folder; left out for one that no package brings. */
  readonly inCheckout?: string;
  /** The npm package that brings it. */
  readonly npm?: string;
  /** The first major version of that package that is a language server; left out, all are. */
  readonly since?: number;
  /**
   * True for one that hands requests on to TypeScript's own server (`typescript.tsserverRequest`).
   */
  readonly tsserver?: boolean;
  /**
   * True for one whose index holds the whole project whatever is open, and that a file which is
   * open costs a compilation.
   */
  readonly indexesAll?: boolean;
  /** Answers to `workspace/configuration`, by section. */
  readonly settings?: JsonObject;
  readonly initializationOptions?: Json;
  /** Variables it is started with. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The language id of a file; null if the server does not read it. */
export function languageOf(
  path: string,
  { languages }: Pick<LanguageServerEntry, 'languages'>,
): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const own = (key: string) => (Object.hasOwn(languages, key) ? languages[key] : undefined);
  return own(name) ?? (dot > 0 ? own(name.slice(dot).toLowerCase()) : undefined) ?? null;
}
