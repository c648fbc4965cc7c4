import { cloudVariables } from '../../agent/models/named-models.ts';
import { providers as knownProviders } from '../../agent/models/providers.ts';
import type { Config } from '../../config/schema.ts';
import { secretValues } from '../../config/secret-values.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { type EnvironmentPolicy, isOwnVariable } from '../../permissions/policy/environment-policy.ts';

/**
 * Decides which of our variables the programs of a run get. Our credentials are keys of models,
 * tokens of this run and, in the App, its database. Programs of the repository may get the
 * variables in `ANODE_ENV_PASS`, separated by commas or spaces. In the App, which serves many
 * repositories, they get none.
 */
export function passPolicyOf(run: {
  readonly config: Config;
  /** The chosen model. Default: null, the configuration's. */
  readonly model?: string | null;
  readonly plan: Pick<RunPlan, 'source'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Credentials outside all variables: tokens made for this run. */
  readonly secrets: readonly string[];
}): EnvironmentPolicy {
  const { config, environment } = run;
  const inApp = run.plan.source.kind === 'app';
  const named = Object.values(config.providers ?? {}).map(
    ({ apiKey }) => /^\{env:([^}]+)\}$/.exec(apiKey ?? '')?.[1],
  );
  const known = [
    ...Object.values(knownProviders).map(({ keyVariable }) => keyVariable),
    ...cloudVariables(config, run.model ?? null),
  ];
  const ownNames = [...named, ...known, ...(inApp ? ['DATABASE_URL'] : [])].filter(
    (name): name is string => typeof name === 'string',
  );
  const own = Object.entries(environment).filter(([name]) => isOwnVariable(name, ownNames));
  return {
    pass: config.env?.pass ?? {},
    environment,
    ownNames,
    ownValues: [...secretValues(Object.fromEntries(own), config.providers), ...run.secrets],
    repositoryMay: inApp
      ? []
      : (environment.ANODE_ENV_PASS ?? '').split(/[\s,]+/).filter((name) => name !== ''),
  };
}
