import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Where the package `@pydantic/monty` lies beside this program. */
export interface FoundMonty {
  readonly file: string;
  /** Folders that have to be shown to whoever loads it: the native part is a package of its own. */
  readonly folders: readonly string[];
}

/** Looks for the package where this program's own lie, never in a checkout; null where it is not installed, or not for this machine. */
export function findMonty(from: string = import.meta.filename): FoundMonty | null {
  try {
    const file = realpathSync(createRequire(from).resolve('@pydantic/monty'));
    const { platform, arch } = process;
    const native = createRequire(file).resolve(`@pydantic/monty-${platform}-${arch}-gnu`);
    const folders = [path.dirname(path.dirname(file)), path.dirname(path.dirname(realpathSync(native)))];
    return { file, folders: [...new Set(folders)] };
  } catch {
    return null;
  }
}
