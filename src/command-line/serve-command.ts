import { once } from 'node:events';
import path from 'node:path';
import { startApp } from '../app/app.ts';
import { createDeliveryProcesses } from '../app/deliveries/delivery-processes.ts';
import { deliveryEnvironment } from '../config/delivery-environment.ts';
import { readEnvironment, requireApp } from '../config/environment.ts';
import { secretValues } from '../config/secret-values.ts';
import { ConfigError } from '../contract/errors.ts';
import { createLog, standardOutput } from '../redaction/create-log.ts';
import { processProgram } from '../run/programs/process-program.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { parseArguments, refuseWords } from './parse-arguments.ts';

/** Runs `anode serve`: the GitHub App, until it is stopped. Active runs end as cancelled. */
export async function serveCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('serve', args, { config: { type: 'string' } });
  refuseWords('serve', positionals);
  const environment = readEnvironment(context.environment);
  requireApp(environment);
  refuseRoot(process.getuid?.(), context.environment.ANODE_ALLOW_ROOT);
  const named = typeof values.config === 'string' ? values.config : undefined;
  const operatorConfig = await localConfig(named, context.environment);
  const secrets = secretValues(context.environment, operatorConfig.providers);
  const output = standardOutput();
  const app = await startApp({
    environment: { ...environment, dataDirectory: path.resolve(environment.dataDirectory) },
    log: createLog(environment.logLevel, output, secrets),
    secrets,
    executor: createDeliveryProcesses({
      file: processProgram('delivery-process'),
      environment: deliveryEnvironment(context.environment),
      longestSilence: environment.stallSeconds * 1_000,
      operatorConfig,
      writeLine: (line) => output.write(line),
      signal: context.signal,
    }),
  });
  if (!context.signal.aborted) await once(context.signal, 'abort');
  await app.close();
  return 0;
}

/**
 * Throws `ConfigError` if the App runs as root (user 0): then root owns all its files, and only the
 * sandbox protects the machine. `ANODE_ALLOW_ROOT=1` is for containers without another user.
 */
export function refuseRoot(user: number | undefined, allowed: string | undefined): void {
  if (user !== 0 || allowed === '1') return;
  throw new ConfigError(
    'The App runs as root, and so would the commands of its runs. Start it as a user of its own (`User=` for systemd, `--user 1000` for a container), to whom the data folder belongs; `ANODE_ALLOW_ROOT=1` starts it as root all the same.',
    { key: 'ANODE_ALLOW_ROOT' },
  );
}
