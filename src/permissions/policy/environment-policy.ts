import { createValueFinder } from '../../redaction/find-secrets.ts';

/** A program that may be given variables of ours: by the name that `env.pass` has for it, and whose it is. */
export interface VariableHolder {
  /** `hook:lint`, `delegate:ci/guard.sh`: exactly one. */
  readonly name: string;
  /** Who named the program. A repository could give a program of its own the name of one of the operator's. */
  readonly by: 'operator' | 'repository';
}

/** All that decides which variables a program gets. */
export interface EnvironmentPolicy {
  /** `env.pass`: names of variables by name of the holder. */
  readonly pass: Readonly<Record<string, readonly string[]>>;
  /** The broker's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables that hold credentials of ours, besides those that always do. */
  readonly ownNames: readonly string[];
  /** Credentials of ours, whatever variables they stand in. */
  readonly ownValues: readonly string[];
  /** Variables that programs which a repository's file names may have; the operator says which. */
  readonly repositoryMay: readonly string[];
}

/** What a program is given, and what it is not given although `env.pass` says so, each with the reason. */
export interface PassedVariables {
  readonly variables: Readonly<Record<string, string>>;
  readonly withheld: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Names under which credentials of Anode CI and of the workflow's machinery stand: our own, the action's inputs, what
 * the runner gives an action (its tokens for artifacts, caches and OpenID Connect), GitHub's tokens, the App's keys.
 */
const always =
  /^(ANODE_\w+|INPUT_.+|ACTIONS_\w+|(GITHUB|GH)(_ENTERPRISE)?_TOKEN|PRIVATE_KEY(_PATH)?|WEBHOOK_SECRET)$/i;

/** True for a variable that holds a credential of ours, by its name; `ownNames` are more of them. */
export function isOwnVariable(name: string, ownNames: readonly string[]): boolean {
  return always.test(name) || ownNames.includes(name);
}

/**
 * The variables that one program gets besides the short list that all have (`cleanEnvironment`). A variable that is not
 * set is left out. Never given, whatever `env.pass` says: a variable that is known to hold a credential of ours, and one
 * whose value contains such a credential, encoded ones too. Pure. What is given anything belongs into a sandbox of its
 * own, and the values are to be taken out of what it says.
 */
export function passedVariables(holder: VariableHolder, policy: EnvironmentPolicy): PassedVariables {
  const names = Object.hasOwn(policy.pass, holder.name) ? (policy.pass[holder.name] ?? []) : [];
  if (names.length === 0) return { variables: {}, withheld: [] };
  const findOwn = createValueFinder(policy.ownValues);
  const variables: Record<string, string> = {};
  const withheld: { name: string; why: string }[] = [];
  for (const name of new Set(names)) {
    const value = policy.environment[name];
    const why = whyNot(name, value ?? '', holder, policy, findOwn);
    if (why !== null) withheld.push({ name, why });
    else if (value !== undefined) variables[name] = value;
  }
  return { variables, withheld };
}

function whyNot(
  name: string,
  value: string,
  { by }: VariableHolder,
  { ownNames, repositoryMay }: EnvironmentPolicy,
  findOwn: ReturnType<typeof createValueFinder>,
): string | null {
  if (isOwnVariable(name, ownNames)) return 'it holds a credential of Anode CI';
  if (by === 'repository' && !repositoryMay.includes(name))
    return 'its operator has not said in ANODE_ENV_PASS that a program of the repository may have it';
  return [...findOwn(value)].length > 0 ? 'a credential of Anode CI stands in it' : null;
}
