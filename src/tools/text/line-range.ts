import * as z from 'zod';
import { integer } from '../input/integer.ts';
import { list } from '../input/list.ts';

const openEnd = 'lines count from 1; leave the end out to read on to the end of the file';

/** The fields with which the reading tools take a slice of a file, as they stand in a tool's schema. */
export const lineRangeFields = {
  start_line: integer(z.int().positive('lines count from 1')).optional(),
  end_line: integer(z.int().positive(openEnd)).optional(),
  read_range: list(
    z
      .array(integer(z.int().positive(openEnd)))
      .min(1)
      .max(2),
  )
    .optional()
    .meta({ hidden: true }),
  limit: integer(z.int().positive()).optional().meta({ hidden: true }),
};

/** Other names of them, as other agents have them. */
export const lineRangeAliases = {
  offset: 'start_line',
  start: 'start_line',
  from: 'start_line',
  line_start: 'start_line',
  startLine: 'start_line',
  end: 'end_line',
  to: 'end_line',
  line_end: 'end_line',
  endLine: 'end_line',
  view_range: 'read_range',
};

/** What a model may say about a slice. */
export interface LineRangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly read_range?: readonly number[] | undefined;
  readonly limit?: number | undefined;
}

/** Lines counted from 1, the end included; a null end means as many as the default shows. */
export interface LineRange {
  readonly start: number;
  readonly end: number | null;
}

const defaultLines = 1000;

/** Which lines are meant: `read_range` wins over the others; `[n]` alone runs to the end of the file. */
export function lineRange(input: LineRangeInput): LineRange {
  const [start, end] = input.read_range ?? [];
  if (start !== undefined) return { start, end: end ?? Number.POSITIVE_INFINITY };
  const first = input.start_line ?? 1;
  if (input.end_line !== undefined) return { start: first, end: input.end_line };
  return { start: first, end: input.limit === undefined ? null : first + input.limit - 1 };
}

/** The last line to show; without a wish of the model it is a screenful of 1,000. */
export function lastLine(range: LineRange): number {
  return range.end ?? range.start + defaultLines - 1;
}
