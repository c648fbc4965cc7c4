import path from 'node:path';
import type { Outcome } from '../contract/outcome.ts';
import { limitKeys } from '../reporting/report/limit-keys.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';

/**
 * Describes the options after a stopped run, one line each. `goesOn` is true if its session is
 * stored. `folder` is its record in the checkout.
 */
export function describeGoingOn(
  { stop, run_id, changes }: Pick<Outcome, 'stop' | 'run_id' | 'changes'>,
  folder: string,
  goesOn: boolean,
): string[] {
  const key = stop === null ? undefined : limitKeys[stop.kind];
  const option = stop?.kind === 'turn_limit' ? '--max-turns, or ' : '';
  const files = changes.files.length;
  return [
    ...(files === 0 ? [] : ['What it changed so far is in the checkout.']),
    ...(goesOn
      ? [
          `Go on from here, with limits of its own: anode resume ${run_id} --cwd ${quotedWord(path.resolve(folder, '../..'))}`,
        ]
      : []),
    ...(key === undefined
      ? []
      : [`For more in one run: raise ${option}${key} in the configuration (--config, or your own).`]),
  ];
}
