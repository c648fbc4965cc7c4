import * as z from 'zod';
import { flag } from '../input/flag.ts';
import { integer } from '../input/integer.ts';
import { unlessNull } from '../input/unless-null.ts';

/** The occurrence to replace, from 1. 0 requires the old text to be unique. */
export const occurrence = integer(z.int().nonnegative());

/** One of several edits. Other agents name its halves `old_str` and `old_string`. */
export const editItem = z.preprocess(
  renamed,
  z.object({
    old: z.string(),
    new: z.string(),
    occurrence: unlessNull(occurrence).describe('from 1'),
    replace_all: unlessNull(flag()).meta({ hidden: true }),
  }),
);

/** An edit that may name its own file. */
export const editItemOfFile = z.preprocess(
  renamed,
  z.object({
    path: unlessNull(z.string().min(1)).describe('where it is another file'),
    old: z.string(),
    new: z.string(),
    occurrence: unlessNull(occurrence).describe('from 1'),
    replace_all: unlessNull(flag()),
  }),
);

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const item: Record<string, unknown> = { ...value };
  return {
    ...item,
    path: item.path ?? item.file_path,
    old: item.old ?? item.old_str ?? item.old_string,
    new: item.new ?? item.new_str ?? item.new_string,
  };
}
