import { largest } from '../../contract/lists.ts';
import { type RunStats, type StatsKey, statsKeys } from './fold-accounts.ts';

/** Renders groups of runs as columns of plain text, without a line end at the end. */
export function renderStats(stats: readonly RunStats[], by: readonly StatsKey[]): string {
  const head = [...by, 'runs', 'cost', 'accepted', 'rejected', 'open', 'fixed', 'dismissed', 'per accepted'];
  const rows = stats.map((one) => [
    ...by.map((key) => one.group[key] || '(none)'),
    String(one.runs),
    `${dollars(one.cost_usd)}${one.unpriced === 0 ? '' : '+'}`,
    ...[one.accepted, one.rejected, one.open, one.findings.fixed, one.findings.dismissed].map(String),
    one.cost_per_accepted === null ? '-' : dollars(one.cost_per_accepted),
  ]);
  const widths = head.map((name, column) =>
    largest([name, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column < by.length ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const isPartial = stats.some(({ unpriced }) => unpriced > 0);
  return [head, ...rows].map(line).join('\n') + (isPartial ? '\n+ some runs have no known price' : '');
}

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/**
 * Renders groups of runs as metrics of Prometheus (its docs, "Exposition formats"). The keys of a
 * group are labels.
 */
export function renderMetrics(stats: readonly RunStats[]): string {
  return metrics
    .flatMap(({ name, help, type, of }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...stats.flatMap((one) =>
        of(one).map(([labels, value]) => `${name}{${[...labelsOf(one), ...labels].join(',')}} ${value}`),
      ),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

type Sample = readonly [labels: readonly string[], value: number];

/** The metrics; stored runs are deleted after some time, so that none of them is a counter. */
const metrics: readonly {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge';
  readonly of: (stats: RunStats) => readonly Sample[];
}[] = [
  { name: 'anode_runs', help: 'Stored runs.', type: 'gauge', of: ({ runs }) => [[[], runs]] },
  {
    ...{ name: 'anode_run_cost_usd', type: 'gauge' },
    help: 'Cost of stored runs with a known price.',
    of: ({ cost_usd }) => [[[], cost_usd]],
  },
  {
    name: 'anode_run_tokens',
    help: 'Tokens of stored runs.',
    type: 'gauge',
    of: ({ tokens }) => [[[], tokens]],
  },
  {
    ...{ name: 'anode_run_results', type: 'gauge' },
    help: 'Results of stored runs by what became of them.',
    of: ({ accepted, rejected, open }) => [
      [['result="accepted"'], accepted],
      [['result="rejected"'], rejected],
      [['result="open"'], open],
    ],
  },
  {
    ...{ name: 'anode_findings', type: 'gauge' },
    help: 'Findings of closed pull requests by their state.',
    of: ({ findings }) => [
      [['state="fixed"'], findings.fixed],
      [['state="dismissed"'], findings.dismissed],
      [['state="open"'], findings.open],
    ],
  },
];

const labelsOf = ({ group }: RunStats): string[] =>
  statsKeys.flatMap((key) => {
    const value = group[key];
    return value === undefined ? [] : [`${key}="${escapeLabel(value)}"`];
  });

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
