import { verbNames, verbOf } from './verbs.ts';

/** Efforts of a model, in rising order. Profiles give a level as its index. */
export const effortNames = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type EffortName = (typeof effortNames)[number];

/** The number of a level by its name: 0 for `none` to 6 for `max`. */
export function effortOf(name: EffortName): number {
  return effortNames.indexOf(name);
}

/**
 * Returns the level itself, else the nearest lower one, else the lowest. `levels` are those that
 * the model has, in rising order.
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

/** Profiles with a result of their own kind. Only verbs choose them. */
export const ownResultProfiles: readonly string[] = verbNames.flatMap((name) => verbOf(name).profile ?? []);

/** The built-in profile for a name or alias; null if there is none. */
export function builtinProfileName(name: string): BuiltinProfileName | null {
  for (const [profile, others] of Object.entries(profileNames))
    if (profile === name || others.some((other) => other === name)) return profile as BuiltinProfileName;
  return null;
}

/** Tool profiles, which limit the tools of any profile. The agent has their data. */
export const toolProfileNames = ['coding', 'full', 'standard', 'ds4', 'none'] as const;
export type ToolProfileName = (typeof toolProfileNames)[number];
