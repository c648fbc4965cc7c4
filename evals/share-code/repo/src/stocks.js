import { readFile } from 'node:fs/promises';

/** Reads the stocks of a file: one record a line, fields separated by semicolons. */
export async function readStocks(file) {
  const text = await readFile(file, 'utf8');
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split(';').map((field) => field.trim()));
  return rows.map(([name, value]) => ({ name, stock: Number.parseInt(value, 10) }));
}
