import type { RunAccount } from '../../contract/run-account.ts';

/** Keys that group runs. */
export const statsKeys = ['repository', 'model', 'profile', 'verb'] as const;
export type StatsKey = (typeof statsKeys)[number];

/** The sums of a group of runs. */
export interface RunStats {
  /** The value of each key of the group. */
  readonly group: Readonly<Partial<Record<StatsKey, string>>>;
  readonly runs: number;
  /** In US dollars, over runs with a known price. */
  readonly cost_usd: number;
  /** Number of runs without a known price. */
  readonly unpriced: number;
  readonly tokens: number;
  /** Results that were taken, that were not, and whose pull request is still open. */
  readonly accepted: number;
  readonly rejected: number;
  readonly open: number;
  /** Findings by their state when the pull request was closed. */
  readonly findings: { readonly fixed: number; readonly dismissed: number; readonly open: number };
  /** Null without an accepted result. */
  readonly cost_per_accepted: number | null;
}

/**
 * Groups runs and sums them up, the dearest group first. A commit is accepted if it is in a merged
 * pull request and was not reverted; a review is accepted if a finding of it was fixed. Pure.
 */
export function foldAccounts(accounts: readonly RunAccount[], by: readonly StatsKey[]): RunStats[] {
  const groups = Map.groupBy(accounts, (account) => JSON.stringify(by.map((key) => account[key])));
  return [...groups.values()]
    .map((members) => sumOf(members, by))
    .toSorted((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs);
}

function sumOf(members: readonly RunAccount[], by: readonly StatsKey[]): RunStats {
  const total = (of: (account: RunAccount) => number) => members.reduce((sum, one) => sum + of(one), 0);
  const states = members.map(stateOf);
  const count = (wanted: ReturnType<typeof stateOf>) => states.filter((state) => state === wanted).length;
  const cost_usd = total((one) => one.cost_usd ?? 0);
  const accepted = count('accepted');
  return {
    group: Object.fromEntries(by.map((key) => [key, members[0]?.[key] ?? ''])),
    runs: members.length,
    cost_usd,
    unpriced: members.filter((one) => one.cost_usd === null).length,
    tokens: total((one) => one.tokens),
    ...{ accepted, rejected: count('rejected'), open: count('open') },
    findings: {
      fixed: total((one) => one.result?.findings.fixed ?? 0),
      dismissed: total((one) => one.result?.findings.dismissed ?? 0),
      open: total((one) => one.result?.findings.open ?? 0),
    },
    cost_per_accepted: accepted === 0 ? null : cost_usd / accepted,
  };
}

/** Returns the state of a run's result; `none` for a run whose result nobody can take. */
function stateOf({ committed, result, verb }: RunAccount): 'accepted' | 'rejected' | 'open' | 'none' {
  const isReview = verb === 'review' && !committed;
  if (!committed && !isReview) return 'none';
  if (result === null) return 'open';
  if (committed) return result.merged && result.commit === 'kept' ? 'accepted' : 'rejected';
  const { fixed, dismissed, open } = result.findings;
  if (fixed > 0) return 'accepted';
  return dismissed + open > 0 ? 'rejected' : 'none';
}
