import * as z from 'zod';
import { append } from '../../contract/lists.ts';
import type { ConfinedFiles } from '../../workspace/files/confined-files.ts';
import { flag, integer, stringList } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { displayPath } from './found-line.ts';
import { type Ignores, ignoreRules } from './ignore-rules.ts';
import { globFilter } from './match-glob.ts';
import { type SearchPlaces, topOf } from './search-root.ts';

const input = z.object({
  path: z.string().default('.'),
  depth: integer(z.int().min(1).max(5)).default(1),
  limit: integer(z.int().min(1).max(2000)).default(200),
  include_hidden: flag().default(false),
  ignore: stringList().optional(),
});

/** Lists a directory as a tree, with sizes and link targets. */
export const listDirectory = defineTool({
  name: 'list_directory',
  aliases: { list_dir: {}, LS: {} },
  argumentAliases: { dir_path: 'path', directory: 'path' },
  description:
    'List a directory as a tree with sizes of files and targets of links; ignored entries are only counted.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: (args) => ({
    what: args.path,
    paths: [{ path: args.path, access: 'read' }],
  }),
  async execute(args, context) {
    const { lines, entries, omitted, hasMore } = await directoryTree(context, args);
    const shown =
      args.path === '.' || args.path === '' ? '.' : context.workspace.files.relative(args.path) || '.';
    const heading = shown.endsWith('/') ? shown : `${shown}/`;
    const notes: string[] = [];
    if (entries === 0 && omitted.ignored + omitted.hidden === 0) notes.push('(empty)');
    if (hasMore)
      notes.push(`[only the first ${args.limit} entries are shown; list a folder below, or raise limit]`);
    const counts = [
      ...(omitted.hidden > 0 ? [`${omitted.hidden} hidden (include_hidden shows them)`] : []),
      ...(omitted.ignored > 0 ? [`${omitted.ignored} ignored`] : []),
    ];
    if (counts.length > 0) notes.push(`[left out: ${counts.join(', ')}]`);
    if (shown === '.' && context.repositories.length > 0)
      notes.push(`[other repositories: ${context.repositories.map((one) => one.displayPath).join(', ')}]`);
    return {
      content: [heading, ...lines, ...notes].join('\n'),
      data: { path: shown, entries, hidden: omitted.hidden, ignored: omitted.ignored, truncated: hasMore },
    };
  },
});

/** The requested part of a directory. */
export interface TreeRequest {
  readonly path: string;
  /** Maximum depth; 1 lists the directory's own entries. */
  readonly depth: number;
  /** Maximum entries. */
  readonly limit: number;
  readonly include_hidden: boolean;
  /** Globs of further entries to exclude. */
  readonly ignore?: readonly string[] | undefined;
}

/** A directory as an indented tree, with the number of omitted entries. */
interface DirectoryTree {
  readonly lines: readonly string[];
  readonly entries: number;
  readonly omitted: { readonly hidden: number; readonly ignored: number };
  /** True if there are entries beyond the limit. */
  readonly hasMore: boolean;
}

/** A listed entry. */
interface Entry {
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
}

/**
 * Lists a directory, sorted by name, down to the requested depth. Beyond the limit, every folder is
 * named before any is opened. Links are listed with their targets and never followed. Throws
 * `ToolError` if it is no directory.
 */
export async function directoryTree(
  { workspace, repositories }: SearchPlaces,
  request: TreeRequest,
): Promise<DirectoryTree> {
  const { files } = workspace;
  const start = files.relative(request.path);
  const repository = repositories.find(
    ({ displayPath: shown }) => start === shown || start.startsWith(`${shown}/`),
  );
  const top = topOf({ path: start, kind: 'directory', repository });
  const ignores = ignoreRules(files, top);
  const unwanted = (request.ignore ?? []).map((glob) => globFilter(glob, start || '.', top));
  const omitted = { hidden: 0, ignored: 0 };
  const inside = new Map<string, Entry[]>();
  let entries = 0;
  let hasMore = false;

  // Level by level, so that the limit cuts the deepest.
  let level = [start];
  for (let depth = 1; depth <= request.depth && level.length > 0 && !hasMore; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const found = await listed(files, folder, folder === start);
      const accepted = found.filter((entry) => isAccepted(entry, { request, ignores, unwanted, omitted }));
      const fitting = accepted.slice(0, request.limit - entries);
      hasMore = fitting.length < accepted.length;
      entries += fitting.length;
      inside.set(folder, fitting);
      append(next, foldersOf(fitting));
      if (hasMore) break;
    }
    level = next;
  }
  return { lines: await render(files, start, inside, ''), entries, omitted, hasMore };
}

const foldersOf = (entries: readonly Entry[]): string[] =>
  entries.filter(({ kind }) => kind === 'directory').map(({ path }) => path);

/** Returns the entries of a folder; empty if a folder below the start cannot be opened. */
async function listed(files: ConfinedFiles, folder: string, isStart: boolean): Promise<Entry[]> {
  const entries = await files.list(folder).catch((error: unknown) => {
    if (isStart || !(error instanceof Error) || error.name !== 'ToolError') throw error;
    return [];
  });
  return entries.map(({ name, kind }) => ({ path: folder === '' ? name : `${folder}/${name}`, name, kind }));
}

function isAccepted(
  { path, name, kind }: Entry,
  by: {
    readonly request: TreeRequest;
    readonly ignores: Ignores;
    readonly unwanted: readonly ((path: string) => boolean)[];
    readonly omitted: { hidden: number; ignored: number };
  },
): boolean {
  if (!by.request.include_hidden && name.startsWith('.')) by.omitted.hidden += 1;
  else if (
    name === '.anode-harness' ||
    by.unwanted.some((matches) => matches(path)) ||
    by.ignores(path, kind === 'directory' ? 'directory' : 'file')
  )
    by.omitted.ignored += 1;
  else return true;
  return false;
}

async function render(
  files: ConfinedFiles,
  folder: string,
  inside: ReadonlyMap<string, readonly Entry[]>,
  indent: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of inside.get(folder) ?? []) {
    lines.push(`${indent}${await describe(files, entry)}`);
    append(lines, await render(files, entry.path, inside, `${indent}  `));
  }
  return lines;
}

/** Renders an entry: `src/`, `main.ts 1.2 KB`, `latest -> v2`, with a link's target as written. */
async function describe(files: ConfinedFiles, { path, name, kind }: Entry): Promise<string> {
  const shown = displayPath(name);
  switch (kind) {
    case 'directory':
      return `${shown}/`;
    case 'symlink': {
      const target = await files.readLink(path).catch(() => '?');
      return `${shown} -> ${displayPath(target)}`;
    }
    case 'file': {
      const info = await files.stat(path);
      return info === null ? shown : `${shown}  ${sizeOf(info.size)}`;
    }
    default:
      return `${shown}  (neither file nor folder)`;
  }
}

/** Renders a size: `120 B`, `1.2 KB`, `3.4 MB`. */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = bytes / 1000;
  let unit = 0;
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${units[unit]}`;
}
