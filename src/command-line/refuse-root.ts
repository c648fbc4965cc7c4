import { ConfigError } from '../contract/errors.ts';

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
