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
export const ownResultProfiles: readonly string[] = ['review', 'ask', 'plan', 'describe', 'triage'];

/** The built-in profile that a name or alias means; null for one that means none. */
export function builtinProfileName(name: string): BuiltinProfileName | null {
  for (const [profile, others] of Object.entries(profileNames))
    if (profile === name || others.some((other) => other === name)) return profile as BuiltinProfileName;
  return null;
}
