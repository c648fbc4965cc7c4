import { realpathSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../src/contract/errors.ts';
import { realRelative } from '../src/run/gate/real-relative.ts';

/**
 * Throws `ConfigError` if the folder of `state_dir` lies in the checkout, links resolved. There a
 * pull request could bring state of its own, and the agent could read that of others.
 */
export function checkStateFolder(stateFolder: string, workspace: string): void {
  const root = realpathSync(workspace);
  if (realRelative(root, root, path.resolve(stateFolder)) === null) return;
  throw new ConfigError(
    `The input state_dir: ${stateFolder} lies in the checkout, which a pull request brings and the agent reads. ` +
      'Name a folder outside it, such as one below runner.temp.',
    { key: 'state_dir' },
  );
}
