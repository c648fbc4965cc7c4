import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';

/**
 * Returns the folder below the root that a run works in, with slashes. Throws
 * `ConfigError` if the checkout has no such folder. A link out of the checkout is none.
 */
export async function configuredStart(root: string, folder: string): Promise<string> {
  const target = path.resolve(root, folder);
  const [real, realRoot] = await Promise.all([realpath(target).catch(() => null), realpath(root)]);
  const isInside = real?.startsWith(`${realRoot}${path.sep}`);
  if (real !== null && isInside && (await stat(real)).isDirectory())
    return path.relative(realRoot, real).replaceAll(path.sep, '/');
  throw new ConfigError(
    `The checkout has no folder ${folder}, which workspace.directory (in a workflow, the input working_directory) names.`,
    { key: 'workspace.directory' },
  );
}
