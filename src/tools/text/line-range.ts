import * as z from 'zod';
import { integer } from '../input/integer.ts';
import { list } from '../input/list.ts';

const openEnd = 'lines count from 1; leave the end out to read on to the end of the file';

/** Schema fields by which the reading tools take a slice of a file. */
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

/** Other agents' names of these fields. */
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

/** A slice as the model may specify it. */
export interface LineRangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly read_range?: readonly number[] | undefined;
  readonly limit?: number | undefined;
}

/** Lines from 1, the end included; a null end means the default number. */
export interface LineRange {
  readonly start: number;
  readonly end: number | null;
}

const defaultLines = 1000;

/** Resolves a slice: `read_range` wins; `[n]` alone runs to the end of the file. */
export function lineRange(input: LineRangeInput): LineRange {
  const [start, end] = input.read_range ?? [];
  if (start !== undefined) return { start, end: end ?? Number.POSITIVE_INFINITY };
  const first = input.start_line ?? 1;
  if (input.end_line !== undefined) return { start: first, end: input.end_line };
  return { start: first, end: input.limit === undefined ? null : first + input.limit - 1 };
}

/** Returns the last line to display. Default: 1,000 lines. */
export function lastLine(range: LineRange): number {
  return range.end ?? range.start + defaultLines - 1;
}
