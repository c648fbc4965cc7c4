import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

/** A program to measure, and the name of its row. */
export interface Client {
  readonly name: string;
  /** Default: Node, with a script as the first argument. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Files below its home, by path; `server` is the address of the model. */
  readonly files?: ((server: string) => Readonly<Record<string, object>>) | undefined;
  /** Content of `~/.config/anode/config.json`. Default: none. */
  readonly config?: object;
  /**
   * Requests besides one a turn and the last. Default: none. A reviewer is asked once for its
   * required statement.
   */
  readonly moreRequests?: number;
}

/** One whole process. Times in ms; `gaps` lie between an answer's last byte and the next request fully read. */
export interface Run {
  readonly wall: number;
  readonly first: number;
  readonly gaps: readonly number[];
  readonly firstBytes: number;
  readonly prefixShare: number;
  /** Bytes of all requests, and those that no cache of the provider can have. */
  readonly bytes: number;
  readonly freshBytes: number;
  readonly memoryMiB: number | null;
  /** The live heap at the requested requests. */
  readonly heapsMiB: readonly number[];
}

const Log = z.array(
  z.object({
    arrived: z.number(),
    read: z.number(),
    answered: z.number(),
    bytes: z.number(),
    prefixShare: z.number().nullable(),
    markers: z.int(),
  }),
);

type Entry = z.infer<typeof Log>[number];

const Memory = z.object({ peak: z.number(), heaps: z.array(z.number()) });

const now = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * Runs a client once in a repository, with a fresh home as CI has it. With `memory` its peak is measured
 * too, which disturbs the times. Throws when it fails, hangs for three minutes, or makes another number of turns.
 */
export async function measureRun(
  client: Client,
  {
    server,
    repository,
    turns,
    memory,
    thinkMs = 0,
    heapAt = [],
  }: {
    server: string;
    repository: string;
    turns: number;
    memory: boolean;
    /** Milliseconds that the model takes for each answer. */
    thinkMs?: number;
    heapAt?: readonly number[];
  },
): Promise<Run> {
  await fetch(`${server}/reset`, { method: 'POST', body: JSON.stringify({ turns, thinkMs }) });
  const home = mkdtempSync(path.join(tmpdir(), 'anode-bench-home-'));
  const memoryFile = path.join(home, 'peak');
  const preload = pathToFileURL(path.join(import.meta.dirname, 'report-memory.mjs')).href;
  try {
    if (client.config !== undefined) {
      mkdirSync(path.join(home, '.config', 'anode'), { recursive: true });
      writeFileSync(path.join(home, '.config', 'anode', 'config.json'), JSON.stringify(client.config));
    }
    const started = now();
    for (const [name, content] of Object.entries(client.files?.(server) ?? {})) {
      mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
      writeFileSync(path.join(home, name), JSON.stringify(content));
    }
    const { code, output } = await runProcess(
      client.program ?? process.execPath,
      [...(memory ? ['--import', preload] : []), ...client.args],
      repository,
      {
        PATH: process.env.PATH ?? '',
        HOME: home,
        CI: 'true',
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: server,
        ...client.environment,
        ...(memory ? { BENCH_MEMORY_FILE: memoryFile, BENCH_HEAP_AT: heapAt.join(',') } : {}),
      },
    );
    const wall = now() - started;
    const log = Log.parse(await (await fetch(`${server}/log`)).json());
    if (code !== 0 || log.length !== turns + 1 + (client.moreRequests ?? 0)) {
      throw new Error(
        `${client.name}: exit code ${code}, ${log.length} requests for ${turns} turns:\n${output}`,
      );
    }
    const { peak, heaps } = memory
      ? Memory.parse(JSON.parse(readFileSync(memoryFile, 'utf8')))
      : { peak: null, heaps: [] };
    const shares = log.flatMap((entry) => entry.prefixShare ?? []);
    return {
      wall,
      first: (log[0]?.arrived ?? started) - started,
      gaps: log.slice(1).map((entry, index) => entry.read - (log[index]?.answered ?? entry.read)),
      firstBytes: log[0]?.bytes ?? 0,
      prefixShare: Math.min(1, ...shares),
      bytes: log.reduce((sum, { bytes }) => sum + bytes, 0),
      // Without a marker the provider stores nothing to compare the next request with.
      freshBytes: log.reduce(
        (sum, entry, index) => sum + entry.bytes - cachedBytes(log[index - 1], entry),
        0,
      ),
      memoryMiB: peak === null ? null : peak / 1024,
      heapsMiB: heaps.map((heap) => heap / 1024),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
    rmSync(path.join(repository, '.anode-harness'), { recursive: true, force: true });
  }
}

/** Returns the bytes of a request that the provider has stored from the one before. */
function cachedBytes(before: Entry | undefined, { prefixShare }: Entry): number {
  return before === undefined || before.markers === 0 ? 0 : before.bytes * (prefixShare ?? 0);
}

function runProcess(program: string, args: readonly string[], cwd: string, env: Record<string, string>) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 180_000,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: output.slice(-2000) }));
  });
}
