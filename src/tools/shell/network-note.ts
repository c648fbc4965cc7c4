import { posix } from 'node:path';
import { analyseScript } from '../../permissions/shell/analyse-script.ts';

const ownNetwork =
  'Note: each command has a network of its own. Start the server and what asks it in one command.';
const noNetwork =
  'Note: commands have no network. What has to be downloaded comes by `setup` in the configuration, before a run.';

/**
 * Explains a failure for lack of network; empty otherwise. Decides by the output, as a download may
 * fail for other reasons; for curl and wget, which can be silent, by their targets.
 */
export function networkNote(command: string, output: string, failed: boolean): string {
  const targets = downloads(command);
  const here = targets.some(isLocal) || (targets.length === 0 && isLocal(command));
  if (here && (refused.test(output) || (failed && targets.length > 0))) return ownNetwork;
  const elsewhere = targets.filter((target) => !isLocal(target));
  if (elsewhere.some((target) => failed || scheme.test(target))) return noNetwork;
  return unreached.test(output) && (failed || fetches.test(command)) ? noNetwork : '';
}

/** True if a timed-out command may have waited for a download. */
export function waitedForNetwork(command: string, output: string): boolean {
  return fetches.test(command) && (output.trim() === '' || unreached.test(output));
}

const scheme = /^(?:https?|ftp):\/\//i;
const isLocal = (text: string): boolean => /\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0)\b|\[::1?\]/.test(text);

/** Returns the arguments of curl and wget that are no options: addresses, and values of options. */
function downloads(script: string): string[] {
  if (!/\b(?:curl|wget)\b/.test(script)) return [];
  return analyseScript(script).commands.flatMap(({ words: [program, ...args] }) => {
    if (!['curl', 'wget'].includes(posix.basename(program?.value ?? ''))) return [];
    const given = args.map(({ value, source }) => value ?? source);
    return given.filter(
      (word) => !word.startsWith('-') && (scheme.test(word) || word.includes('.') || isLocal(word)),
    );
  });
}

/** Output of programs when nothing listens at a local address. */
const refused = /ECONNREFUSED|connection refused|failed to connect|couldn.t connect|could not connect/i;

/** Output of programs that cannot reach another machine. */
const unreached = new RegExp(
  [
    'could(?:n.t| not) resolve (?:host|proxy)',
    'temporary failure (?:in name resolution|resolving)',
    'name or service not known',
    'unable to resolve host address',
    'failed to lookup address information',
    'failed to establish a new connection',
    'network is unreachable',
    'dial tcp: lookup',
    'no such host',
    'no matching distribution found',
    String.raw`\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|ENOTCACHED)\b`,
  ].join('|'),
  'i',
);

/** Commands that download, and wait in vain without a network. */
const fetches = new RegExp(
  [
    String.raw`(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:i|ci|install|add|exec|create|dlx|update|upgrade)`,
    String.raw`(?:pip3?|uv\s+pip|pipx|poetry|gem|bundle|composer|cargo|go|apt|apt-get|apk|brew)\s+(?:-\S+\s+)*(?:install|add|download|require|update|get|fetch|mod|sync)`,
    String.raw`git\s+(?:clone|fetch|pull|push)`,
    'npx|pnpx|bunx|uvx|curl|wget',
  ]
    .map((one) => String.raw`(?:^|[\s;&|(])(?:${one})(?![\w-])`)
    .join('|'),
);
