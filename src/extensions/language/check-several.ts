import { ToolError } from '../../contract/errors.ts';
import type { LanguageCall, LanguageServers } from './language-run.ts';
import { type CheckedFile, checkFiles } from './read-diagnostics.ts';

/**
 * What servers say of files that may have several servers, side by side by kind of file, in the order of `paths`. What fails for some
 * is told in `failed`, a line each; where it fails for all it is thrown.
 */
export async function checkSeveral(
  paths: readonly string[],
  servers: LanguageServers,
  call: LanguageCall,
  waitMs: number | null,
): Promise<{ readonly files: CheckedFile[]; readonly failed: readonly string[] }> {
  const groups = new Map<string, string[]>();
  const keys = await servers.keysOf(paths, call);
  for (const [index, path] of paths.entries()) {
    const key = keys[index] ?? '';
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  const checked = await Promise.all(
    [...groups.values()].map((group) =>
      checkFiles(group, servers, call, waitMs).catch((error: unknown) => {
        if (error instanceof ToolError) return error;
        throw error;
      }),
    ),
  );
  const files = checked.flatMap((one) => (one instanceof ToolError ? [] : one));
  const errors = checked.filter((one) => one instanceof ToolError);
  const [first] = errors;
  if (first !== undefined && files.length === 0) throw first;
  const order = new Map(paths.map((path, index) => [path, index]));
  files.sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
  return { files, failed: errors.map(({ message }) => `[${message}]`) };
}
