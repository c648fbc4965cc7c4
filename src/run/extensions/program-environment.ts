import { passedVariables, type VariableHolder } from '../../permissions/policy/environment-policy.ts';
import { keysInReach } from '../policy/keys-in-reach.ts';
import { passPolicyOf } from '../policy/pass-policy.ts';
import { trustOf } from '../records/store-past-run.ts';
import type { ExternalRun } from './external-run.ts';

/** The variables of a program, and whether it needs a sandbox of its own for them. */
export interface ProgramEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly apart: boolean;
}

/** The reason an extension does not start without a sandbox: a clause. */
export const keysExposed = 'is not started, as without a sandbox it could read keys';

/**
 * The environment of a program that reaches `hosts`, or a clause on why it cannot run, with it as
 * the subject. Without a sandbox other processes could read its variables. In a run with untrusted
 * text the model could be made to misuse what only the program can reach.
 */
export function programEnvironment(
  run: Pick<ExternalRun, 'config' | 'plan' | 'environment' | 'secrets' | 'sandboxed' | 'sandbox' | 'model'>,
  holder: VariableHolder,
  hosts: readonly string[],
): ProgramEnvironment | { readonly problem: string } {
  if (keysInReach(run)) return { problem: keysExposed };
  const { variables, excluded: withheld } = passedVariables(holder, passPolicyOf(run));
  const [first] = withheld;
  const names = Object.keys(variables);
  if (first !== undefined) return { problem: `is not given ${first.name}, as ${first.why}` };
  if (names.length > 0 && !run.sandboxed)
    return {
      problem: `cannot be given ${names.join(', ')}, as without a sandbox others could read it`,
    };
  const apart = names.length > 0 || hosts.length > 0;
  if (apart && trustOf(run.plan) !== 'own')
    return {
      problem: `cannot be given ${[...names, ...hosts].join(', ')} in a run for a fork or for a user without write permission`,
    };
  return { variables, apart };
}

/** Warnings about names in `env.pass` of a kind (`toolbox:`) that are not in `known`. */
export function unknownHolderProblems(
  { config }: Pick<ExternalRun, 'config'>,
  kind: 'toolbox:' | 'mcp:',
  known: readonly string[],
): string[] {
  return Object.keys(config.env?.pass ?? {})
    .filter((holder) => holder.startsWith(kind) && !known.includes(holder))
    .map((holder) => `env.pass: there is no ${holder} to give variables to.`);
}
