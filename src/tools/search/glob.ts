import { posix } from 'node:path';
import * as z from 'zod';
import { flag, globs, integer } from '../input/lenient.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { displayPath } from './found-line.ts';
import { type FileListing, listFiles } from './list-files.ts';
import { pathPattern, splitGlobs } from './match-glob.ts';
import { rootsForGlob } from './search-root.ts';

const input = z.object({
  pattern: globs(z.string().min(1)),
  path: z.string().default('.'),
  limit: integer(z.int().positive()).default(50),
  include_hidden: flag().default(false),
});

/** Finds files by the pattern of their path. */
export const glob = defineTool({
  name: 'glob',
  aliases: { Glob: {}, list_files: { pattern: '**/*' } },
  argumentAliases: { glob: 'pattern' },
  description: 'Find files by path pattern (src/**/*.ts), sorted, without ignored ones.',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: args.path === '.' ? args.pattern : `${args.pattern} in ${args.path}`,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const here = await matching(args, context);
    const deep = here.paths.length === 0 ? await matchingDeep(args, context) : null;
    const { paths: found, truncated } = deep ?? here;
    const shown = found.slice(0, args.limit);
    const notes: string[] = [];
    if (found.length === 0) notes.push(await nothingFound(args, context));
    else if (deep !== null) notes.push(`[none lies in ${args.path} itself; these are deeper]`);
    if (found.length > shown.length) {
      notes.push(`[${found.length - shown.length} more; narrow the pattern or raise limit]`);
    }
    if (truncated) notes.push('[too many files to list all; give a path]');
    return {
      content: [...shown.map(displayPath), ...notes].join('\n'),
      data: { paths: shown, total: found.length, truncated: truncated || found.length > shown.length },
    };
  },
});

type Wanted = Pick<z.output<typeof input>, 'path' | 'pattern' | 'include_hidden'>;

async function matching(wanted: Wanted, context: ToolContext): Promise<FileListing> {
  const listing = await listMatching(wanted, context);
  if (listing.paths.length > 0) return listing;
  // A folder named literally is searched even if git ignores it.
  const [, folder, rest] = /^((?:[^*?{}()[\]!\\/]+\/)+)(.+)$/.exec(wanted.pattern) ?? [];
  if (folder === undefined || rest === undefined) return listing;
  const path = posix.join(wanted.path, folder);
  const info = await context.workspace.files.stat(path).catch(() => null);
  return info?.kind === 'directory' ? listMatching({ ...wanted, path, pattern: rest }, context) : listing;
}

async function allMatching(wanted: Wanted, context: ToolContext): Promise<readonly string[]> {
  const { paths } = await matching(wanted, context);
  return paths.length > 0 ? paths : ((await matchingDeep(wanted, context))?.paths ?? []);
}

/** Finds names without a folder at any depth, as other tools do; null for patterns with folders. */
async function matchingDeep(wanted: Wanted, context: ToolContext): Promise<FileListing | null> {
  if (wanted.pattern.includes('/')) return null;
  const patterns = splitGlobs(wanted.pattern).map((one) => `**/${one}`);
  return listMatching({ ...wanted, pattern: patterns.join(',') }, context);
}

async function listMatching(wanted: Wanted, context: ToolContext): Promise<FileListing> {
  const { roots, glob: pattern } = await rootsForGlob(context, wanted.path, wanted.pattern);
  const hidden = wanted.include_hidden || namesHidden(pattern);
  const tests = roots.map((root) => pathPattern(pattern, root.path, { hidden: wanted.include_hidden }));
  const listings = await Promise.all(
    roots.map((root) => listFiles(context.workspace, root, { hidden, signal: context.signal })),
  );
  return {
    paths: listings.flatMap(({ paths }, index) => paths.filter((path) => tests[index]?.(path))),
    truncated: listings.some((listing) => listing.truncated),
  };
}

/** True for a pattern that names a hidden part. */
function namesHidden(pattern: string): boolean {
  const parts = splitGlobs(pattern).flatMap((one) => one.split('/'));
  return parts.some((part) => part.startsWith('.') && !/^\.{1,2}$/.test(part));
}

/** Includes paths not searched: models read silence as absence. */
async function nothingFound(args: z.output<typeof input>, context: ToolContext): Promise<string> {
  const { pattern } = args;
  const hidden = args.include_hidden ? [] : await allMatching({ ...args, include_hidden: true }, context);
  if (hidden.length > 0) {
    const count = hidden.length === 1 ? '1 hidden file does' : `${hidden.length} hidden files do`;
    return `No files match ${pattern}, but ${count}; set include_hidden to see.`;
  }
  const hint = pattern.includes('/')
    ? 'Files excluded by .gitignore were not searched.'
    : 'All folders were searched, except for files excluded by .gitignore.';
  return `No files match ${pattern}. ${hint}`;
}
