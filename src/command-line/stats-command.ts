import { readAccounts } from '../app/read-accounts.ts';
import { readEnvironment } from '../config/environment.ts';
import { foldAccounts, type StatsKey, statsKeys } from '../reporting/stats/fold-accounts.ts';
import { renderStats } from '../reporting/stats/render-stats.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { openStoredState } from './open-stored-state.ts';
import { parseArguments, usageError, wholeNumber } from './parse-arguments.ts';

const options = { by: { type: 'string' }, days: { type: 'string' }, json: { type: 'boolean' } } as const;

const day = 24 * 60 * 60 * 1000;

/** Runs `anode stats`: prints cost and results of the stored runs by group. Returns exit code 0. */
export async function statsCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('stats', args, options);
  if (positionals.length > 0) throw usageError('stats', `it takes no ${positionals[0]}.`);
  const by = keysOf(values.by as string | undefined);
  const days = wholeNumber('stats', 'days', values.days as string | undefined);
  const since = days === null ? new Date(0) : new Date(Date.now() - days * day);
  const places = await openStoredState(readEnvironment(context.environment));
  try {
    const accounts = await Promise.all(places.map(({ ports }) => readAccounts(ports.state, since)));
    const stats = foldAccounts(accounts.flat(), by);
    if (values.json === true) context.write(`${JSON.stringify(stats, null, 2)}\n`);
    else if (stats.length === 0) context.write('No run is stored.\n');
    else context.write(`${renderStats(stats, by).split('\n').map(logLine).join('\n')}\n`);
    return 0;
  } finally {
    for (const place of places) await place.close();
  }
}

function keysOf(text = 'repository,model,profile'): StatsKey[] {
  return text.split(',').map((word) => {
    const key = statsKeys.find((one) => one === word.trim());
    if (key === undefined)
      throw usageError('stats', `--by takes ${statsKeys.join(', ')}, and not ${word.trim() || 'nothing'}.`);
    return key;
  });
}
