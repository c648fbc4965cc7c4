import type { SteeringTree } from '../../workspace/git/steering-tree.ts';

/** Whose a skill is: the repository's, the operator's own, or ours. The first that has a name is meant by it. */
export type SkillSource = 'workspace' | 'user' | 'built-in';

/** A skill that was found; its instructions are read when it is asked for. */
export interface Skill {
  readonly name: string;
  /** One line: what it is for, and when to use it. */
  readonly description: string;
  readonly source: SkillSource;
  /** Where its instructions stand, for a reader. */
  readonly shown: string;
  readonly tree: SteeringTree;
  /** The path of its instructions in `tree`. */
  readonly file: string;
  /** The folder in `tree` that holds its other files; null for a skill that is one file. */
  readonly folder: string | null;
  /** Tools it says it works with. That it names them gives no leave to call them. */
  readonly allowedTools: readonly string[];
  /** False for one that is only used where somebody names it. */
  readonly listed: boolean;
}

/** All skills of a run, and what is wrong with those that could not be taken, in words for the operator. */
export interface SkillIndex {
  readonly skills: readonly Skill[];
  readonly problems: readonly string[];
}

/** Which skills may be seen: globs of names. Denied is denied; left out, all are visible. */
export interface SkillVisibility {
  readonly visible?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** What the tools that work with skills are given. */
export interface SkillLibrary {
  /** Looked for once a run, when it is first asked for. */
  index(): Promise<SkillIndex>;
  /** False where the run may not write a path because it instructs agents, so that a change of it is only proposed. */
  mayWrite(path: string): Promise<boolean>;
  /** Starts what a skill brings besides its words, and says what came of it; left out, or null, nothing. */
  readonly bring?: ((skill: Skill) => Promise<string | null>) | null;
}

/** Of a run without any. */
export const noSkills: SkillLibrary = {
  index: async () => ({ skills: [], problems: [] }),
  mayWrite: async () => false,
};

/** What two spellings of one name have in common: `code-review` is `code_review`. */
export function skillKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
