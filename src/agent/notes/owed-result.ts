import type { Advert } from '../../contract/message.ts';
import type { BuiltinProfileName } from '../../contract/profile-names.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';

/** What a run states its result with, the entry that this leaves, and how it is called where there is nothing to state. */
interface Stating {
  readonly tool: string;
  readonly entry: RunEntry['type'];
  readonly empty: string;
}

const statings: Readonly<Partial<Record<BuiltinProfileName, Stating>>> = {
  review: { tool: 'report_findings', entry: 'findings', empty: ', with all you found or with an empty list' },
  describe: { tool: 'describe_pull_request', entry: 'description', empty: '' },
  triage: { tool: 'set_labels', entry: 'triage', empty: ', with empty lists where nothing fits' },
};

/** What a run of such a profile still owes. */
export interface OwedResult {
  /** The tool it should have called and has not; null where it has, or has no such tool. */
  missing(): string | null;
  /** What it is told when it ends without, the first time; null after that, and where nothing is missing. */
  ask(): string | null;
}

/** Of a run whose result counts only where it is stated by a tool: a result that stands in words alone is lost to whoever reads lists. */
export function owedResult(run: {
  readonly profile: { readonly base: BuiltinProfileName };
  readonly adverts: readonly Advert[];
  readonly history: { readonly stated: ReadonlySet<RunEntry['type']> };
}): OwedResult {
  const stating = statings[run.profile.base];
  const owed = run.adverts.some(({ name }) => name === stating?.tool) ? stating : undefined;
  let asked = false;
  const missing = () => (owed === undefined || run.history.stated.has(owed.entry) ? null : owed.tool);
  return {
    missing,
    ask() {
      if (asked || owed === undefined || missing() === null) return null;
      asked = true;
      return `You ended without calling ${owed.tool}, and only what it states counts. Call it now${owed.empty}; then end as before.`;
    },
  };
}
