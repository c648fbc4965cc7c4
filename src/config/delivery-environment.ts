/**
 * Variables of the App's front process only: its GitHub identity, its database and its signed
 * state. The configuration may name the operator's other variables (a model's key, `env.pass`).
 */
const frontOnly: ReadonlySet<string> = new Set([
  'APP_ID',
  'PRIVATE_KEY',
  'PRIVATE_KEY_PATH',
  'WEBHOOK_SECRET',
  'DATABASE_URL',
  'GITHUB_TOKEN',
  'ANODE_METRICS_TOKEN',
  'ANODE_STATE_SECRET',
]);

/** The variables of a process that works on deliveries. Pure. */
export function deliveryEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !frontOnly.has(name)));
}
