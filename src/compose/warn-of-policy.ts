import type { Config } from '../config/schema.ts';

/** Tells of rules and hooks that can never decide, where there are any. What looks for them is loaded only then. */
export async function warnOfPolicy(config: Config, tell: (message: string) => void): Promise<void> {
  const { permissions, hooks, env } = config;
  if (permissions === undefined && hooks === undefined && env === undefined) return;
  const { warningsOf } = await import('./configuration-warnings.ts');
  for (const message of warningsOf(config)) tell(message);
}
