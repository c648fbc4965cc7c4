import { ToolError } from '../../contract/errors.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import { type Skill, type SkillIndex, type SkillVisibility, skillKey } from '../services/skill-entry.ts';
import type { ToolContext } from '../tool.ts';

/** The part of a context that the skill tools need. */
export type SkillContext = Pick<ToolContext, 'skills' | 'state'>;

/** Returns the skills that a run may see, by name, and the problems of others. */
export async function visibleSkills({ skills, state }: SkillContext): Promise<SkillIndex> {
  const index = await skills.index();
  const isVisible = skillFilter([state.skills]);
  const visible = index.skills.filter(({ name }) => isVisible(name));
  return { ...index, skills: visible.sort((a, b) => (skillKey(a.name) < skillKey(b.name) ? -1 : 1)) };
}

/**
 * Finds a skill by name, ignoring case and hyphens. Throws `ToolError('not_found')`, also if
 * hidden.
 */
export async function findSkill(context: SkillContext, name: string): Promise<Skill> {
  const { skills } = await visibleSkills(context);
  const key = skillKey(name);
  const found = skills.find((skill) => skillKey(skill.name) === key);
  if (found !== undefined) return found;
  const names = skills.filter(({ listed }) => listed).map((skill) => skill.name);
  const near = names.filter((one) =>
    key.split('_').some((word) => word.length > 2 && skillKey(one).includes(word)),
  );
  const known =
    near.length > 0
      ? `Did you mean ${near.slice(0, 5).join(' or ')}?`
      : `There are: ${names.slice(0, 50).join(', ') || 'none'}.`;
  throw new ToolError('not_found', `There is no skill "${name}". ${known}`);
}

/** Returns a test for names visible under every given visibility; `-` and `_` are equal. */
export function skillFilter(
  visibilities: readonly (SkillVisibility | undefined)[],
): (name: string) => boolean {
  const filters = visibilities.flatMap((one) => (one === undefined ? [] : [filterOf(one)]));
  return (name) => filters.every((passes) => passes(skillKey(name)));
}

function filterOf({ visible = ['*'], deny = [] }: SkillVisibility): (key: string) => boolean {
  const any = (globs: readonly string[]) => nameMatcher(globs.map(skillKey));
  const [seen, denied] = [any(visible), any(deny)];
  return (key) => seen(key) && !denied(key);
}
