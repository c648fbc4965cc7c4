import * as z from 'zod';
import { Chart } from '../../contract/display-item.ts';
import { invalidInput } from '../../contract/errors.ts';
import { integer } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { drawChart } from './draw-chart.ts';

const value = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());

const input = z.object({
  type: Chart.shape.type.default('bar'),
  title: z.string().max(200).optional(),
  data: z.record(z.string(), value).optional().describe('{label: number}'),
  series: z
    .array(z.object({ label: z.coerce.string(), value }))
    .optional()
    .describe('in order, in place of data'),
  width: integer(z.int().min(10).max(120)).default(40),
});

/** Displays numbers to people in the report. */
export const chart = defineTool({
  name: 'chart',
  description: 'Show people numbers as a chart in the report: data or series.',
  exposure: 'deferred',
  findBy: ['charts', 'graph|plot|diagram'],
  input,
  level: 'auto_read',
  targets: ({ title, type }) => ({ what: title ?? type }),
  async execute({ type, title, data, series, width }) {
    if ((data === undefined) === (series === undefined))
      throw invalidInput('Give either data, {"p50": 12}, or series, [{"label": "p50", "value": 12}].');
    const points = series ?? Object.entries(data ?? {}).map(([label, number]) => ({ label, value: number }));
    const drawn = Chart.safeParse({ type, title: title ?? null, points, width });
    if (!drawn.success) {
      const [issue] = drawn.error.issues;
      throw invalidInput(
        `${issue?.path.join('.')}: ${issue?.message}. At most 500 points, each with a label of 200 characters.`,
      );
    }
    return { content: drawChart(drawn.data), data: { chart: drawn.data } };
  },
});
