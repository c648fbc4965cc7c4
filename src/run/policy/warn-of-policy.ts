import type { Config } from '../../config/schema.ts';

/**
 * Warns of rules, hooks and tool names without effect. The check is loaded only if there are any.
 */
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
