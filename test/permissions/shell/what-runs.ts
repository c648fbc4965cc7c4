import { analyseScript } from '../../../src/permissions/shell/analyse-script.ts';

/**
 * Prints what a script runs: each command by its words after quote removal (`?` for a computed
 * one), after `elsewhere:` if its folder is unknown; last, the reason why something else may run.
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
