import { execFile } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { ownVersion } from '../src/contract/own-version.ts';
import type { Client } from './measure-run.ts';
import { markdownTable, number } from './table.ts';

/** Medians of one program in the small repository. Times in ms. */
export interface PeerFigures {
  readonly name: string;
  /** Start to first request. */
  readonly first: number;
  /** The whole process with 0, 10 and 50 turns. */
  readonly walls: readonly number[];
  readonly gap: number;
  readonly firstBytes: number;
  /** Over 50 turns: sent bytes, and those that the provider's cache cannot have. */
  readonly bytes: number;
  readonly freshBytes: number;
}

/** Renders the figures of all programs side by side. A token is about four bytes. */
export function renderPeers(figures: readonly PeerFigures[]): string {
  const head = [
    ...['', 'first request', '0 turns', '10 turns', '50 turns', 'a shell turn'],
    ...['first request', 'sent in 50 turns', 'of it not cached', 'tokens not cached'],
  ];
  const kilobytes = (bytes: number) => number(bytes / 1_000, 'KB');
  const rows = figures.map((one) => [
    one.name,
    ...[one.first, ...one.walls, one.gap].map((time) => number(time, 'ms')),
    ...[one.firstBytes, one.bytes, one.freshBytes].map(kilobytes),
    number(one.freshBytes / 4_000, 'K'),
  ]);
  return markdownTable(head, rows);
}

/** Renders `RESULTS.md`: the machine, the versions and the tables. */
export async function renderResults(tables: readonly string[], peers: readonly Client[]): Promise<string> {
  const [processor] = cpus();
  const machine = `${cpus().length} cores (${processor?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
  const versions = await Promise.all(
    peers
      .filter(({ program }, index) => peers.findIndex((one) => one.program === program) === index)
      .map(async ({ name, program = '' }) => `${name} ${await versionOf(program)}`),
  );
  const programs = [`Anode CI ${ownVersion}`, `Node ${process.versions.node}`, ...versions].join(', ');
  return `# Results of \`npm run bench\`

Written by the command on ${new Date().toISOString().slice(0, 10)}. Medians; the programs took turns on the same machine.

- Machine: ${machine}
- Programs: ${programs}
- Peers are the agents that were on the path. The model is a script on loopback, so all time is the
  program's own. A byte counts as cached if the request before had it in front and a cache marker.

${tables.join('\n\n')}
`;
}

async function versionOf(program: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version']);
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'of unknown version';
  } catch {
    return 'of unknown version';
  }
}
