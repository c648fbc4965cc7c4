import { posix } from 'node:path';
import type { SimpleCommand } from './simple-command.ts';
import { programName } from './unwrap.ts';

/** Programs whose plain arguments are files that they make, change or delete. */
const writers = new Set(
  'tee cp mv rm rmdir mkdir touch ln install truncate chmod chown patch sed perl rsync unlink dd vi vim ed ex'.split(
    ' ',
  ),
);

/**
 * The paths that a simple command names and would write, relative to where the script starts. Only what the
 * words show, so that a plain attempt gets a plain refusal; the sandbox and the publisher hold the rest.
 */
export function writtenPaths(command: SimpleCommand): string[] {
  const [program, ...rest] = command.words;
  const name = programName(program?.value ?? '');
  if (!writers.has(name) && !(name === 'git' && /^(mv|rm|checkout|restore)$/.test(rest[0]?.value ?? '')))
    return [];
  const edits =
    !/^(sed|perl)$/.test(name) || rest.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word.value ?? ''));
  if (!edits) return [];
  const folders = command.folders ?? [''];
  return rest.flatMap((word) => {
    const value = word.value?.replace(/^(of=|--target-directory=)/, '');
    if (value === undefined || value.startsWith('-')) return [];
    return value.startsWith('/') ? [value] : folders.map((folder) => posix.join(folder, value));
  });
}
