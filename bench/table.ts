/** One line of the result: ours, the floor's, and the maximum for ours. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly floor: number;
  readonly ours: number;
  /** `ratio`: so many times the floor; `most`: so much in the row's own unit; null: only told. */
  readonly budget: { readonly kind: 'ratio' | 'most'; readonly most: number } | null;
}

/** The middle value; of an even count the upper one; NaN of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The part of a budget that a busy machine may add before a row counts as missed. */
const tolerance = 1.15;

/** Returns the rows that miss their budget by more than 15 %. */
export function missedRows(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => excess(row) > tolerance);
}

/** Returns how many times its budget a row takes; 0 without one. */
function excess({ ours, floor, budget }: Row): number {
  if (budget === null) return 0;
  return (budget.kind === 'ratio' ? ours / floor : ours) / budget.most;
}

/** A Markdown table of the rows, with a word on each that is over its budget. */
export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const ratio = row.ours / row.floor;
    return [
      row.what,
      number(row.floor, row.unit),
      number(row.ours, row.unit),
      `${ratio.toFixed(2)} ×`,
      budget(row),
      excess(row) > 1 ? 'over' : '',
    ];
  });
  return markdownTable(['', 'floor', 'anode', 'ratio', 'budget', ''], cells);
}

/** Renders a Markdown table. The first column is text, the others are numbers. */
export function markdownTable(head: readonly string[], cells: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    [head, ...cells].reduce((most, line) => Math.max(most, line[column]?.length ?? 0), 3),
  );
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...cells.map(line)].join('\n');
}

/** Renders a number with its unit. */
export function number(value: number, unit: string): string {
  const digits = unit === 'ms' && value < 20 ? 1 : 0;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

function budget(row: Row): string {
  if (row.budget === null) return '';
  return row.budget.kind === 'ratio' ? `${row.budget.most} ×` : number(row.budget.most, row.unit);
}
