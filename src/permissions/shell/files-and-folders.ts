import { posix } from 'node:path';
import type { Redirection, Word } from 'unbash';
import { type LiteralVariables, possibleValues } from './literal-variables.ts';
import { shellWord } from './shell-word.ts';
import type { ShellRedirection, ShellWord, SimpleCommand } from './simple-command.ts';

/** What the walk has found so far, and the state of the shell at the point it has reached. */
export interface Walk {
  readonly commands: SimpleCommand[];
  readonly redirections: ShellRedirection[];
  syntaxError: string | null;
  grammarError: { readonly line: number | null } | null;
  unknown: string | null;
  doubt: string | null;
  destructive: string | null;
  /** What is literal of the variables that the script sets. */
  readonly variables: LiteralVariables;
  /** True once a `cd` stood where its number of runs is not known: then no folder is known. */
  lost: boolean;
}

/** Where in the script the walk is. `folders` changes as `cd`s go by. */
export interface Place {
  folders: readonly string[] | null;
  readonly depth: number;
  readonly repeated: boolean;
  readonly pipedFrom: readonly string[];
  /** True where the script is read by a `sh` that may be another shell than bash. */
  readonly posix: boolean;
  readonly wrappers: readonly string[];
  readonly assignments: readonly string[];
}

/** Notes the file that a redirection opens; one that only copies a descriptor opens none. */
export function noteRedirection(walk: Walk, node: Redirection, place: Place): void {
  const hidden = opensUnseen(node);
  if (hidden !== null) walk.unknown ??= hidden;
  if (node.type !== 'Redirect' || node.target === undefined) return;
  const target = shellWord(node.target);
  if (node.operator === '<&' || (node.operator === '>&' && /^(\d+-?|-)$/.test(target.value ?? ''))) return;
  const accesses: ShellRedirection['access'][] =
    node.operator === '<' ? ['read'] : node.operator === '<>' ? ['read', 'write'] : ['write'];
  const paths = redirectedPaths(node.target, target, place.folders);
  const values = paths === null ? (possibleValues(node.target, walk.variables) ?? []) : [];
  const maybe = values.flatMap((value) => placed(value, place.folders ?? ['']));
  for (const access of accesses) {
    const file = { paths, source: target.source, access };
    walk.redirections.push(maybe.length === 0 ? file : { ...file, maybe });
  }
}

/**
 * Why nobody can tell which file a redirection opens in the end: through a descriptor, what was opened for reading is opened anew for
 * writing, and `{PATH}<file` sets a variable. Null for the usual ones: standard input from a file or text, the output streams to a file,
 * and one of these to the other.
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

/** Follows `cd`: it may succeed or fail, so that both folders are possible from there on. */
export function changeFolder(walk: Walk, words: readonly ShellWord[], place: Place): void {
  const moves = (word: ShellWord | undefined) => ['cd', 'pushd', 'popd'].includes(word?.value ?? '');
  if (!moves(words[0])) {
    const hidden = ['eval', 'command', 'builtin', 'trap'].includes(words[0]?.value ?? '');
    if (hidden && words.some((word) => /\b(cd|pushd|popd)\b/.test(word.source))) walk.lost = true;
    return;
  }
  const target = words[1]?.value;
  if (place.repeated) walk.lost = true;
  if (typeof target !== 'string' || words.length !== 2 || /^[-+~]/.test(target) || place.folders === null) {
    place.folders = null;
    return;
  }
  const moved = place.folders.map((folder) => (target.startsWith('/') ? target : posix.join(folder, target)));
  const all = [...new Set([...place.folders, ...moved])];
  place.folders = all.length > 16 ? null : all;
}
