import type { Config } from '../../config/schema.ts';

/** Tells of rules, hooks and names of tools that can never mean anything, where there are any. What looks for them is loaded only then. */
export async function warnOfPolicy(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
  tell: (message: string) => void,
): Promise<void> {
  const { permissions, hooks, env, profiles, tools } = config;
  const looked = [permissions, hooks, env, profiles, tools?.disabled];
  if (looked.every((one) => one === undefined)) return;
  const { warningsOf } = await import('./configuration-warnings.ts');
  for (const message of warningsOf(config, environment)) tell(message);
}
