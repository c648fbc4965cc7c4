import { accessSync, constants, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import * as path from 'node:path';
import { ConfigError, systemReason } from '../../contract/errors.ts';

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
  const folder = makeFolder(options);
  const spillFolder = path.join(folder, 'spill');
  mkdirSync(spillFolder, { mode: 0o700 });
  return {
    runId: options.runId,
    folder,
    ledgerFile: path.join(folder, 'ledger.jsonl'),
    spillFolder,
    beforeFolder: path.join(folder, 'before'),
  };
}

type Wanted = { readonly base: string; readonly runId: string };

/** Makes base and folder in one step: the ends of other runs delete the base while it is empty. */
function makeFolder({ base, runId }: Wanted): string {
  refuseForeign(statSync(base, { throwIfNoEntry: false }), base);
  const folder = path.join(base, runId);
  let first: string | undefined;
  try {
    first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // On a read-only file system Node reports a missing folder.
    const why = whyNotWritable(path.dirname(base)) ?? error;
    throw new ConfigError(
      `${base}, where runs keep their records, cannot be made: ${systemReason(why)}. Set TMPDIR to a folder that this user can write.`,
      { key: 'TMPDIR' },
      { cause: error },
    );
  }
  const real = path.join(realpathSync(base), runId);
  if (first === undefined) throw new ConfigError(`A run with this id exists already: ${real}`);
  refuseForeign(statSync(base), base);
  return real;
}

function whyNotWritable(folder: string): unknown {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * In a shared temporary folder another user could create the base first, to read or forge records.
 */
function refuseForeign(found: Stats | undefined, base: string): void {
  if (found === undefined || (found.uid === process.geteuid?.() && (found.mode & 0o022) === 0)) return;
  throw new ConfigError(
    `${base} can be written to by another user, who could read or forge what runs keep there. Remove it, or set TMPDIR to a folder of your own.`,
    { key: 'TMPDIR' },
  );
}
