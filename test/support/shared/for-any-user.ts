import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { makeOnce } from './make-once.ts';

/**
 * A folder with the Node of these tests and the machine's npm. A user can start them who must not
 * enter the folder of the checkout or the home of the tests' user. Only to be put on a PATH.
 */
export function programsForAnyUser(): Promise<string> {
  return makeOnce('programs', async (folder) => {
    await chmod(folder, 0o755);
    await copyFile(process.execPath, path.join(folder, 'node'));
    const npm = realpathSync(execFileSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
    await mkdir(path.join(folder, 'lib'));
    await cp(path.resolve(npm, '../..'), path.join(folder, 'lib/npm'), { recursive: true });
    await symlink(path.join('lib/npm/bin', path.basename(npm)), path.join(folder, 'npm'));
  });
}

/** Bundles a program of the tests into one file that any user may read; gives its path. */
export async function bundleForAnyUser(entry: string): Promise<string> {
  const { name } = path.parse(entry);
  const folder = await makeOnce(`bundle-${name}`, async (draft) => {
    await chmod(draft, 0o755);
    await build({
      ...{ entryPoints: [entry], outfile: path.join(draft, `${name}.mjs`), bundle: true },
      ...{ platform: 'node', format: 'esm', target: 'node24', logLevel: 'warning' },
      banner: {
        js: "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);",
      },
    });
  });
  return path.join(folder, `${name}.mjs`);
}
