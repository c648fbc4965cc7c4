import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The installed package `@pydantic/monty`. */
export interface FoundMonty {
  readonly file: string;
  /** Folders to mount: the native part is a package of its own. */
  readonly folders: readonly string[];
}

const name = '@pydantic/monty';

/**
 * Looks for the package beside this program's own, never in a checkout. Null if it is missing or
 * not for this machine. Every start calls this: Node's slow search runs only if the folder exists.
 */
export function findMonty(from: string = import.meta.filename): FoundMonty | null {
  let folder = path.dirname(from);
  while (!existsSync(path.join(folder, 'node_modules', name))) {
    const above = path.dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    const file = realpathSync(createRequire(from).resolve(name));
    const { platform, arch } = process;
    const native = createRequire(file).resolve(`${name}-${platform}-${arch}-gnu`);
    const folders = [path.dirname(path.dirname(file)), path.dirname(path.dirname(realpathSync(native)))];
    return { file, folders: [...new Set(folders)] };
  } catch {
    return null;
  }
}
