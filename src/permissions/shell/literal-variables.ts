import type { SyntaxNode, Word, WordPart } from 'unbash';
import { forEachChild } from 'unbash';
import { largest } from '../../contract/lists.ts';
import type { SimpleCommand } from './simple-command.ts';

/** Values that are kept of one variable or word: enough for what people write by hand. */
const mostValues = 16;

/** What the assignments and `for` loops of one script could make of each variable, as far as they are literal. */
export type LiteralVariables = Map<string, readonly string[]>;

/** Adds the literal assignments below a node, in the order in which they stand, however deep they are nested. */
export function collectVariables(node: SyntaxNode, variables: LiteralVariables): void {
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    noteAssignments(next, variables);
    const children: SyntaxNode[] = [];
    forEachChild(next, (child) => void children.push(child));
    for (const child of children.reverse()) open.push(child);
  }
}

function noteAssignments(node: SyntaxNode, variables: LiteralVariables): void {
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
 * What a word that bash computes may be by what is literal in its script, patterns as they stand there; null for a word
 * that is not computed, or has no parts. These only ever hold a command back: no list of them is ever complete.
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

/** A command as it stands, and as it would be with what its computed words may be. At most 17. */
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
