import * as z from 'zod';
import type { ActivatedInstructions } from '../../contract/instructions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { fitInstructions } from '../instructions/render-instructions.ts';

/** Bounds of the pack, in entries, lines and characters: it is resent with every request. */
const limits = { entries: 80, statusLines: 40, instructions: 64_000, scripts: 12, scriptLength: 120 };

export interface ContextPackInput {
  /** Names at the top level, folders with a trailing slash, sorted. */
  readonly entries: readonly string[];
  readonly branch: string | null;
  /** Lines of `git status --short`; null without git. */
  readonly status: readonly string[] | null;
  /** False where nobody looked for untracked files. */
  readonly untrackedListed: boolean;
  /** What holds from the first turn on. */
  readonly instructions: readonly ActivatedInstructions[];
  /** What the model is told of skills; null or left out for nothing. */
  readonly skills?: string | null;
  /** What the model is told of tools that others bring; null or left out for nothing. */
  readonly external?: string | null;
  /** Other checkouts that may be read, as their files are named; none where left out. */
  readonly repositories?: readonly { readonly name: string; readonly shown: string }[];
  /** What the set-up did before the run; null or left out where there was none. */
  readonly setupNote?: string | null;
  /** Scripts of the project's manifest, `name: command`: how it is tested and built. */
  readonly scripts: readonly string[];
}

/** Renders what the model knows of the repository before its first turn; every cut is marked. */
export function renderContextPack(input: ContextPackInput): string {
  const shown = input.entries.slice(0, limits.entries);
  const parts = [`Top level:\n${shown.join('\n')}${more(input.entries.length - shown.length, 'entries')}`];
  if (input.status === null) parts.push('Git: not a repository.');
  else {
    const lines = input.status.slice(0, limits.statusLines);
    const unseen = input.untrackedListed ? '' : ' (untracked files not looked for)';
    const state = lines.length === 0 ? `clean${unseen}` : `changed${unseen}:\n${lines.join('\n')}`;
    parts.push(
      `Git: ${input.branch ?? 'detached HEAD'}, ${state}${more(input.status.length - lines.length, 'changed files')}`,
    );
  }
  const others = input.repositories ?? [];
  if (others.length > 0) {
    const named = others.map(({ shown, name }) => `${shown}/ (${name})`).join(', ');
    parts.push(`Other repositories, for reading only: ${named}. Searches without a path cover them.`);
  }
  if (input.scripts.length > 0) {
    const scripts = input.scripts.slice(0, limits.scripts).map((line) => line.slice(0, limits.scriptLength));
    parts.push(
      `npm scripts:\n${scripts.join('\n')}${more(input.scripts.length - scripts.length, 'scripts')}`,
    );
  }
  if (input.setupNote) parts.push(input.setupNote);
  if (input.skills) parts.push(input.skills);
  if (input.external) parts.push(input.external);
  if (input.instructions.length > 0) parts.push(fitInstructions(input.instructions, limits.instructions));
  return `<repository>\n${parts.join('\n\n')}\n</repository>`;
}

function more(count: number, what: string): string {
  return count > 0 ? `\n[… ${count} more ${what} …]` : '';
}

/** The names at the top of the work tree, as the pack shows them; `.git` and our own folder are left out. */
export async function topLevelEntries(workspace: Workspace): Promise<string[]> {
  const entries = await workspace.files.list('');
  return entries
    .filter((entry) => entry.name !== '.git' && entry.name !== '.anode-harness')
    .map((entry) => (entry.kind === 'directory' ? `${entry.name}/` : entry.name))
    .sort();
}

/** The scripts of `package.json`, which say how the project is tested; none where it has no such file. */
export async function scriptsOf(workspace: Workspace): Promise<string[]> {
  const info = await workspace.files.stat('package.json');
  if (info?.kind !== 'file') return [];
  const { bytes } = await workspace.files.read('package.json', 256 * 1024);
  const manifest = Manifest.safeParse(parseJson(bytes.toString('utf8')));
  return Object.entries(manifest.data?.scripts ?? {}).map(([name, command]) => `${name}: ${command}`);
}

const Manifest = z.object({ scripts: z.record(z.string(), z.string()).optional() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
