import type { ExternalRun } from './external-run.ts';

/** Folders of which no whole is shown to a program that happens to lie in one: beside a configuration (`more`) lie keys. */
export function closedFolders(
  { environment, root, runFolder }: ExternalRun,
  ...more: readonly (string | undefined)[]
): readonly string[] {
  const all = [environment.HOME, root, runFolder, ...more];
  return all.filter((one): one is string => one !== undefined && one !== '');
}

/** A word of the operator's with their home folder in place of `~/` at its beginning. */
export const atHome = (word: string, home: string | undefined): string =>
  home === undefined ? word : word.replace(/^~(?=\/)/, home);
