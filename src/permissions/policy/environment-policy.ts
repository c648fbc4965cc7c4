import { createValueFinder } from '../../redaction/find-secrets.ts';

/**
 * A program that may receive variables of the broker: its name in `env.pass`, and who configured
 * it.
 */
export interface VariableHolder {
  /** `hook:lint`, `delegate:ci/guard.sh`: exactly one. */
  readonly name: string;
  /** The origin of the name. A repository could reuse the name of an operator's program. */
  readonly by: 'operator' | 'repository';
}

/** Everything that determines which variables a program gets. */
export interface EnvironmentPolicy {
  /** `env.pass`: variable names by holder name. */
  readonly pass: Readonly<Record<string, readonly string[]>>;
  /** The broker's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Further variables with credentials of ours, besides the built-in ones. */
  readonly ownNames: readonly string[];
  /** Our credentials, with any variable name. */
  readonly ownValues: readonly string[];
  /** Variables that the operator permits to programs of a repository. */
  readonly repositoryMay: readonly string[];
}

/** The variables passed to a program, and those withheld despite `env.pass`, with reasons. */
interface PassedVariables {
  readonly variables: Readonly<Record<string, string>>;
  readonly excluded: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Variables with credentials of Anode CI and the workflow. They are our own, the action's inputs,
 * the runner's tokens (artifacts, caches, OpenID Connect), GitHub's tokens, and the App's keys.
 */
const always =
  /^(ANODE_\w+|INPUT_.+|ACTIONS_\w+|(GITHUB|GH)(_ENTERPRISE)?_TOKEN|PRIVATE_KEY(_PATH)?|WEBHOOK_SECRET)$/i;

/**
 * Returns true if a variable holds a credential of ours by its name. `ownNames` are further names.
 */
export function isOwnVariable(name: string, ownNames: readonly string[]): boolean {
  return always.test(name) || ownNames.includes(name);
}

/**
 * Returns the variables that one program gets besides `cleanEnvironment`. Unset variables are
 * omitted. Pure.
 *
 * Withheld whatever `env.pass` says: variables known to hold our credentials, and values containing
 * one, also encoded.
 *
 * A program that gets any variable needs its own sandbox, and the values must be redacted from its
 * output.
 */
export function passedVariables(holder: VariableHolder, policy: EnvironmentPolicy): PassedVariables {
  const names = Object.hasOwn(policy.pass, holder.name) ? (policy.pass[holder.name] ?? []) : [];
  if (names.length === 0) return { variables: {}, excluded: [] };
  const findOwn = createValueFinder(policy.ownValues);
  const variables: Record<string, string> = {};
  const excluded: { name: string; why: string }[] = [];
  for (const name of new Set(names)) {
    const value = policy.environment[name];
    const why = whyNot(name, holder, policy, findOwn);
    if (why !== null) excluded.push({ name, why });
    else if (value !== undefined) variables[name] = value;
  }
  return { variables, excluded };
}

function whyNot(
  name: string,
  { by }: VariableHolder,
  { environment, ownNames, repositoryMay }: EnvironmentPolicy,
  findOwn: ReturnType<typeof createValueFinder>,
): string | null {
  if (isOwnVariable(name, ownNames)) return 'it holds a credential of Anode CI';
  if (by === 'repository' && !repositoryMay.includes(name))
    return 'its operator has not said in ANODE_ENV_PASS that a program of the repository may have it';
  return findOwn(environment[name] ?? '').length > 0 ? 'a credential of Anode CI stands in it' : null;
}
