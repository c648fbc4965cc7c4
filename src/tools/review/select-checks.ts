import { ToolError } from '../../contract/errors.ts';
import { CheckName, type CheckResult } from '../../contract/findings.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import type { ReviewCheck } from '../services/review-services.ts';

/** Maximum described checks at once: each is a child run. */
const mostChecks = 20;

/** The requested checks. */
export interface SelectedChecks {
  /** Returns true for the name of a requested check without a model. */
  readonly wants: (name: string) => boolean;
  readonly described: readonly ReviewCheck[];
  readonly notes: readonly string[];
}

/**
 * Selects checks by name or glob; an empty filter means all. Throws `ToolError` with the known
 * names if nothing matches.
 */
export function selectChecks(filter: readonly string[], described: readonly ReviewCheck[]): SelectedChecks {
  const known = [...CheckName.options, ...described.map(({ name }) => name)];
  const fits = (pattern: string, name: string) => nameMatcher([pattern.toLowerCase()])(name.toLowerCase());
  const unknown = filter.find((pattern) => !known.some((name) => fits(pattern, name)));
  if (unknown !== undefined)
    throw new ToolError('invalid_input', `There is no check "${unknown}". Checks: ${known.join(', ')}.`);
  const wants = (name: string) => filter.length === 0 || filter.some((pattern) => fits(pattern, name));
  const wanted = described.filter(({ name }) => wants(name));
  const left = wanted.slice(mostChecks).map(({ name }) => name);
  return {
    wants,
    described: wanted.slice(0, mostChecks),
    notes: left.length === 0 ? [] : [`Not run, as ${mostChecks} at once is the most: ${left.join(', ')}.`],
  };
}

/** Keeps the requested results of the checks without a model. */
export function wantedOnly(result: CheckResult, wants: (name: string) => boolean): CheckResult {
  return {
    ...result,
    ran: result.ran.filter((name) => wants(name) && result.idle?.includes(name) !== true),
    findings: result.findings.filter(({ check }) => check === undefined || wants(check)),
  };
}
