import { posix } from 'node:path';
import type { Redirection, Word } from 'unbash';
import { type LiteralVariables, possibleValues } from './literal-variables.ts';
import { shellWord } from './shell-word.ts';
import type { ShellRedirection, ShellWord, SimpleCommand } from './simple-command.ts';

/** The findings so far, and the shell's state at this point. */
export interface Walk {
  readonly commands: SimpleCommand[];
  readonly redirections: ShellRedirection[];
  syntaxError: string | null;
  grammarError: { readonly line: number | null } | null;
  unknown: string | null;
  doubt: string | null;
  destructive: string | null;
  /** Literal values of the variables that the script sets. */
  readonly variables: LiteralVariables;
  /** True after a `cd` that may run any number of times: then no folder is known. */
  lost: boolean;
}

/** The context of a node in the script. `folders` changes with each `cd`. */
export interface WalkContext {
  folders: readonly string[] | null;
  readonly depth: number;
  readonly repeated: boolean;
  readonly pipedFrom: readonly string[];
  /** True if `sh` reads the script, which may not be bash. */
  readonly posix: boolean;
  readonly wrappers: readonly string[];
  readonly assignments: readonly string[];
}

const accessesOf: Readonly<Record<string, ShellRedirection['access'][]>> = {
  '<': ['read'],
  '<>': ['read', 'write'],
};

/** Records the file that a redirection opens. Copies of a descriptor open none. */
export function recordRedirection(walk: Walk, node: Redirection, context: WalkContext): void {
  const hidden = opensUnseen(node);
  if (hidden !== null) walk.unknown ??= hidden;
  if (node.type !== 'Redirect' || node.target === undefined) return;
  const target = shellWord(node.target);
  if (node.operator === '<&' || (node.operator === '>&' && /^(\d+-?|-)$/.test(target.value ?? ''))) return;
  const accesses = accessesOf[node.operator] ?? ['write'];
  const paths = redirectedPaths(node.target, target, context.folders);
  const values = paths === null ? (possibleValues(node.target, walk.variables) ?? []) : [];
  const maybe = values.flatMap((value) => placed(value, context.folders ?? ['']));
  for (const access of accesses) {
    const file = { paths, source: target.source, access };
    walk.redirections.push(maybe.length === 0 ? file : { ...file, maybe });
  }
}

/**
 * Returns why the file of a redirection is unknown, or null. A descriptor reopens a file that was
 * opened for reading; `{PATH}<file` sets a variable.
 *
 * Known are: standard input from a file or text, output streams to a file, and one output stream to
 * the other.
 */
function opensUnseen(node: Redirection): string | null {
  const { type, descriptor, operator } = node;
  const target = node.type === 'HereDoc' ? undefined : node.target;
  if (descriptor?.type === 'FileDescriptorVariable')
    return `a redirection sets \`${descriptor.name}\`, which programs may heed`;
  const reads = type !== 'Redirect' || operator === '<';
  const given = descriptor?.value ?? (reads ? 0 : 1);
  const other = given > 2 || (given === 0) !== reads || operator === '<&' || operator === '<>';
  const path = type !== 'Redirect' || target === undefined ? '' : shellWord(target).value;
  const copied = operator === '>&' && /^[\d-]/.test(path ?? '') && path !== '1' && path !== '2';
  if (other || copied) return 'a redirection passes a file on by its descriptor';
  return path !== null && /^\/+(dev\/+(stdin|fd)\b|proc\/)/.test(posix.normalize(path))
    ? `\`${path}\` may be any file that is open`
    : null;
}

function redirectedPaths(
  word: Word,
  target: ShellWord,
  folders: readonly string[] | null,
): readonly string[] | null {
  const path = target.value;
  if (path === null || word.text.startsWith('~')) return null;
  return folders === null && !path.startsWith('/') ? null : placed(path, folders ?? []);
}

function placed(path: string, folders: readonly string[]): string[] {
  if (path.startsWith('/')) return [posix.normalize(path)];
  return folders.map((folder) => posix.join(folder, path));
}

/** Follows `cd`. It may succeed or fail, so both folders are possible afterwards. */
export function changeFolder(walk: Walk, words: readonly ShellWord[], context: WalkContext): void {
  const moves = (word: ShellWord | undefined) => ['cd', 'pushd', 'popd'].includes(word?.value ?? '');
  if (!moves(words[0])) {
    const hidden = ['eval', 'command', 'builtin', 'trap'].includes(words[0]?.value ?? '');
    if (hidden && words.some((word) => /\b(cd|pushd|popd)\b/.test(word.source))) walk.lost = true;
    return;
  }
  const target = words[1]?.value;
  if (context.repeated) walk.lost = true;
  if (typeof target !== 'string' || words.length !== 2 || /^[-+~]/.test(target) || context.folders === null) {
    context.folders = null;
    return;
  }
  const moved = context.folders.map((folder) =>
    target.startsWith('/') ? target : posix.join(folder, target),
  );
  const all = [...new Set([...context.folders, ...moved])];
  context.folders = all.length > 16 ? null : all;
}
