import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { ConfigError, systemReason } from '../../contract/errors.ts';
import { errorCode } from '../files/open-confined.ts';

/** Folder of one run, outside the checkout, readable only by its own user. */
export interface RunFolder {
  readonly runId: string;
  readonly folder: string;
  /** The run ledger, JSON lines. */
  readonly ledgerFile: string;
  /** Outputs too long for the model. */
  readonly spillFolder: string;
  /** Contents of files before the run changed them. */
  readonly beforeFolder: string;
}

/**
 * Creates the folder of a run below `base`, which is made too. Throws `ConfigError` if the id has
 * other characters than letters, digits, `_` and `-`, or already exists. Throws it too if `base` is
 * open to other users or cannot be made.
 */
export async function createRunFolder(options: {
  readonly base: string;
  readonly runId: string;
}): Promise<RunFolder> {
  if (!/^[\w-]+$/.test(options.runId)) {
    throw new ConfigError(`A run's id has letters, digits, _ and - only, not: ${options.runId}`);
  }
  const folder = await makeFolder(options).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    // The end of another run deleted the empty base in between.
    return makeFolder(options);
  });
  const spillFolder = path.join(folder, 'spill');
  await mkdir(spillFolder, { mode: 0o700 });
  return {
    runId: options.runId,
    folder,
    ledgerFile: path.join(folder, 'ledger.jsonl'),
    spillFolder,
    beforeFolder: path.join(folder, 'before'),
  };
}

async function makeFolder(options: { readonly base: string; readonly runId: string }): Promise<string> {
  await mkdir(options.base, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
    // On a read-only file system Node reports a missing folder.
    const why = await access(path.dirname(options.base), constants.W_OK).then(
      () => error,
      (denied: unknown) => denied,
    );
    throw new ConfigError(
      `${options.base}, where runs keep their records, cannot be made: ${systemReason(why)}. Set TMPDIR to a folder that this user can write.`,
      { key: 'TMPDIR' },
      { cause: error },
    );
  });
  await refuseForeign(options.base);
  const folder = path.join(await realpath(options.base), options.runId);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new ConfigError(`A run with this id exists already: ${folder}`, {}, { cause: error });
  }
  return folder;
}

/**
 * In a shared temporary folder another user could create the base first, to read or forge records.
 */
async function refuseForeign(base: string): Promise<void> {
  const { uid, mode } = await stat(base);
  if (uid === process.geteuid?.() && (mode & 0o022) === 0) return;
  throw new ConfigError(
    `${base} can be written to by another user, who could read or forge what runs keep there. Remove it, or set TMPDIR to a folder of your own.`,
    { key: 'TMPDIR' },
  );
}
