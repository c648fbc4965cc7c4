import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { png } from '../../support/images.ts';
import type { ScriptedRequest } from '../../support/model/script.ts';
import { textOf } from '../support/conversation.ts';
import { type Local, type LocalOptions, startLocal, type Tree } from '../support/start-local.ts';
import { sample } from './sample-checkout.ts';
import { callOf, type HandRow, type RunStep } from './tool-row.ts';

/** Files by path, with one character for each byte; in differences, null means a deleted file. */
export type Changes = Readonly<Record<string, string | null>>;

/** The end of a call by hand, and its changes. */
export interface HandResult {
  readonly code: number | null;
  readonly ok: unknown;
  readonly content: unknown;
  readonly error: unknown;
  readonly changed: Changes;
}

/** The results of a run's calls, its end, and its changes. */
export interface StepsResult {
  readonly said: readonly string[];
  readonly code: number | null;
  /** The one object that it printed. */
  readonly report: Readonly<Record<string, unknown>>;
  readonly changed: Changes;
}

/** The surroundings of tools: copies of the sample checkout, the command line and the scripted model. */
export interface ToolWorld {
  readonly local: Local;
  /** A checkout of its own, with files besides those of the sample. */
  copyOf(name: string, files?: Readonly<Record<string, string | Buffer>>): Promise<string>;
  /** Calls a tool through `tools use`. */
  byHand(name: string, row: HandRow, folder: string, options?: LocalOptions): Promise<HandResult>;
  /** Has a run make the calls, one a turn, under a preset that allows all. */
  inRun(task: string, steps: readonly RunStep[], folder: string, options?: RunOptions): Promise<StepsResult>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Opens it. */
export async function openToolWorld(): Promise<ToolWorld> {
  const local = await startLocal();
  const checkout = await local.checkout(sample);
  await writeFile(path.join(checkout, 'pixel.png'), png({ width: 1, height: 1 }));
  return {
    local,
    async copyOf(name, files = {}) {
      const folder = `${checkout}-${name}`;
      await cp(checkout, folder, { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), content, { mode: 0o755 });
      }
      if (Object.keys(files).length > 0) {
        await local.git(folder, 'add', '.');
        await local.git(folder, 'commit', '-q', '-m', 'More');
      }
      return folder;
    },
    async byHand(name, row, folder, options = {}) {
      const before = await filesOf(folder);
      const input = JSON.stringify(row.input);
      const { code, stdout } = await local.anode(
        folder,
        ['tools', 'use', name, '--allow-non-read', '--output', 'json', '--json', input],
        { ...options, ...(row.stdin === undefined ? {} : { stdin: row.stdin }) },
      );
      const { ok, content, error } = JSON.parse(stdout || '{}');
      return { code, ok, content, error, changed: changesBetween(before, await filesOf(folder)) };
    },
    async inRun(task, steps, folder, { args = [], environment = {} } = {}) {
      const said: string[] = [];
      local.learn(task, (turn, request) => {
        if (turn > 1) said.push(resultOf(request));
        const next = steps[turn - 1];
        return next === undefined ? { text: 'Done.' } : { calls: [callOf(next, said)] };
      });
      const before = await filesOf(folder);
      const fixed = ['--preset', 'unrestricted', '--max-turns', '100', '--output', 'json'];
      const given = ['run', '--prompt', task, ...fixed, ...args];
      const { code, stdout } = await local.anode(folder, given, { environment });
      const changed = changesBetween(before, await filesOf(folder));
      return { code, said, report: JSON.parse(stdout), changed };
    },
    close: () => local.close(),
  };
}

/** The text of a tool's newest result, without the text beside it. */
function resultOf({ messages }: ScriptedRequest): string {
  const results = messages.at(-1)?.parts.filter((part) => part.type === 'tool_result') ?? [];
  return textOf({ role: 'user', parts: results });
}

/** All files of a checkout but git's and the records of runs. */
async function filesOf(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
    .filter((name) => !/^\.(?:git|anode-harness)\//.test(name));
  const texts = files.map(async (name) => [name, await readFile(path.join(folder, name), 'latin1')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** The files that differ, in their current state. */
function changesBetween(before: Tree, after: Tree): Changes {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
  );
}
