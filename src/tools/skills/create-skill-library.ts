import { existsSync, statSync } from 'node:fs';
import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import type { SkillLibrary, SkillVisibility } from '../services/skill-entry.ts';
import { builtInSkills } from './built-in-skills.ts';
import { findSkills, type SkillPlace } from './find-skills.ts';
import { userSkillTree } from './user-skill-tree.ts';
import { skillFilter } from './visible-skills.ts';

/** The sources of a run's skills. */
export interface SkillSources {
  /** The trusted tree, which holds the repository's own skills. */
  readonly tree: SteeringTree;
  /** The operator's folder; null for none. A missing folder has no skills. */
  readonly userFolder: string | null;
  readonly visibility: SkillVisibility | undefined;
  readonly mayWrite: (path: string) => boolean;
  /** Called once for each skill that cannot be used. */
  readonly tell: (problem: string) => void;
}

/** Maximum unusable skills reported one by one. */
const mostTold = 10;

/** Opens the skills of a run; nothing is searched before the first use. */
export function createSkillLibrary(sources: SkillSources): SkillLibrary {
  let found: ReturnType<SkillLibrary['index']> | null = null;
  const find = async () => {
    const all = await findSkills([
      ...ofRepository(sources.tree),
      ...ofUser(sources.userFolder),
      await ofOurs(),
    ]);
    for (const problem of all.problems.slice(0, mostTold)) sources.tell(problem);
    const more = all.problems.length - mostTold;
    if (more > 0) sources.tell(`${more} more skills cannot be used; list_skills names them.`);
    const isVisible = skillFilter([sources.visibility]);
    return { ...all, skills: all.skills.filter(({ name }) => isVisible(name)) };
  };
  return {
    index() {
      found ??= find();
      return found;
    },
    mayWrite: async (path) => sources.mayWrite(path),
  };
}

/** The folders of a repository's skills, in order of precedence. */
const repositorySkillFolders = ['.agents/skills', '.claude/skills'];

function ofRepository(tree: SteeringTree): SkillPlace[] {
  return repositorySkillFolders.map((folder) => ({
    ...{ source: 'workspace', tree, folder, singles: folder === '.agents/skills' },
    shown: (path) => path,
  }));
}

function ofUser(folder: string | null): SkillPlace[] {
  if (folder === null || !existsSync(folder) || !statSync(folder).isDirectory()) return [];
  const tree = userSkillTree(folder);
  const shown = (path: string) => `skills/${path} of the operator`;
  return [{ source: 'user', tree, folder: '', singles: true, shown }];
}

async function ofOurs(): Promise<SkillPlace> {
  const shown = () => 'built in';
  return { source: 'built-in', tree: await builtInSkills(), folder: '', singles: true, shown };
}
