import type { Config } from '../../config/schema.ts';

/** Tells of rules, hooks and names of tools that can never mean anything, where there are any. What looks for them is loaded only then. */
export async function warnOfPolicy(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Promise<void> {
  const { permissions, hooks, env, profiles, tools } = config;
  const ruled = [permissions, hooks, env, profiles, tools?.disabled];
  if (ruled.every((one) => one === undefined)) return;
  const { warningsOf } = await import('./configuration-warnings.ts');
  for (const message of warningsOf(config, environment)) warn(message);
}
