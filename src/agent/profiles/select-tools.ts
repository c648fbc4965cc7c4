import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Profile, ToolFilter } from './profiles.ts';
import { statesResult } from './tool-filters.ts';

/** Only children that have something to return have it: no glob means it. */
const byNameOnly = ['task.return'];

/**
 * Returns the tools of a run, in the registry's order. A tool must pass the profile and its further
 * filters, and must not be disabled by any of its names. A read-only profile excludes tools that
 * change more than the run's own state.
 */
export function selectTools(
  registry: readonly Tool[],
  profile: Profile,
  disabled: readonly string[],
): readonly Tool[] {
  const [passes, ...further] = [profile, ...profile.within].map(compileFilter);
  const isDisabled = disabledBy(disabled);
  return registry.filter(
    (tool) =>
      passes?.(tool.name) === true &&
      (!byNameOnly.includes(tool.name) || profile.allow.includes(tool.name)) &&
      (statesResult(tool.name) || further.every((filter) => filter(tool.name))) &&
      !isDisabled(tool) &&
      !(profile.readOnly && changes(tool)),
  );
}

/**
 * Returns a test for tools that patterns disable by name, wire name or alias. A matching alias
 * disables the whole tool.
 */
export function disabledBy(patterns: readonly string[]): (tool: Pick<Tool, 'name' | 'aliases'>) => boolean {
  if (patterns.length === 0) return () => false;
  const matches = nameMatcher(patterns);
  return ({ name, aliases = {} }) =>
    [name, name.toLowerCase(), name.replaceAll('.', '_'), ...Object.keys(aliases)].some(matches);
}

/**
 * Returns true if some call of a tool changes more than the run's own state: files, the machine, or
 * data of later runs.
 */
export function changes({ level, ownState }: Tool): boolean {
  if (typeof level === 'function') return true;
  return level.startsWith('confirm_') || (level === 'state_write' && ownState !== true);
}

/**
 * Returns true if the model gets a tool's definition from the first request on. A deferred tool
 * needs that only if no search leads to it.
 */
export function isAdvertised(tool: Tool, tools: readonly Tool[]): boolean {
  if (tool.exposure !== 'deferred') return tool.exposure === undefined;
  return !findsDeferred(tools);
}

/** Returns true if a run with these tools can find deferred ones. */
export function findsDeferred(tools: readonly Tool[]): boolean {
  return ['tool_search', 'use_tool'].every((name) => tools.some((one) => one.name === name));
}

function compileFilter({ allow, deny }: ToolFilter): (name: string) => boolean {
  const [allowed, denied] = [nameMatcher(allow), nameMatcher(deny)];
  // Extensions choose their tools' names. A capital letter must not avoid a `deny`.
  return (name) => allowed(name) && !denied(name) && !denied(name.toLowerCase());
}
