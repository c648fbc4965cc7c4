import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve('uploads');

/** Returns an uploaded file by its name, or null. */
export async function readUpload(name) {
  const file = path.join(root, path.basename(name));
  const found = await stat(file).catch(() => null);
  return found === null ? null : readFile(file);
}

/** Returns a page of the names, 20 a page; the first page is 1. */
export function pageOf(names, page) {
  const start = (page - 1) * 20;
  return names.slice(start, start + 20);
}
