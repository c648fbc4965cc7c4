import * as z from 'zod';
import { largest, smallest } from './extremes.ts';

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

/** One sign for each value, from the least to the greatest; '' for none. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [smallest(values), largest(values)];
  const place = (value: number) => (high === low ? 3 : Math.round(((value - low) / (high - low)) * 7));
  return values.map((value) => blocks[place(value)]).join('');
}
