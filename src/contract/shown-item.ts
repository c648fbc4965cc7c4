import * as z from 'zod';
import { Chart } from './chart-data.ts';

/** What is to be shown, as a model gives it: elements by id, the children of each by their ids. */
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

/** What one call showed, as the run ledger has it. */
export const ShownItem = z.union([z.object({ render_spec: RenderSpec }), z.object({ chart: Chart })]);
export type ShownItem = z.infer<typeof ShownItem>;
