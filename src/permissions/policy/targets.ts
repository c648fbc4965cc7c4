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
