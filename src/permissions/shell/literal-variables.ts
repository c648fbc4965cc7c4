import type { SyntaxNode, Word, WordPart } from 'unbash';
import { forEachChild } from 'unbash';
import { largest } from '../../contract/lists.ts';
import type { SimpleCommand } from './simple-command.ts';

/** Maximum values per variable or word. */
const mostValues = 16;

/** Possible values of each variable from literal assignments and `for` loops of one script. */
export type LiteralVariables = Map<string, readonly string[]>;

/** Adds the literal assignments below a node in their order, at any depth. */
export function collectVariables(node: SyntaxNode, variables: LiteralVariables): void {
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    addAssignments(next, variables);
    const children: SyntaxNode[] = [];
    forEachChild(next, (child) => void children.push(child));
    for (const child of children.reverse()) open.push(child);
  }
}

function addAssignments(node: SyntaxNode, variables: LiteralVariables): void {
  const add = (name: string, values: readonly string[]) => {
    const all = [...new Set([...(variables.get(name) ?? []), ...values])];
    variables.set(name, all.slice(0, mostValues));
  };
  if (node.type === 'For')
    for (const word of node.wordlist ?? []) add(node.name.value, literalsOf(word, variables));
  if (node.type !== 'Command') return;
  for (const item of [...node.prefix, ...node.suffix]) {
    if (item.type !== 'Assignment' || item.value.type !== 'Word' || item.index !== undefined) continue;
    const values = literalsOf(item.value, variables);
    const before = item.append === true ? (variables.get(item.name) ?? ['']) : [''];
    add(
      item.name,
      before.flatMap((start) => values.map((value) => start + value)),
    );
  }
}

function literalsOf(word: Word, variables: LiteralVariables): readonly string[] {
  return possibleValues(word, variables) ?? [word.value];
}

/**
 * Returns possible values of a computed word from the script's literals, with patterns unexpanded.
 * Null for a word without parts. Use them only to restrict a command: the list is never complete.
 */
export function possibleValues(word: Word, variables: LiteralVariables): readonly string[] | null {
  const { parts } = word;
  if (parts === undefined || parts.length === 0) return null;
  return product(parts, variables);
}

function product(parts: readonly WordPart[], variables: LiteralVariables): readonly string[] {
  let values: readonly string[] = [''];
  for (const part of parts) {
    const next = valuesOf(part, variables);
    values = values.flatMap((start) => next.map((value) => start + value)).slice(0, mostValues);
  }
  return values;
}

function valuesOf(part: WordPart, variables: LiteralVariables): readonly string[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'Glob':
      return [part.text];
    case 'DoubleQuoted':
      return product(part.parts, variables);
    case 'SimpleExpansion':
      return variables.get(part.text.slice(1)) ?? [];
    case 'ParameterExpansion':
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? (variables.get(part.parameter) ?? [])
        : [];
    default:
      return [];
  }
}

/** Returns a command as written, and with the possible values of its computed words. At most 17. */
export function literalVariants(command: SimpleCommand): readonly SimpleCommand[] {
  const most = largest(
    command.words.map(({ maybe }) => maybe?.length ?? 0),
    0,
  );
  const filled = Array.from({ length: most }, (_, index) => ({
    ...command,
    words: command.words.map((word) => {
      const value = word.maybe?.[index % word.maybe.length];
      return value === undefined ? word : { ...word, value };
    }),
  }));
  return [command, ...filled];
}
