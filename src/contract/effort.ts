/** How hard a model thinks, from not at all to as hard as it can; a level's number is its place, as profiles give it. */
export const effortNames = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type EffortName = (typeof effortNames)[number];

/** The number of a level by its name: 0 for `none` to 6 for `max`. */
export function effortOf(name: EffortName): number {
  return effortNames.indexOf(name);
}

/**
 * Of the levels that a model has, in rising order, the one that is meant: that level itself, else the nearest below, else
 * the lowest there is. What the model does not think at all for is never made more than was asked for.
 */
export function nearestEffort<Name extends EffortName>(
  effort: number,
  levels: readonly [Name, ...Name[]],
): Name {
  return levels.findLast((name) => effortOf(name) <= effort) ?? levels[0];
}
