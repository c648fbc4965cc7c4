import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { listFiles } from '../../tools/search/list-files.ts';
import { rootsForGlob } from '../../tools/search/search-root.ts';
import { isBinary } from '../../tools/text/text-file.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { chunkText } from './chunk-text.ts';
import { type IndexedChunk, indexedChunk } from './semantic-index.ts';

/** Bounds of one index. */
const most = { fileBytes: 256 * 1024, chunks: 8_000 } as const;

/** What nobody wrote, and nobody looks for by what it means. */
const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.(?:lock|lockb|min\.js|min\.css|map|svg|snap))$|(?:^|\/)pnpm-lock\.yaml$/i;

/** What an index is made from, and all that it leaves out. */
export interface IndexedFiles {
  readonly chunks: readonly IndexedChunk[];
  /** Files that chunks are of. */
  readonly files: number;
  /** Text files that are too large, however much room there was. */
  readonly tooLarge: number;
  /** The file that only began to fit: its lines from `line` on are in no chunk. Null where there is none. */
  readonly cut: { readonly path: string; readonly line: number } | null;
  /** Files that had no room any more; nobody looked whether they are texts. */
  readonly left: number;
  /** True where there are more files than could be listed. */
  readonly unlisted: boolean;
}

/** The chunks of all files below a folder that git does not ignore, as far as they have room. */
export async function indexedFiles(path: string, context: ToolContext): Promise<IndexedFiles> {
  const { workspace, signal } = context;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, path, undefined);
  const { paths, truncated: unlisted } = await listFiles(workspace, roots, { hidden: false, signal });
  const wanted = paths.filter((one) => !generated.test(one) && isCredentialPath(one) === null);
  const chunks: IndexedChunk[] = [];
  let [files, tooLarge] = [0, 0];
  for (const [index, file] of wanted.entries()) {
    signal.throwIfAborted();
    const room = most.chunks - chunks.length;
    if (room === 0) return { chunks, files, tooLarge, cut: null, left: wanted.length - index, unlisted };
    const text = await textOf(file, context);
    if (text === 'too large') tooLarge += 1;
    if (text === 'too large' || text === null) continue;
    const parts = chunkText(text.text);
    for (const chunk of parts.slice(0, room)) chunks.push(indexedChunk(file, chunk));
    if (parts.length > 0) files += 1;
    const next = parts[room];
    if (next === undefined) continue;
    const cut = { path: file, line: next.start };
    return { chunks, files, tooLarge, cut, left: wanted.length - index - 1, unlisted };
  }
  return { chunks, files, tooLarge, cut: null, left: 0, unlisted };
}

/** Null for what is no text, or is gone or closed by now. */
async function textOf(
  path: string,
  { workspace }: ToolContext,
): Promise<{ readonly text: string } | 'too large' | null> {
  try {
    const { bytes, size } = await workspace.files.read(path, most.fileBytes);
    if (isBinary(bytes)) return null;
    if (size > most.fileBytes) return 'too large';
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : null;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
