import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { listFiles } from '../../tools/search/list-files.ts';
import { rootsForGlob } from '../../tools/search/search-root.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Files below a folder that are `wanted`, in the order of their names, without ignored ones; `more` where there are more than `most`. */
export async function filesBelow(
  folder: string,
  workspace: Workspace,
  {
    wanted,
    most,
    signal,
  }: { readonly wanted: (path: string) => boolean; readonly most: number; readonly signal: AbortSignal },
): Promise<{ readonly files: readonly string[]; readonly more: boolean }> {
  const { roots } = await rootsForGlob({ workspace, repositories: [] }, folder, undefined);
  const { paths } = await listFiles(workspace, roots, { hidden: false, signal });
  const files = paths.filter(
    (path) => !path.startsWith('../') && isCredentialPath(path) === null && wanted(path),
  );
  return { files: files.slice(0, most), more: files.length > most };
}
