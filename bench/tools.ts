import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ripgrepPath } from '../src/tools/search/run-search.ts';
import { type BenchedTools, openBenchedTools } from './call-tools.ts';
import { makeRepository } from './make-repository.ts';
import { spawnPlainly } from './spawn-plainly.ts';
import { median, type Row, renderTable } from './table.ts';

/** So often each pair is measured; the first rounds warm caches and are not kept. */
const rounds = 15;
const warmRounds = 3;

/** Target of every tool: a multiple of the plain program plus some milliseconds. */
const aim = { ratio: 1.3, more: 3 };

/** One tool beside the program that does nothing but the same work. Both get the number of the round. */
interface Pair {
  readonly what: string;
  readonly plain: (round: number) => Promise<unknown>;
  readonly ours: (round: number) => Promise<unknown>;
}

/**
 * Measures the tools beside plain programs that do the same, in the same minutes. Calls run in this
 * process with all steps of a run (parse, gate, execute, bound, redact, record). Takes less than a
 * minute.
 */
export async function benchTools(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-bench-'));
  const opened: BenchedTools[] = [];
  const openAt = async (root: string, run: string, sandbox: 'off' | 'required' = 'off') => {
    const tools = await openBenchedTools(root, path.join(folder, run), sandbox);
    opened.push(tools);
    return tools;
  };
  try {
    const large = makeRepository(path.join(folder, 'large'), 20_000);
    const small = makeRepository(path.join(folder, 'small'), 600);
    const pairs = [
      ...filePairs(folder, await openAt(makeFiles(folder), 'run-files')),
      ...(await searchPairs(large, await openAt(large, 'run-search'))),
      patchPair(folder, small, await openAt(small, 'run-patch')),
      shellPair('bash -c true', await openAt(small, 'run-shell'), small),
      shellPair('bash -c true, sandbox', await openAt(small, 'run-sandbox', 'required'), small),
    ];
    const rows: Row[] = [];
    for (const pair of pairs) rows.push(await measure(pair));
    console.log(renderTable(rows));
  } finally {
    for (const tools of opened) await tools.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ what, plain, ours }: Pair): Promise<Row> {
  const times = { floor: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds + warmRounds; round += 1) {
    const floor = await timed(() => plain(round));
    const own = await timed(() => ours(round));
    if (round < warmRounds) continue;
    times.floor.push(floor);
    times.ours.push(own);
  }
  const floor = median(times.floor);
  const budget = { kind: 'most', most: aim.ratio * floor + aim.more } as const;
  return { what, unit: 'ms', floor, ours: median(times.ours), budget };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const longLine = (line: number) => `export const value${line} = ${'x'.repeat(60)}${line};\n`;

/** Files to read and to edit, no repository around them. */
function makeFiles(folder: string): string {
  const root = path.join(folder, 'files');
  mkdirSync(root);
  const text = Array.from({ length: 30_000 }, (_, line) => longLine(line)).join('');
  writeFileSync(path.join(root, 'two-mib.ts'), text.slice(0, 2 * 1024 * 1024));
  const lines = Array.from({ length: 20_000 }, (_, line) => `export const value${line} = ${line};\n`);
  for (const name of ['edited.ts', 'edited-plainly.ts']) writeFileSync(path.join(root, name), lines.join(''));
  return root;
}

function filePairs(folder: string, tools: BenchedTools): Pair[] {
  const root = path.join(folder, 'files');
  const names = (round: number) =>
    [`value10000 = ${10_000 + round};`, `value10000 = ${10_001 + round};`] as const;
  return [
    {
      what: 'read 2 MiB',
      plain: () => readFile(path.join(root, 'two-mib.ts'), 'utf8'),
      ours: () => tools.call('read', { path: 'two-mib.ts' }),
    },
    {
      what: 'edit of 20,000 lines',
      async plain(round) {
        const file = path.join(root, 'edited-plainly.ts');
        const [old, now] = names(round);
        await replaceFile(file, (await readFile(file, 'utf8')).replace(old, now));
      },
      ours(round) {
        const [old, now] = names(round);
        return tools.call('edit_file', { path: 'edited.ts', old_str: old, new_str: now });
      },
    },
  ];
}

/** The safest plain way: write a file beside it, sync, rename. */
async function replaceFile(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'w');
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
}

async function searchPairs(root: string, tools: BenchedTools): Promise<Pair[]> {
  const ripgrep = await ripgrepPath();
  return [
    {
      what: 'grep in 20,000 files',
      plain: () =>
        spawnPlainly(ripgrep, ['--no-config', '--line-number', '--fixed-strings', 'f15000_', '.'], root),
      ours: () => tools.call('grep', { pattern: 'f15000_' }),
    },
    {
      what: 'glob over 20,000 files',
      plain: () => spawnPlainly(ripgrep, ['--no-config', '--files', '--glob=**/f1500*.ts', '.'], root),
      ours: () => tools.call('glob', { pattern: '**/f1500*.ts' }),
    },
  ];
}

/** The patch and the one that takes it back, in turns. */
function patchPair(folder: string, root: string, tools: BenchedTools): Pair {
  const plainRoot = path.join(folder, 'small-plain');
  cpSync(root, plainRoot, { recursive: true });
  const patches = [patchOf(500, 'a * 7', 'a * 70'), patchOf(500, 'a * 70', 'a * 7')] as const;
  const patchFiles = patches.map((patch, index) => {
    const file = path.join(folder, `${index}.patch`);
    writeFileSync(file, patch);
    return file;
  });
  return {
    what: 'patch of 500 files',
    plain: (round) => spawnPlainly('git', ['apply', patchFiles[round % 2] ?? ''], plainRoot),
    ours: (round) => tools.call('apply_patch', { patch: patches[round % 2 === 0 ? 0 : 1] }),
  };
}

/** One line in each of so many files that `makeRepository` makes. */
function patchOf(files: number, from: string, to: string): string {
  return Array.from({ length: files }, (_, file) => {
    const place = file < 100 ? `src/m${file % 10}` : `packages/p${Math.floor(file / 100)}/src`;
    const name = `${place}/f${file}.ts`;
    const line = (index: number, product = `a * ${index}`) =>
      `export const f${file}_${index} = (a: number): number => ${product};`;
    const around = (indexes: readonly number[]) => indexes.map((index) => ` ${line(index)}`);
    const changed = [`-${line(7, from)}`, `+${line(7, to)}`];
    const hunk = [...around([4, 5, 6]), ...changed, ...around([8, 9, 10])];
    return [
      `diff --git a/${name} b/${name}`,
      `--- a/${name}`,
      `+++ b/${name}`,
      '@@ -5,7 +5,7 @@',
      ...hunk,
      '',
    ].join('\n');
  }).join('');
}

function shellPair(what: string, tools: BenchedTools, root: string): Pair {
  return {
    what,
    plain: () => spawnPlainly('bash', ['-c', 'true'], root),
    ours: () => tools.call('bash', { command: 'true' }),
  };
}
