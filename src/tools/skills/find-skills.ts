import type { SteeringTree } from '../../workspace/git/steering-tree.ts';
import { type Skill, type SkillIndex, type SkillSource, skillKey } from '../services/skill-entry.ts';
import { parseSkill } from './parse-skill.ts';

/** A folder of skills. */
export interface SkillPlace {
  readonly source: SkillSource;
  readonly tree: SteeringTree;
  readonly folder: string;
  /** True if a Markdown file of its own is a skill too, besides `NAME/SKILL.md`. */
  readonly singles: boolean;
  /** Renders a path of the tree for people. */
  readonly shown: (path: string) => string;
}

/** Maximum skills of one location, and maximum files searched for them. */
const limits = { skills: 100, files: 4_000 };

/**
 * Finds the skills of several locations, the strongest first; the first of a name wins. Problems
 * are unusable files, and duplicate names within one source. A repository's skill may override
 * ours.
 */
export async function findSkills(places: readonly SkillPlace[]): Promise<SkillIndex> {
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  for (const place of places) {
    const files = await skillFiles(place);
    const contents = await place.tree.read(files.slice(0, limits.skills).map(({ file }) => file));
    if (files.length > limits.skills)
      problems.push(
        `${place.shown(place.folder)} holds more than ${limits.skills} skills; the others are left out.`,
      );
    for (const { file, folder, name } of files.slice(0, limits.skills)) {
      const shown = place.shown(file);
      const bytes = contents.get(file);
      if (bytes === undefined || bytes.includes(0)) {
        problems.push(`${shown} is no text of at most 256 KiB, so it is no skill.`);
        continue;
      }
      const head = parseSkill(bytes.toString('utf8'), name, folder === null);
      if ('problem' in head) {
        problems.push(`${shown} ${head.problem}, so it is no skill.`);
        continue;
      }
      const other = found.get(skillKey(head.name));
      if (other === undefined) {
        const { source, tree } = place;
        found.set(skillKey(head.name), { ...head, source, shown, tree, file, folder });
      } else if (other.source === place.source) {
        problems.push(`${shown} has the name of ${other.shown}, which is used: ${other.name}.`);
      }
    }
  }
  return { skills: [...found.values()], problems };
}

interface SkillFile {
  readonly file: string;
  readonly folder: string | null;
  /** Default name of the skill. */
  readonly name: string;
}

async function skillFiles({ tree, folder, singles }: SkillPlace): Promise<SkillFile[]> {
  const start = folder === '' ? 0 : folder.length + 1;
  const listed = await tree.below(folder, 2, limits.files);
  return listed.flatMap(({ path }): SkillFile[] => {
    const [name = '', inner] = path.slice(start).split('/');
    if (inner !== undefined)
      return /^skill\.md$/i.test(inner)
        ? [{ file: path, folder: path.slice(0, -inner.length - 1), name }]
        : [];
    const single = singles && /\.md$/i.test(name) && !/^(?:readme|index)\.md$/i.test(name);
    return single ? [{ file: path, folder: null, name: name.replace(/\.md$/i, '') }] : [];
  });
}
