import { existsSync } from 'node:fs';
import path from 'node:path';

/** The file of the process that parses: beside this one, or beside the folder of parts in a built program. */
export function syntaxProgram(): string {
  const name = `syntax-process${path.extname(import.meta.filename)}`;
  const beside = path.join(import.meta.dirname, name);
  return existsSync(beside) ? beside : path.join(import.meta.dirname, '..', name);
}
