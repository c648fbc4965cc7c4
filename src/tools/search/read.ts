import * as z from 'zod';
import { integer } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { lineRange, lineRangeAliases, lineRangeFields, readSlice } from './read-slice.ts';

const defaultMaxBytes = 2 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1),
  ...lineRangeFields,
  max_bytes: integer(z.int().positive()).default(defaultMaxBytes).meta({ hidden: true }),
});

/** Reads one text file with line numbers. */
export const read = defineTool({
  name: 'read',
  aliases: { read_file: {}, Read: {}, view: {}, View: {} },
  argumentAliases: { file_path: 'path', target_file: 'path', ...lineRangeAliases },
  description: 'Read a text file as numbered lines (N<tab>text), 1,000 unless a range is given.',
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'read' }] }),
  async execute(args, context) {
    const slice = await readSlice(context.workspace, args.path, lineRange(args), args.max_bytes);
    return { content: slice.text, data: { ...slice.data } };
  },
});
