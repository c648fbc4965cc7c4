import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { globs, integer } from '../../tools/input/lenient.ts';
import { listFiles } from '../../tools/search/list-files.ts';
import { globFilter } from '../../tools/search/match-glob.ts';
import { rootsForGlob } from '../../tools/search/search-root.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import { chunkText, type IndexedChunk, indexedChunk, type SemanticIndex } from './semantic-index.ts';

/** Lines of a chunk that an answer shows, and characters of a line. */
const mostLines = 12;
const mostCharacters = 200;

const input = z.object({
  query: z.string().trim().min(1).max(2_000).describe('a description of what the code does'),
  path: z.string().default('.'),
  glob: globs().optional().describe('*.ts,!test'),
  limit: integer(z.int().positive().max(50)).default(10),
});

/** Finds code by what it means. */
export function semanticSearch(
  index: SemanticIndex,
  { budgetMs, now }: { readonly budgetMs: number; readonly now: () => number },
): Tool {
  return defineTool({
    name: 'semantic_search',
    argumentAliases: { q: 'query', question: 'query', directory: 'path', max_results: 'limit' },
    description:
      'Find code by meaning ("where is the conversation shortened"), not by its words: files with lines, the nearest first. For names and texts use code_search and grep.',
    exposure: 'deferred',
    input,
    level: 'external_read',
    targets: ({ query, path }) => ({
      what: path === '.' ? query : `${query} in ${path}`,
      paths: [{ path, access: 'read' }],
    }),
    async execute({ query, path, glob, limit }, context) {
      const { chunks, files, ...rest } = await indexedFiles('.', context);
      const { signal } = context;
      const waiting = await index.update(chunks, { deadline: now() + budgetMs, now, signal });
      const fits = filterOf(path, glob, context.workspace.files.relative(path));
      const wanted = chunks.filter((chunk) => fits(chunk.path));
      const found = await index.nearest(query, wanted, limit, signal);
      const notes: string[] = [];
      if (wanted.length === 0)
        notes.push(`No text lies in ${path}${glob === undefined ? '' : ` that ${glob} fits`}.`);
      if (waiting > 0)
        notes.push(
          `[${waiting} of ${chunks.length} parts are not indexed yet and were not looked at; call again to go on]`,
        );
      return {
        content: [...found.map(renderHit), ...notes, ...omitted(rest)].join('\n'),
        data: {
          results: found.map(({ chunk: { path: file, start, end }, score }) => ({
            ...{ path: file, start_line: start, end_line: end },
            score: Number(score.toFixed(4)),
          })),
          ...{ files, parts: chunks.length, not_indexed: waiting },
          ...{ files_left_out: rest.left, files_too_large: rest.tooLarge, cut: rest.cut },
        },
      };
    },
  });
}

function renderHit({ chunk, score }: { readonly chunk: IndexedChunk; readonly score: number }): string {
  const lines = chunk.text.split('\n');
  const shown = lines
    .slice(0, mostLines)
    .map((line, at) => `${chunk.start + at}\t${line.slice(0, mostCharacters)}`);
  const hidden = lines.length - shown.length;
  const more = hidden > 0 ? [`[… ${hidden} more lines]`] : [];
  const head = `${chunk.path}:${chunk.start}-${chunk.end} (${score.toFixed(2)})`;
  return [head, ...shown, ...more].join('\n');
}

/** Parts of the repository that no answer can come from, a line each. */
function omitted({ tooLarge, cut, left, unlisted }: Omit<IndexedFiles, 'chunks' | 'files'>): string[] {
  const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return [
    ...(tooLarge === 0 ? [] : [`${of(tooLarge, 'text file')} of more than 256 KiB`]),
    ...(cut === null ? [] : [`${cut.path} from line ${cut.line} on, as the index is full`]),
    ...(left === 0 ? [] : [`up to ${of(left, 'more file')}, as the index is full`]),
    ...(unlisted ? ['files beyond the longest list of them'] : []),
  ].map((what) => `[not searched: ${what}; use grep there]`);
}

function filterOf(path: string, glob: string | undefined, folder: string): (file: string) => boolean {
  const below = (file: string) => folder === '' || file === folder || file.startsWith(`${folder}/`);
  const matches = glob === undefined ? () => true : globFilter(glob, path === '' ? '.' : path);
  return (file) => below(file) && matches(file);
}

/** Bounds of one index. */
const most = { fileBytes: 256 * 1024, chunks: 8_000 } as const;

/** Generated files, which are not indexed. */
const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.(?:lock|lockb|min\.js|min\.css|map|svg|snap))$|(?:^|\/)pnpm-lock\.yaml$/i;

/** The chunks of an index, with counts of omitted files. */
interface IndexedFiles {
  readonly chunks: readonly IndexedChunk[];
  /** Files that chunks are of. */
  readonly files: number;
  /** Text files that are too large. */
  readonly tooLarge: number;
  /** The file that fits only in part: lines from `line` on are omitted. Null for none. */
  readonly cut: { readonly path: string; readonly line: number } | null;
  /** Files omitted for lack of space, text or not. */
  readonly left: number;
  /** True where there are more files than could be listed. */
  readonly unlisted: boolean;
}

/** The chunks of files below a folder that git does not ignore, within the bounds. */
async function indexedFiles(path: string, context: ToolContext): Promise<IndexedFiles> {
  const { workspace, signal } = context;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, path, undefined);
  const { paths, truncated: unlisted } = await listFiles(workspace, roots, { hidden: false, signal });
  const wanted = paths.filter((one) => !generated.test(one) && isCredentialPath(one) === null);
  const chunks: IndexedChunk[] = [];
  let [files, tooLarge] = [0, 0];
  for (const [index, file] of wanted.entries()) {
    signal.throwIfAborted();
    const budget = most.chunks - chunks.length;
    if (budget === 0) return { chunks, files, tooLarge, cut: null, left: wanted.length - index, unlisted };
    const text = await textOf(file, context);
    if (text === 'too large') tooLarge += 1;
    if (text === 'too large' || text === null) continue;
    const parts = chunkText(text.text);
    for (const chunk of parts.slice(0, budget)) chunks.push(indexedChunk(file, chunk));
    if (parts.length > 0) files += 1;
    const next = parts[budget];
    if (next === undefined) continue;
    const cut = { path: file, line: next.start };
    return { chunks, files, tooLarge, cut, left: wanted.length - index - 1, unlisted };
  }
  return { chunks, files, tooLarge, cut: null, left: 0, unlisted };
}

/** Null if it is binary, missing or unreadable. */
async function textOf(
  path: string,
  { workspace }: ToolContext,
): Promise<{ readonly text: string } | 'too large' | null> {
  const file = await unlessToolError(() => workspace.files.read(path, most.fileBytes));
  if (file === null || isBinary(file.bytes)) return null;
  if (file.size > most.fileBytes) return 'too large';
  return isUtf8(file.bytes) ? { text: file.bytes.toString('utf8') } : null;
}
