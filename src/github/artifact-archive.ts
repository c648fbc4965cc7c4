import { unzipSync, zipSync } from 'fflate';

/** Packs one text as the ZIP file that an artifact is. */
export function packText(name: string, text: string): Uint8Array {
  return zipSync({ [name]: Buffer.from(text, 'utf8') });
}

/**
 * Reads one text from the ZIP file of an artifact. Null if it is no ZIP file, lacks the file, or
 * the file has more than `mostBytes` unpacked. Other files are not unpacked.
 */
export function unpackText(archive: Uint8Array, name: string, mostBytes: number): string | null {
  try {
    const files = unzipSync(archive, {
      filter: (file) => file.name === name && file.originalSize <= mostBytes,
    });
    const bytes = files[name];
    return bytes === undefined || bytes.length > mostBytes ? null : Buffer.from(bytes).toString('utf8');
  } catch {
    // Its only errors are about the file's content.
    return null;
  }
}
