import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';

/**
 * Shows what a script runs: each command by its words after quote removal (`?` for one that bash computes), behind
 * `elsewhere:` where its folder is not known; last, why something else may run.
 */
export function whatRuns(script: string): string[] {
  const { commands, unknown } = analyseScript(script);
  const runs = commands.map(({ words, assignments, folders }) =>
    [
      ...(folders === null ? ['elsewhere:'] : []),
      ...assignments,
      ...words.map(({ value }) => value ?? '?'),
    ].join(' '),
  );
  return unknown === null ? runs : [...runs, unknown];
}
