import { ToolError } from '../../contract/errors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { rootsForGlob } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';
import type { LanguageServers } from './language-run.ts';
import { textOf } from './open-documents.ts';

/** So many of them are opened for one question. */
const mostFiles = 60;

/**
 * Files besides `path` in whose text a name stands and that the same server reads, at most 60; `more` counts the others. Servers look
 * for references in what a project's configuration names and what is open, so that tests that it leaves out are found only if open.
 */
export async function filesNaming(
  name: string,
  path: string,
  servers: LanguageServers,
  call: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly more: number }> {
  const { workspace, signal } = call;
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, '.', undefined);
  const query = { pattern: name, regex: false, caseSensitive: true, wordMatch: true, glob: undefined };
  const { lines } = await searchText(workspace, roots, { ...query, maxMatches: 1, context: 0 }, signal).catch(
    (error: unknown) => {
      // The server knows what it knows without this, too.
      if (error instanceof ToolError) return { lines: [] };
      throw error;
    },
  );
  const holding = [...new Set(lines.map((line) => line.path))].filter(
    (one) => one !== path && !one.startsWith('../') && servers.knows(one),
  );
  const key = await servers.keyOf(path, call);
  const files: string[] = [];
  for (const one of holding.slice(0, mostFiles)) {
    if ((await servers.keyOf(one, call)) !== key) continue;
    const text = await textOf(one, workspace).catch((error: unknown) => {
      if (error instanceof ToolError) return null;
      throw error;
    });
    if (text !== null) files.push(one);
  }
  return { files, more: Math.max(0, holding.length - mostFiles) };
}
