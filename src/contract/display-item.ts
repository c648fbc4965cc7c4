import * as z from 'zod';
import { largest, smallest } from './lists.ts';

const label = z.string().max(200);

/** A chart as the tool of that name draws it: points in their order. */
export const Chart = z.object({
  type: z.enum(['bar', 'line', 'sparkline', 'table']),
  title: label.nullable(),
  points: z
    .array(z.object({ label, value: z.number() }))
    .min(1)
    .max(500),
  /** Columns of a terminal that bars and lines take. */
  width: z.int().min(10).max(120),
});
export type Chart = z.infer<typeof Chart>;

const blocks = '▁▂▃▄▅▆▇█';

/** One character for each value, from least to greatest; '' for none. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [smallest(values), largest(values)];
  const level = (value: number) => (high === low ? 3 : Math.round(((value - low) / (high - low)) * 7));
  return values.map((value) => blocks[level(value)]).join('');
}

/** A display from a model: elements by id, with the ids of their children. */
export const RenderSpec = z.object({
  root: z.string(),
  elements: z.record(
    z.string(),
    z.object({
      type: z.string(),
      props: z.record(z.string(), z.json()).nullish(),
      children: z.array(z.string()).nullish(),
    }),
  ),
});
export type RenderSpec = z.input<typeof RenderSpec>;

/** The display of one call, as the run ledger has it. */
export const DisplayItem = z.union([z.object({ render_spec: RenderSpec }), z.object({ chart: Chart })]);
export type DisplayItem = z.infer<typeof DisplayItem>;
