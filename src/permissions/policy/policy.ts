import type { Grant } from '../../contract/decision.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Level, Preset } from '../../contract/levels.ts';
import type { Rule } from '../../contract/rules.ts';

/** The targets of a call: rules match them, the gate evaluates them, and a person sees them. */
export interface Targets {
  /** One line for a person: `src/main.ts`, `npm test`, `"TODO" in src`. */
  readonly what: string;
  /** Paths as the tool got them, relative to the workspace. The gate resolves them. */
  readonly paths?: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
  /** Whole shell scripts, parsed and evaluated command by command. */
  readonly commands?: readonly string[] | undefined;
  readonly urls?: readonly string[];
}

/** A tool call as the gate sees it before execution. */
export interface PolicyCall {
  /** Canonical name. */
  readonly tool: string;
  readonly level: Level;
  readonly input: JsonObject;
  readonly targets: Targets;
  readonly context: 'main' | 'child';
  /** True for state of this run alone, such as its task list. */
  readonly ownState: boolean;
  /** True if the call, and whatever it starts, changes nothing anywhere. */
  readonly onlyReads?: boolean;
  /** The resulting change as a unified diff, if `prepare` computed one. */
  readonly diff?: string | undefined;
}

/** Everything that decides on a call besides the call itself. */
export interface Policy {
  readonly preset: Preset;
  /** The first match decides. */
  readonly rules: readonly Rule[];
  /** Grants by people for the session. They lift an `ask`, never a rejection. */
  readonly grants?: readonly Grant[];
  /** The ceiling for forks, reviews and readers: only commands proven to read. */
  readonly readOnly: boolean;
  /**
   * Why no command may run unless proven to read, whatever rules say; else null. Without a sandbox,
   * a command could read the keys of its parent process.
   */
  readonly commandCeiling: string | null;
  /** Globs of `protected.allow`. */
  readonly protectedAllow: readonly string[];
  /** True if commands run in a working sandbox without network. */
  readonly sandboxed: boolean;
  /**
   * Returns the real path relative to the workspace, an absolute one for a read-only folder, or
   * null for any other.
   */
  readonly relativePath: (path: string) => string | null;
  /**
   * Returns protected names by which links of the tree lead to a workspace-relative path. Default:
   * none.
   */
  readonly alsoNamed?: (relative: string) => readonly string[];
}
