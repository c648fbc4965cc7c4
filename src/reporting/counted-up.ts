import { largest } from '../contract/lists.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import { addUsage, noSessionUsage } from '../contract/usage-sums.ts';

type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Returns the closing entry that a broken run never wrote, counted from its other entries. */
export function closingEntry(lines: readonly RunLedgerLine[]): Omit<Entry<'run.finished'>, 'type'> {
  const entriesOf = <Type extends RunEntry['type']>(type: Type) =>
    lines.map(({ entry }) => entry).filter((entry): entry is Entry<Type> => entry.type === type);
  const before = entriesOf('run.started')[0]?.before ?? noSessionUsage;
  const usages = entriesOf('usage');
  const turns = entriesOf('turn.started').map(({ turn }) => turn);
  const times = lines.map((line) => Date.parse(line.at));
  const costs = [before.cost_usd, ...usages.map((entry) => entry.cost_usd)];
  return {
    conclusion: 'failure',
    answer: '',
    stop: null,
    turns: largest(turns, before.turns),
    usage: usages.reduce((sum, entry) => addUsage(sum, entry.usage), before.usage),
    cost_usd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    duration_ms: before.duration_ms + Math.max(0, (times.at(-1) ?? 0) - (times[0] ?? 0)),
  };
}
