import { readFile } from 'node:fs/promises';

/** Reads the prices of a file: one record a line, fields separated by semicolons. */
export async function readPrices(file) {
  const text = await readFile(file, 'utf8');
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split(';').map((field) => field.trim()));
  return rows.map(([name, value]) => ({ name, price: Number(value) }));
}
