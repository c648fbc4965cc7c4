import { isUtf8 } from 'node:buffer';

/** Byte length of a UTF-8 character by its first byte (RFC 3629, section 3). */
function lengthAt(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/**
 * Decodes a path from bytes in Latin-1. Names need not be UTF-8: an invalid byte becomes a lone
 * surrogate, as in Python's `surrogateescape` (PEP 383). So names stay distinct, and `bytesOfName`
 * restores the bytes.
 */
export function nameOfBytes(raw: string): string {
  if (/^[\0-\x7f]*$/.test(raw)) return raw;
  const bytes = Buffer.from(raw, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const character = bytes.subarray(at, at + lengthAt(first));
    const valid = character.length === lengthAt(first) && isUtf8(character);
    name += valid ? character.toString('utf8') : String.fromCharCode(0xdc00 + first);
    at += valid ? character.length : 1;
  }
  return name;
}

/** Returns the bytes of a name. */
export function bytesOfName(name: string): Buffer {
  if (name.isWellFormed()) return Buffer.from(name);
  return Buffer.concat(
    Array.from(name, (one) =>
      one.isWellFormed() ? Buffer.from(one) : Buffer.from([one.charCodeAt(0) & 0xff]),
    ),
  );
}

/** Returns a printable name; invalid bytes become `\xff`. */
export function printableName(name: string): string {
  if (name.isWellFormed()) return name;
  return Array.from(name, (one) =>
    one.isWellFormed() ? one : `\\x${(one.charCodeAt(0) & 0xff).toString(16)}`,
  ).join('');
}

/** Returns the path of a folder entry for system calls. */
export function entryPath(folder: string, name: string): string | Buffer {
  return name.isWellFormed()
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(`${folder}/`), bytesOfName(name)]);
}
