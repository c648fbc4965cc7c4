import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { integer, stringList } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { lineRange, lineRangeAliases, lineRangeFields, readSlice } from './read-slice.ts';

const defaultMaxBytes = 4 * 1024 * 1024;

const input = z.object({
  paths: stringList(z.array(z.string().min(1)).min(1).max(10)),
  ...lineRangeFields,
  max_bytes: integer(z.int().positive()).default(defaultMaxBytes).meta({ hidden: true }),
});

/** Reads up to ten text files in one call; an error affects one file only. */
export const multiRead = defineTool({
  name: 'multi_read',
  aliases: { read_many_files: {} },
  argumentAliases: { path: 'paths', files: 'paths', include: 'paths', ...lineRangeAliases },
  description: 'Read up to 10 text files at once; a range holds for each.',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: args.paths.join(', '),
    paths: args.paths.map((path) => ({ path, access: 'read' as const })),
  }),
  async execute(args, context) {
    const parts: string[] = [];
    const files: Json[] = [];
    let left = args.max_bytes;
    for (const path of args.paths) {
      parts.push(`===== ${path} =====`);
      if (left <= 0) {
        parts.push(`[skipped: max_bytes (${args.max_bytes}) is used up; read this file on its own]`);
        files.push({ path, skipped: true });
        continue;
      }
      try {
        const slice = await readSlice(context.workspace, path, lineRange(args), left);
        parts.push(slice.text);
        files.push({ ...slice.data });
        left -= slice.bytes;
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        parts.push(`[error: ${error.message}]`);
        files.push({ path, error: error.message, error_kind: error.kind });
      }
    }
    return { content: parts.join('\n'), data: { files } };
  },
});
