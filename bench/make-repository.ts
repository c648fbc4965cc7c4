import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a git repository of about so many TypeScript files, at least 100. Files numbered 0 to 99
 * are in `src/m0` to `src/m9`, where the scripted model reads them.
 */
export function makeRepository(folder: string, files: number): string {
  const content = (file: number) =>
    Array.from(
      { length: 20 },
      (_, index) => `export const f${file}_${index} = (a: number): number => a * ${index};\n`,
    );
  for (let file = 0; file < files; file += 1) {
    const place = file < 100 ? `src/m${file % 10}` : `packages/p${Math.floor(file / 100)}/src`;
    mkdirSync(path.join(folder, place), { recursive: true });
    writeFileSync(path.join(folder, place, `f${file}.ts`), content(file).join(''));
  }
  writeFileSync(path.join(folder, 'README.md'), '# Throwaway\n\nA repository to measure in.\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git(
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    'commit',
    '--quiet',
    '--message=All',
  );
  return folder;
}
