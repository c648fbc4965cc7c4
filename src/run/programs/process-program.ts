import { existsSync } from 'node:fs';
import path from 'node:path';

/** The file of a process of ours by its name (`syntax-process`): at the top of the sources, or in a built program beside its parts or their folder. */
export function processProgram(name: string): string {
  const file = `${name}${path.extname(import.meta.filename)}`;
  const candidates = ['.', '..'].map((up) => path.join(import.meta.dirname, up, file));
  return (
    candidates.find((candidate) => existsSync(candidate)) ?? path.join(import.meta.dirname, '../..', file)
  );
}
