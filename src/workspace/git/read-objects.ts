import { createHash } from 'node:crypto';
import { type GitLocation, runGit } from './run-git.ts';

/**
 * Splits the output of `git cat-file --batch` into objects, for any chunking: a line `<name> <type>
 * <size>`, the bytes, a newline. `take` gets the bytes of an object in chunks.
 */
export function batchReader(take: (object: string, chunk: Buffer) => void): (chunk: Buffer) => void {
  let header = '';
  let object = '';
  let left = 0;
  const takeBytes = (chunk: Buffer, at: number): number => {
    const bytes = chunk.subarray(at, at + left);
    // The newline after the object is counted but not passed on.
    take(object, bytes.length === left ? bytes.subarray(0, -1) : bytes);
    left -= bytes.length;
    return at + bytes.length;
  };
  const takeHeader = (chunk: Buffer, at: number): number => {
    const end = chunk.indexOf(0x0a, at);
    header += chunk.toString('latin1', at, end === -1 ? undefined : end);
    if (end === -1) return chunk.length;
    const [name = '', type = '', size = ''] = header.split(' ');
    header = '';
    if (type !== 'missing') {
      object = name;
      left = Number(size) + 1;
    }
    return end + 1;
  };
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) at = left > 0 ? takeBytes(chunk, at) : takeHeader(chunk, at);
  };
}

async function eachObject(
  git: GitLocation,
  objects: readonly string[],
  take: (object: string, chunk: Buffer) => void,
): Promise<void> {
  const wanted = new Set(objects);
  if (wanted.size === 0) return;
  await runGit(['cat-file', '--batch'], {
    ...git,
    stdin: `${[...wanted].join('\n')}\n`,
    onOutput: batchReader(take),
  });
}

/** Returns the SHA-256 (hex) of each object's content; omits missing objects. */
export async function hashObjects(
  git: GitLocation,
  objects: readonly string[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  await eachObject(git, objects, (object, chunk) => {
    const hash = hashes.get(object) ?? createHash('sha256');
    hashes.set(object, hash.update(chunk));
  });
  return new Map([...hashes].map(([object, hash]) => [object, hash.digest('hex')]));
}

/** Returns the content of each object; omits missing objects. */
export async function readObjects(
  git: GitLocation,
  objects: readonly string[],
): Promise<Map<string, Buffer>> {
  const pieces = new Map<string, Buffer[]>();
  await eachObject(git, objects, (object, chunk) => {
    pieces.set(object, [...(pieces.get(object) ?? []), chunk]);
  });
  return new Map([...pieces].map(([object, chunks]) => [object, Buffer.concat(chunks)]));
}
