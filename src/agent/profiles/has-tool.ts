import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { ToolFilter } from './profiles.ts';

/**
 * Tells by a tool's name whether every filter of a profile lets it through, where it changes nothing, and the configuration does not
 * disable it. What it goes by is made ready once, not for each name.
 */
export function hasTool(
  profile: ToolFilter & { readonly within: readonly ToolFilter[] },
  disabled: readonly string[] = [],
): (tool: string) => boolean {
  const filters = [profile, ...profile.within].map(({ allow, deny }) => ({
    allowed: nameMatcher(allow),
    denied: nameMatcher(deny),
  }));
  const isDisabled = nameMatcher(disabled);
  return (tool) =>
    filters.every(({ allowed, denied }) => allowed(tool) && !denied(tool)) && !isDisabled(tool);
}
