import { execFileSync } from 'node:child_process';

const program = `
  process.chdir(process.argv[1]);
  for (let depth = 0; depth < 300; depth += 1) {
    require('node:fs').mkdirSync('a'.repeat(20));
    process.chdir('a'.repeat(20));
  }
  require('node:fs').writeFileSync('file', '');`;

/** Nests folders until their path exceeds PATH_MAX (4,096 bytes). The last one has a file. */
export function goDeep(folder: string): void {
  execFileSync(process.execPath, ['-e', program, folder]);
}
