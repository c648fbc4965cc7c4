import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Client } from './measure-run.ts';

/** A command-line agent that others make and that can use a server with Anthropic's protocol. */
interface Peer {
  readonly name: string;
  readonly program: string;
  readonly args: (prompt: string) => readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files below its home, by path; `server` is the address of the model. */
  readonly files?: (server: string) => Readonly<Record<string, object>>;
}

const claude = (name: string, options: readonly string[]): Peer => ({
  name,
  program: 'claude',
  args: (prompt) => [...options, '-p', prompt, '--allowedTools', 'Bash,Read,Edit,Write'],
  environment: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
});

const peers: readonly Peer[] = [
  claude('claude', []),
  claude('claude --bare', ['--bare']),
  {
    name: 'pi',
    program: 'pi',
    args: (prompt) => ['--provider', 'bench', '--model', 'bench', '-p', prompt],
    environment: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
    files: (server) => ({
      '.pi/agent/models.json': {
        providers: { bench: { baseUrl: server, apiKey: 'none', api: 'anthropic-messages', models: [model] } },
      },
    }),
  },
];

const model = {
  ...{ id: 'bench', name: 'bench', reasoning: false, input: ['text'] },
  ...{ contextWindow: 1_000_000, maxTokens: 8_192 },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};

/** Returns the peers that are on the path, as programs to measure. */
export function installedPeers(prompt: string): Client[] {
  return peers.flatMap(({ name, program, args, environment, files }) => {
    const file = findProgram(program);
    return file === null ? [] : [{ name, program: file, args: args(prompt), environment, files }];
  });
}

function findProgram(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}
