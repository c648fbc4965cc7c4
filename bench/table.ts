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

/** A Markdown table of the rows, with a word on each that is over its budget. */
export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const ratio = row.ours / row.floor;
    const over = row.budget !== null && (row.budget.kind === 'ratio' ? ratio : row.ours) > row.budget.most;
    return [
      row.what,
      number(row.floor, row.unit),
      number(row.ours, row.unit),
      `${ratio.toFixed(2)} ×`,
      budget(row),
      over ? 'over' : '',
    ];
  });
  const table = [['', 'floor', 'anode', 'ratio', 'budget', ''], ...cells];
  const widths =
    table[0]?.map((_, column) => Math.max(3, ...table.map((line) => line[column]?.length ?? 0))) ?? [];
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(table[0] ?? []), line(rule), ...cells.map(line)].join('\n');
}

function number(value: number, unit: string): string {
  const digits = unit === 'ms' && value < 20 ? 1 : 0;
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`;
}

function budget(row: Row): string {
  if (row.budget === null) return '';
  return row.budget.kind === 'ratio' ? `${row.budget.most} ×` : number(row.budget.most, row.unit);
}
