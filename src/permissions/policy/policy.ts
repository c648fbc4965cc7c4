import type { Grant } from '../../contract/decision.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Level, Preset } from '../../contract/levels.ts';
import type { Rule } from '../../contract/rules.ts';

/** What a call would touch: what rules match on, the gate judges and a person is shown. */
export interface Targets {
  /** One line for a person: `src/main.ts`, `npm test`, `"TODO" in src`. */
  readonly what: string;
  /** Paths as the tool was given them, relative to the workspace; the gate resolves them. */
  readonly paths?: readonly { readonly path: string; readonly access: 'read' | 'write' }[];
  /** Whole shell scripts, to be parsed and judged command by command. */
  readonly commands?: readonly string[];
  readonly urls?: readonly string[];
}

/** One tool call as the gate sees it, before anything was done. */
export interface GateCall {
  /** Canonical name. */
  readonly tool: string;
  readonly level: Level;
  readonly input: JsonObject;
  readonly targets: Targets;
  readonly context: 'main' | 'child';
  /** True for state that belongs to the run alone, such as its list of things to do. */
  readonly ownState: boolean;
  /** True when the call, and whatever it starts, changes nothing anywhere. */
  readonly readOnly?: boolean;
  /** What would change, as a unified diff, where a `prepare` step found out. */
  readonly diff?: string;
}

/** All that decides on a call besides the call itself. */
export interface Policy {
  readonly preset: Preset;
  /** The first that matches decides. */
  readonly rules: readonly Rule[];
  /** What a person granted for the session: it lifts questions, never a refusal. */
  readonly grants?: readonly Grant[];
  /** The ceiling for forks, reviews and readers: commands only when proven to read only. */
  readonly readOnly: boolean;
  /**
   * Why no command may run that is not proven to read only, whatever rules say, or null: without a sandbox a
   * command could read the keys of the process that starts it.
   */
  readonly commandCeiling: string | null;
  /** Globs of `protected.allow`. */
  readonly protectedAllow: readonly string[];
  /** True when commands run in a working sandbox without network. */
  readonly sandboxed: boolean;
  /**
   * The real path relative to the workspace; an absolute one inside a folder that may only be read; null
   * when it leads elsewhere.
   */
  readonly relativePath: (path: string) => string | null;
  /** Protected names by which links of the tree lead to a path that is relative to the workspace; left out, none. */
  readonly alsoNamed?: (relative: string) => readonly string[];
}
