import { append } from '../../contract/lists.ts';
import type { Message } from '../../contract/message.ts';
import type { ActivatedInstructions } from '../../contract/run-history.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { fitInstructions } from '../instructions/render-instructions.ts';

/** Bounds of the pack, in entries, lines and characters: it is resent with every request. */
const limits = { entries: 80, statusLines: 40, instructions: 64_000 };

export interface ContextPackInput {
  /** Names at the top level, folders with a trailing slash, sorted. */
  readonly entries: readonly string[];
  /** Default folder of commands, below the root. Default: the root. */
  readonly start?: string;
  readonly branch: string | null;
  /** Lines of `git status --short`; null without git. */
  readonly status: readonly string[] | null;
  /** False if untracked files were not searched. */
  readonly untrackedListed: boolean;
  /** Instructions that apply from the first turn on. */
  readonly instructions: readonly ActivatedInstructions[];
  /** Text on skills. Default: null, for nothing. */
  readonly skills?: string | null;
  /** Text on tools of extensions. Default: null, for nothing. */
  readonly external?: string | null;
  /** Other checkouts for reading, as their files are named. Default: none. */
  readonly repositories?: readonly { readonly name: string; readonly displayPath: string }[];
  /** Report of the set-up before the run. Default: null, for none. */
  readonly setupReport?: string | null;
  /** The commands that test and build the project, a paragraph each. */
  readonly commands: readonly string[];
}

/** Renders what the model knows of the repository before its first turn; every cut is marked. */
export function renderContextPack(input: ContextPackInput): string {
  const shown = input.entries.slice(0, limits.entries);
  const { start = '' } = input;
  const parts = [`Top level:\n${shown.join('\n')}${more(input.entries.length - shown.length, 'entries')}`];
  if (start !== '')
    parts.push(
      `This run was started in ${start}/: the task may mean paths from there, and commands start there (cwd: "." is the root). Paths of tools count from the root of the repository: ${start}/….`,
    );
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
    const named = others.map(({ displayPath, name }) => `${displayPath}/ (${name})`).join(', ');
    parts.push(`Other repositories, for reading only: ${named}. Searches without a path cover them.`);
  }
  append(parts, input.commands);
  if (input.setupReport) parts.push(input.setupReport);
  if (input.skills) parts.push(input.skills);
  if (input.external) parts.push(input.external);
  if (input.instructions.length > 0) parts.push(fitInstructions(input.instructions, limits.instructions));
  return `<repository>\n${parts.join('\n\n')}\n</repository>`;
}

function more(count: number, what: string): string {
  return count > 0 ? `\n[… ${count} more ${what} …]` : '';
}

/**
 * Returns the names at the top of the work tree or of a folder in it. Omits `.git` and our own
 * folder.
 */
export async function topLevelEntries(workspace: Workspace, folder = ''): Promise<string[]> {
  const entries = await workspace.files.list(folder);
  return entries
    .filter((entry) => entry.name !== '.git' && entry.name !== '.anode-harness')
    .map((entry) => (entry.kind === 'directory' ? `${entry.name}/` : entry.name))
    .sort();
}

/**
 * Returns the first message of a run: the repository, the thread, then the task, last because
 * models weigh the end most. `threadContext` is sanitised and fenced as untrusted already.
 */
export function firstMessage(pack: string, threadContext: string, task: string): Message {
  const parts = [pack, ...(threadContext === '' ? [] : [threadContext]), `<task>\n${task}\n</task>`];
  return { role: 'user', parts: [{ type: 'text', text: parts.join('\n\n') }] };
}

/** A skill, as the model first sees it. */
export interface SkillLine {
  readonly name: string;
  readonly description: string;
}

/**
 * Skills with a line of their own, and characters of one; the pack is resent with every request.
 */
const skillLimits = { lines: 30, characters: 160 };

/**
 * Describes skills before the first turn: those of repository and operator with their use, ours by
 * name. Null for none.
 */
export function describeSkills(found: readonly SkillLine[], builtIn: readonly string[]): string | null {
  if (found.length + builtIn.length === 0) return null;
  const lines = found.slice(0, skillLimits.lines).map(({ name, description }) => {
    const line = `${name}: ${description}`;
    return line.length > skillLimits.characters
      ? `${line.slice(0, skillLimits.characters - 1).toWellFormed()}…`
      : line;
  });
  const more =
    found.length > lines.length ? [`[… ${found.length - lines.length} more; list_skills names them …]`] : [];
  const ours = builtIn.length === 0 ? [] : [builtIn.join(', ')];
  return ['Skills, instructions for kinds of work (use_tool skill {name}):', ...lines, ...more, ...ours].join(
    '\n',
  );
}
