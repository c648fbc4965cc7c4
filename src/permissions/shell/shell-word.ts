import type { Assignment, Word, WordPart } from 'unbash';
import type { ShellWord } from './simple-command.ts';

/** An unknown word, as added by `xargs` and `find -exec`. */
export const unknownWord: ShellWord = {
  source: '…',
  value: null,
  mayBeOption: true,
  several: true,
  fromCommand: true,
};

/** Returns a word as it is once something unknown replaced a part of it. */
export function computed({ source }: ShellWord): ShellWord {
  return { ...unknownWord, source };
}

/** Returns a literal word. */
export function literalWord(value: string): ShellWord {
  return { source: value, value, mayBeOption: false, several: false, fromCommand: false };
}

/** Returns the known properties of a word before expansion. */
export function shellWord(word: Word): ShellWord {
  const parts = word.parts ?? [];
  const fixed = parts.every(isLiteral) && !word.text.startsWith('~');
  if (fixed)
    return { source: word.text, value: word.value, mayBeOption: false, several: false, fromCommand: false };
  return {
    source: word.text,
    value: null,
    mayBeOption: parts.some(splits) || !startsHarmlessly(word),
    several: parts.some(splits),
    fromCommand: parts.some(holdsCommand),
  };
}

/** Returns the argument of `export`, `alias` and the like, which bash parses as an assignment. */
export function assignmentWord(assignment: Assignment): ShellWord {
  const value = assignment.value.type === 'Word' ? shellWord(assignment.value).value : null;
  const fixed = value !== null && assignment.index === undefined && assignment.append !== true;
  return {
    source: assignment.text,
    value: fixed ? `${assignment.name}=${value}` : null,
    mayBeOption: false,
    several: false,
    fromCommand: value === null,
  };
}

function isLiteral(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every(isLiteral);
    default:
      return false;
  }
}

/** Returns true if one word may become several, any of which could be an option. */
function splits(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.text.includes('@');
  return !isLiteral(part) && part.type !== 'Glob' && part.type !== 'ProcessSubstitution';
}

function startsHarmlessly(word: Word): boolean {
  return /^["']?[\w./~]/.test(word.text);
}

function holdsCommand(part: WordPart): boolean {
  if (part.type === 'CommandExpansion' || part.type === 'ProcessSubstitution') return true;
  return (part.type === 'DoubleQuoted' || part.type === 'LocaleString') && part.parts.some(holdsCommand);
}

/** Returns a program's name without its folders. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
