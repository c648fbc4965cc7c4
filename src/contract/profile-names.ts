import { verbNames, verbOf } from './verbs.ts';

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

/** The built-in profiles, each with its other names. The agent has what they mean. */
export const profileNames = {
  craft: ['smart'],
  quick: ['rush'],
  study: ['deep'],
  review: [],
  oracle: [],
  find: ['search'],
  aggman: [],
  ask: [],
  plan: [],
  describe: [],
  triage: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type BuiltinProfileName = keyof typeof profileNames;

/** Profiles whose result is of a kind of its own: work has them by what it is, and nobody chooses them for other work. */
export const ownResultProfiles: readonly string[] = verbNames.flatMap((name) => verbOf(name).profile ?? []);

/** The built-in profile that a name or alias means; null for one that means none. */
export function builtinProfileName(name: string): BuiltinProfileName | null {
  for (const [profile, others] of Object.entries(profileNames))
    if (profile === name || others.some((other) => other === name)) return profile as BuiltinProfileName;
  return null;
}

/** How many tools a run has at most, whatever its profile, and how much is told of them. The agent has what they mean. */
export const toolProfileNames = ['coding', 'full', 'standard', 'ds4', 'none'] as const;
export type ToolProfileName = (typeof toolProfileNames)[number];
