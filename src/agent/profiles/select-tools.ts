import { nameMatcher } from '../../permissions/name-matcher.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Profile, ToolFilter } from './profiles.ts';

/** What a review, a description or a triage states its result with: without it the run would be for nothing. */
const resultTools = ['report_findings', 'describe_pull_request', 'set_labels', 'task.return'];

/** Only children that have something to return have it: no glob means it. */
const byNameOnly = ['task.return'];

/**
 * The tools of a run, in the registry's order: what the profile allows and does not deny, through each of its further
 * filters, less what config disables and, where it only reads, whatever changes more than the run's own state.
 */
export function selectTools(
  registry: readonly Tool[],
  profile: Profile,
  disabled: readonly string[],
): readonly Tool[] {
  const [passes, ...further] = [profile, ...profile.within].map(compileFilter);
  const isDisabled = nameMatcher(disabled);
  return registry.filter(
    (tool) =>
      passes?.(tool.name) === true &&
      (!byNameOnly.includes(tool.name) || profile.allow.includes(tool.name)) &&
      (resultTools.includes(tool.name) || further.every((filter) => filter(tool.name))) &&
      !isDisabled(tool.name) &&
      !(profile.readOnly && changes(tool)),
  );
}

/** Whether some call of a tool changes more than the run's own state: files, the machine, what later runs see. */
export function changes({ level, ownState }: Tool): boolean {
  if (typeof level === 'function') return true;
  return level.startsWith('confirm_') || (level === 'state_write' && ownState !== true);
}

/** Whether the model is told of a tool from the first request on: a deferred one only where nothing else leads to it. */
export function isAdvertised(tool: Tool, tools: readonly Tool[]): boolean {
  if (tool.exposure !== 'deferred') return tool.exposure === undefined;
  return !findsDeferred(tools);
}

/** Whether a run with these tools finds those that it was not told of. */
export function findsDeferred(tools: readonly Tool[]): boolean {
  return ['tool_search', 'use_tool'].every((name) => tools.some((one) => one.name === name));
}

function compileFilter({ allow, deny }: ToolFilter): (name: string) => boolean {
  const [allowed, denied] = [nameMatcher(allow), nameMatcher(deny)];
  return (name) => allowed(name) && !denied(name);
}
