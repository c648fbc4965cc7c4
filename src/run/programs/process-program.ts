import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the file of one of our processes, such as `syntax-process`. The file is at the top of the
 * sources; in a built program, beside its parts or their folder.
 */
export function processProgram(name: string): string {
  const file = `${name}${path.extname(import.meta.filename)}`;
  const candidates = ['.', '..'].map((up) => path.join(import.meta.dirname, up, file));
  return (
    candidates.find((candidate) => existsSync(candidate)) ?? path.join(import.meta.dirname, '../..', file)
  );
}

/** Returns the file of the process that parses. */
export function syntaxProgram(): string {
  return processProgram('syntax-process');
}
