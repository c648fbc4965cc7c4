import { existsSync } from 'node:fs';
import path from 'node:path';

/** The file of a process of ours by its name (`syntax-process`): beside this one, or beside the folder of parts in a built program. */
export function processProgram(name: string): string {
  const file = `${name}${path.extname(import.meta.filename)}`;
  const beside = path.join(import.meta.dirname, file);
  return existsSync(beside) ? beside : path.join(import.meta.dirname, '..', file);
}
