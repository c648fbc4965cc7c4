import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';

/** Owner of a skill: the repository, the operator, or us. The first with a name wins. */
export type SkillSource = 'workspace' | 'user' | 'built-in';

/** A skill that was found; its instructions are read on demand. */
export interface Skill {
  readonly name: string;
  /** One line: its purpose, and when to use it. */
  readonly description: string;
  readonly source: SkillSource;
  /** Location of its instructions, for display. */
  readonly location: string;
  readonly tree: TrustedTree;
  /** The path of its instructions in `tree`. */
  readonly file: string;
  /** The folder in `tree` that holds its other files; null for a single-file skill. */
  readonly folder: string | null;
  /** Tools it declares to use. This gives no permission to call them. */
  readonly allowedTools: readonly string[];
  /** False for a skill that is used only if named. */
  readonly listed: boolean;
}

/** All skills of a run, and problems of unusable ones, for the operator. */
export interface SkillIndex {
  readonly skills: readonly Skill[];
  readonly problems: readonly string[];
}

/** Visible skills, as globs of names. `deny` wins. Default: all are visible. */
export interface SkillVisibility {
  readonly visible?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** The skills as tools use them. */
export interface SkillLibrary {
  /** Searched once per run, on first use. */
  index(): Promise<SkillIndex>;
  /**
   * False if the run may not write a path because it instructs agents; a change is only proposed
   * then.
   */
  mayWrite(path: string): Promise<boolean>;
  /** Starts a skill's programs and returns a message about them. Default: none. */
  readonly startPrograms?: ((skill: Skill) => Promise<string | null>) | null;
}

/** Used by a run without skills. */
export const noSkills: SkillLibrary = {
  index: async () => ({ skills: [], problems: [] }),
  mayWrite: async () => false,
};

/** Normalises spellings of a name: `code-review` becomes `code_review`. */
export function skillKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
