import { rootsForGlob } from '../../tools/search/search-root.ts';
import { searchText } from '../../tools/search/search-text.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LanguageServers, ServerInUse } from './language-run.ts';

/** So many of them are opened for one question. */
const mostFiles = 60;
/** A longer name, in characters, is none that anybody wrote, and no argument of a program. */
const longestName = 1_000;

/**
 * Files besides `path` in whose text a name stands and that the server in use reads, at most 60; `more` counts the others. Servers look
 * for references in what a project's configuration names and what is open, so that tests that it leaves out are found only if open.
 */
export async function filesNaming(
  name: string,
  path: string,
  { key, reads }: Pick<ServerInUse, 'key' | 'reads'>,
  servers: Pick<LanguageServers, 'keysOf'>,
  call: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly more: number }> {
  if (name === '' || name.length > longestName) return { files: [], more: 0 };
  const { workspace, signal } = call;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, '.', undefined);
  const query = { pattern: name, regex: false, caseSensitive: true, wordMatch: true, glob: undefined };
  // The server knows what it knows without this, too.
  const searched = await unlessToolError(() =>
    searchText(workspace, roots, { ...query, maxMatches: 1, context: 0 }, signal),
  );
  const holding = [...new Set((searched?.lines ?? []).map((line) => line.path))].filter(
    (one) => one !== path && !one.startsWith('../') && reads(one),
  );
  const near = holding.slice(0, mostFiles);
  // Of one language, but of another project.
  const keys = await servers.keysOf(near, call);
  return { files: near.filter((_, index) => keys[index] === key), more: holding.length - near.length };
}
