import * as z from 'zod';
import { flag } from './input/flag.ts';
import { integer } from './input/integer.ts';
import { listFiles } from './search/list-files.ts';
import { pathPattern } from './search/match-glob.ts';
import { rootsForGlob } from './search/search-root.ts';
import { shownPath } from './search/shown-path.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().default('.'),
  limit: integer(z.int().positive()).default(50),
  include_hidden: flag().default(false),
});

/** Finds files by the pattern of their path. */
export const glob = defineTool({
  name: 'glob',
  aliases: { Glob: {}, list_files: { pattern: '**/*' } },
  description: 'Find files by path pattern (src/**/*.ts), sorted, without ignored ones.',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: (args) => ({
    what: args.path === '.' ? args.pattern : `${args.pattern} in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const { roots, glob: pattern } = await rootsForGlob(context, args.path, args.pattern);
    const hidden = args.include_hidden || namesHidden(pattern);
    const tests = roots.map((root) => pathPattern(pattern, root.path, { hidden: args.include_hidden }));
    const listings = await Promise.all(
      roots.map((root) => listFiles(context.workspace, root, { hidden, signal: context.signal })),
    );
    const found = listings.flatMap(({ paths }, index) => paths.filter((path) => tests[index]?.(path)));
    const truncated = listings.some((listing) => listing.truncated);
    const shown = found.slice(0, args.limit);
    const notes: string[] = [];
    if (found.length === 0) notes.push(nothingFound(args.pattern));
    if (found.length > shown.length) {
      notes.push(`[${found.length - shown.length} more; narrow the pattern or raise limit]`);
    }
    if (truncated) notes.push('[too many files to list all; give a path]');
    return {
      content: [...shown.map(shownPath), ...notes].join('\n'),
      data: { paths: shown, total: found.length, truncated: truncated || found.length > shown.length },
    };
  },
});

/** A pattern that spells out a dot means what it says. */
function namesHidden(pattern: string): boolean {
  return pattern.split('/').some((part) => part.startsWith('.') && !/^\.{1,2}$/.test(part));
}

function nothingFound(pattern: string): string {
  const hint = pattern.includes('/')
    ? ''
    : ` A pattern without a slash looks in one folder only; try **/${pattern}.`;
  return `No files match ${pattern}.${hint}`;
}
