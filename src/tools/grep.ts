import * as z from 'zod';
import { flag } from './input/flag.ts';
import { integer } from './input/integer.ts';
import { droppedNotes } from './search/dropped-notes.ts';
import { renderFoundLines } from './search/render-found-lines.ts';
import { searchRoot } from './search/search-root.ts';
import { searchText } from './search/search-text.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().default('.'),
  glob: z.string().optional(),
  case_sensitive: flag().default(false),
  word_match: flag().default(false),
  regex: flag().default(false),
  max_matches: integer(z.int().positive()).default(50).meta({ hidden: true }),
  context: integer(z.int().nonnegative().max(50)).default(0),
});

/** Searches file contents. */
export const grep = defineTool({
  name: 'grep',
  aliases: { Grep: { regex: true }, search: {} },
  argumentAliases: { query: 'pattern', include: 'glob', '-C': 'context' },
  description: 'Search files, literally unless regex is set.',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({
    what: `"${args.pattern}" in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const root = await searchRoot(context.workspace, args.path);
    const { lines, truncated, tooLong } = await searchText(
      context.workspace,
      root,
      {
        pattern: args.pattern,
        regex: args.regex,
        caseSensitive: args.case_sensitive,
        wordMatch: args.word_match,
        glob: args.glob,
        maxMatches: args.max_matches,
        context: args.context,
      },
      context.signal,
    );
    const matches = lines.filter((found) => found.match);
    const files = new Set(matches.map((found) => found.path)).size;
    const notes = droppedNotes({ truncated, tooLong });
    const nothing = lines.length === 0 && notes.length === 0;
    const found = nothing ? nothingFound(args) : renderFoundLines(lines, args.context);
    const parts = [found, ...notes].filter((part) => part !== '');
    return { content: parts.join('\n'), data: { matches: matches.length, files, truncated } };
  },
});

function nothingFound(args: z.output<typeof input>): string {
  const where = `${args.path === '.' ? '' : ` in ${args.path}`}${args.glob === undefined ? '' : ` (${args.glob})`}`;
  const literal = !args.regex && /[.*+?^$|()[\]\\]/.test(args.pattern);
  return `No match for "${args.pattern}"${where}.${literal ? ' It was taken literally; set regex to true if it is an expression.' : ''}`;
}
