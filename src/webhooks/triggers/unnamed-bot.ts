import type { RunHost } from '../../config/parse-repository-config.ts';

/** Names what would let a bot start runs, as the end of a sentence without its full stop. */
export function unnamedBot(host: RunHost | undefined): string {
  return host === 'action'
    ? 'that neither `triggers.allowBots` nor the input `allowed_bots` names'
    : 'that triggers.allowBots does not name';
}
