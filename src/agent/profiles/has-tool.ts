import { nameMatcher } from '../../permissions/name-matcher.ts';
import type { ToolFilter } from './profiles.ts';

/** Whether every filter of a profile lets a tool through that changes nothing, and the configuration does not disable it. */
export function hasTool(
  profile: ToolFilter & { readonly within: readonly ToolFilter[] },
  tool: string,
  disabled: readonly string[] = [],
): boolean {
  const passes = ({ allow, deny }: ToolFilter) => nameMatcher(allow)(tool) && !nameMatcher(deny)(tool);
  return [profile, ...profile.within].every(passes) && !nameMatcher(disabled)(tool);
}
