import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';
import { isCredentialPath } from '../../permissions/credential-paths.ts';
import { listFiles } from '../search/list-files.ts';
import { rootsForGlob } from '../search/search-root.ts';
import { isBinary } from '../text/text-file.ts';
import type { ToolContext } from '../tool.ts';
import { chunkText } from './chunk-text.ts';
import type { IndexedChunk } from './semantic-index.ts';

/** Bounds of one index. */
const most = { fileBytes: 256 * 1024, chunks: 8_000 } as const;

/** What nobody wrote, and nobody looks for by what it means. */
const generated =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|[^/]*\.(?:lock|lockb|min\.js|min\.css|map|svg|snap))$|(?:^|\/)pnpm-lock\.yaml$/i;

/** The chunks of all files below a folder that git does not ignore; `left` is how many files had no room any more. */
export async function indexedFiles(
  path: string,
  context: ToolContext,
): Promise<{ readonly chunks: readonly IndexedChunk[]; readonly files: number; readonly left: number }> {
  const { workspace, signal } = context;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, path, undefined);
  const { paths } = await listFiles(workspace, roots, { hidden: false, signal });
  const wanted = paths.filter((one) => !generated.test(one) && isCredentialPath(one) === null);
  const chunks: IndexedChunk[] = [];
  let files = 0;
  for (const [index, file] of wanted.entries()) {
    signal.throwIfAborted();
    if (chunks.length >= most.chunks) return { chunks, files, left: wanted.length - index };
    const text = await textOf(file, context);
    if (text === null) continue;
    files += 1;
    for (const chunk of chunkText(text)) chunks.push({ ...chunk, path: file });
  }
  return { chunks: chunks.slice(0, most.chunks), files, left: 0 };
}

/** Null for what is no text, is too long, or is gone or closed by now. */
async function textOf(path: string, { workspace }: ToolContext): Promise<string | null> {
  try {
    const { bytes, size } = await workspace.files.read(path, most.fileBytes);
    return size > most.fileBytes || isBinary(bytes) || !isUtf8(bytes) ? null : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
