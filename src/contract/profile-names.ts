/** The profiles that configuration and comments may name, each with its other names. The agent has what they mean. */
export const profileNames = {
  craft: ['smart'],
  study: ['deep'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
