import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buildBundle, bundles } from '../scripts/build.ts';
import { makeRepository } from './make-repository.ts';
import { type Client, measureRun, type Run } from './measure-run.ts';
import { installedPeers } from './peers.ts';
import { type PeerFigures, renderPeers, renderResults } from './results.ts';
import { median, missedRows, type Row, renderTable } from './table.ts';

const root = path.resolve(import.meta.dirname, '..');
const prompt = 'Work through the files one at a time, then say that you are done.';

const anode = (sandbox: string): Client => ({
  name: sandbox === 'off' ? 'anode' : 'anode, sandbox',
  args: [
    path.join(root, 'dist', 'cli.js'),
    ...['run', '--prompt', prompt, '--model', 'anthropic/bench'],
    ...['--preset', 'unrestricted', '--sandbox', sandbox, '--max-turns', '100'],
  ],
});
const floor: Client = { name: 'floor', args: [path.join(root, 'bench', 'floor-loop.mjs'), prompt] };
const plain = anode('off');
const sandboxed = anode('required');
const peers = installedPeers(prompt);

/** Other profiles, of which the first request is measured: bytes that a request may have at most. */
const others: readonly (readonly [profile: string, most: number])[] = [
  ['quick', 6_000],
  ['study', 8_192],
  ['review', 7_000],
  ['oracle', 5_000],
  ['find', 5_000],
  ['aggman', 3_500],
  ['ask', 5_500],
  ['plan', 5_500],
];

/** A run with a small window, which is summarised during the run. */
const long: Client = {
  name: 'anode, long',
  args: plain.args.map((word) => (word === '100' ? '600' : word)),
  config: { context: { window: 40_000, keepRecent: 4_000 } },
};
const longTurns = 500;

type Repository = 'small' | 'large';

/**
 * The measured runs and their number; the clients alternate, so a slow minute of the machine
 * affects them equally.
 */
const cells: readonly {
  readonly repository: Repository;
  readonly turns: number;
  /** Milliseconds that the model takes for each answer. Default: none. */
  readonly thinkMs?: number;
  readonly runs: number;
  readonly clients: readonly Client[];
}[] = [
  { repository: 'small', turns: 0, runs: 9, clients: [floor, plain, sandboxed, ...peers] },
  { repository: 'small', turns: 10, runs: 9, clients: [floor, plain, sandboxed, ...peers] },
  { repository: 'small', turns: 50, runs: 5, clients: [floor, plain, sandboxed, ...peers] },
  { repository: 'small', turns: 10, thinkMs: 300, runs: 4, clients: [floor, plain] },
  { repository: 'large', turns: 0, runs: 5, clients: [floor, plain] },
  { repository: 'large', turns: 10, runs: 5, clients: [floor, plain] },
];

/**
 * Compares the built command line with the floor loop, and with the peers on the path, on the same
 * scripted model in the same minutes. Prints the cost of the loop with a model that costs nothing,
 * and writes it to `bench/RESULTS.md` unless it only checks. Stays on loopback; takes about two
 * minutes, and two more with peers.
 */
export async function benchAgent(check: boolean): Promise<boolean> {
  for (const bundle of bundles.filter(({ file }) => file === 'cli.js'))
    await buildBundle(bundle, { write: true });
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bench-'));
  const model = spawn(process.execPath, [path.join(root, 'bench', 'model-server.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const server = `http://127.0.0.1:${await firstLine(model.stdout)}`;
    const repositories = {
      small: makeRepository(path.join(folder, 'small'), 200),
      large: makeRepository(path.join(folder, 'large'), 20_000),
    };
    const results = new Map<string, Run[]>();
    for (const { repository, turns, thinkMs = 0, runs, clients } of cells) {
      for (let run = -1; run < runs; run += 1) {
        for (const client of clients) {
          // The first round warms the page cache and is not kept; the last is for memory alone.
          const memory = run === runs - 1 && !peers.includes(client);
          const measured = await measureRun(client, {
            server,
            repository: repositories[repository],
            turns,
            memory,
            thinkMs,
          });
          if (run >= 0) push(results, key(client, repository, turns, thinkMs), measured);
        }
      }
      const thinking = thinkMs === 0 ? '' : `, ${thinkMs} ms an answer`;
      console.error(`measured: ${turns} turns, ${repository} repository${thinking}`);
    }
    const requests: Row[] = [];
    const least = results.get(key(floor, 'small', 0))?.[0]?.firstBytes ?? Number.NaN;
    for (const [profile, most] of others) {
      const client: Client = {
        ...{ name: profile, args: [...plain.args, '--profile', profile] },
        // The model of the bench reports no findings, and is asked for them.
        ...(profile === 'review' ? { moreRequests: 1 } : {}),
      };
      const where = { server, repository: repositories.small, turns: 0, memory: false };
      const { firstBytes } = await measureRun(client, where);
      const budget = { kind: 'most', most } as const;
      requests.push({
        what: `first request, ${profile}`,
        unit: 'bytes',
        floor: least,
        ours: firstBytes,
        budget,
      });
    }
    const grown = await measureRun(long, {
      ...{ server, repository: repositories.small, turns: longTurns, memory: true },
      heapAt: [100, longTurns],
    });
    const all = [...rows(results), ...requests, growth(grown)];
    const figures = [floor, plain, sandboxed, ...peers].map((client) => figuresOf(client, results));
    const tables = [renderTable(all), renderPeers(figures)];
    console.log(tables.join('\n\n'));
    if (!check) writeFileSync(path.join(root, 'bench', 'RESULTS.md'), await renderResults(tables, peers));
    const missed = missedRows(all);
    for (const { what } of missed) console.error(`missed by more than 15 %: ${what}`);
    return !check || missed.length === 0;
  } finally {
    model.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rows(results: ReadonlyMap<string, readonly Run[]>): Row[] {
  const over = (
    client: Client,
    repository: Repository,
    turns: number,
    value: (run: Run) => readonly number[],
    thinkMs = 0,
  ) => {
    const runs = results.get(key(client, repository, turns, thinkMs)) ?? [];
    // Where memory was measured the clock was disturbed.
    return median(runs.filter((run) => run.memoryMiB === null).flatMap(value));
  };
  const peak = (client: Client) =>
    median((results.get(key(client, 'small', 50)) ?? []).flatMap((run) => run.memoryMiB ?? []));
  const both = (what: string, unit: string, budget: number, value: (client: Client) => number): Row => ({
    what,
    unit,
    floor: value(floor),
    ours: value(plain),
    budget: { kind: 'ratio', most: budget },
  });
  const wall = (turns: number, budget: number) =>
    both(`whole process, ${turns} turns`, 'ms', budget, (client) =>
      over(client, 'small', turns, (run) => [run.wall]),
    );
  const gap = (client: Client) => over(client, 'small', 50, (run) => run.gaps);
  const start = (client: Client, repository: Repository) => over(client, repository, 0, (run) => [run.first]);
  const bytes = (client: Client) => over(client, 'small', 0, (run) => [run.firstBytes]);
  return [
    both('start to first request, fresh home', 'ms', 1.8, (client) => start(client, 'small')),
    {
      what: 'whole process, no turn',
      unit: 'ms',
      floor: wall(0, 0).floor,
      ours: wall(0, 0).ours,
      budget: null,
    },
    wall(10, 2.1),
    wall(50, 1.75),
    both('whole process, 10 turns, 300 ms an answer', 'ms', 1.1, (client) =>
      over(client, 'small', 10, (run) => [run.wall], 300),
    ),
    both('a shell turn', 'ms', 1.6, gap),
    { ...both('a shell turn in the sandbox', 'ms', 2.5, gap), ours: gap(sandboxed) },
    both('peak memory, 50 turns', 'MiB', 1.3, peak),
    {
      what: 'first request',
      unit: 'bytes',
      floor: bytes(floor),
      ours: bytes(plain),
      budget: { kind: 'most', most: 8192 },
    },
    {
      what: 'start to first request, 20,000 files',
      unit: 'ms',
      floor: start(floor, 'large'),
      ours: start(plain, 'large'),
      budget: { kind: 'most', most: 1.2 * start(plain, 'small') },
    },
    {
      what: 'whole process, 10 turns, 20,000 files',
      unit: 'ms',
      floor: over(floor, 'large', 10, (run) => [run.wall]),
      ours: over(plain, 'large', 10, (run) => [run.wall]),
      budget: { kind: 'most', most: 1.2 * over(plain, 'small', 10, (run) => [run.wall]) },
    },
    {
      what: 'a request that its successor repeats',
      unit: '%',
      floor: 100 * over(floor, 'small', 50, (run) => [run.prefixShare]),
      ours: 100 * over(plain, 'small', 50, (run) => [run.prefixShare]),
      budget: null,
    },
  ];
}

/** Returns the medians of one program, for the comparison with peers. */
function figuresOf(client: Client, results: ReadonlyMap<string, readonly Run[]>): PeerFigures {
  const of = (turns: number, value: (run: Run) => readonly number[]) => {
    const runs = results.get(key(client, 'small', turns)) ?? [];
    return median(runs.filter((run) => run.memoryMiB === null).flatMap(value));
  };
  return {
    name: client.name,
    first: of(0, (run) => [run.first]),
    walls: [0, 10, 50].map((turns) => of(turns, (run) => [run.wall])),
    gap: of(50, (run) => run.gaps),
    firstBytes: of(0, (run) => [run.firstBytes]),
    bytes: of(50, (run) => [run.bytes]),
    freshBytes: of(50, (run) => [run.freshBytes]),
  };
}

/** Growth of the live heap from turn 100 to the end: the window limits the conversation itself. */
function growth({ heapsMiB: [early = 0, late = 0] }: Run): Row {
  return {
    what: `live memory at turn ${longTurns} (at turn 100 beside it)`,
    unit: 'MiB',
    floor: early,
    ours: late,
    budget: { kind: 'ratio', most: 1.3 },
  };
}

const key = (client: Client, repository: Repository, turns: number, thinkMs = 0) =>
  `${client.name}|${repository}|${turns}|${thinkMs}`;

function push<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  map.set(name, [...(map.get(name) ?? []), value]);
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error('the model server ended before it listened');
}
