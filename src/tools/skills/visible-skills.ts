import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import { type SkillVisibility, skillKey } from '../services/skill-entry.ts';

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
