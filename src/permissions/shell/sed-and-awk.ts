import { append } from '../../contract/lists.ts';
import type { ShellWord } from './simple-command.ts';

/** The effects of a sed script besides printing. */
interface SedScript {
  /** True if it runs commands: `e`, or the flag `e` of `s`. */
  readonly runs: boolean;
  /** Files it writes: `w`, `W`, and the flag `w` of `s`. */
  readonly writes: readonly string[];
  /** Files it reads: `r` and `R`. */
  readonly reads: readonly string[];
}

/** Parses a script of GNU sed. Null if it contains anything unknown. Pure. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one scanner over one position
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scanner over one position
export function readSedScript(script: string): SedScript | null {
  let at = 0;
  let runs = false;
  const writes: string[] = [];
  const reads: string[] = [];
  const skip = (characters: RegExp): void => {
    while (at < script.length && characters.test(script.charAt(at))) at++;
  };
  const restOfLine = (): string => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? undefined : end);
    at += text.length;
    return text.trim();
  };
  /** Skips text up to an unescaped mark, which a pattern's bracket expression may contain. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scanner over one position
  const past = (mark: string, pattern: boolean): boolean => {
    for (let bracket = -1; at < script.length; at++) {
      const character = script.charAt(at);
      if (character === '\\') at++;
      else if (character === '\n' && pattern) return false;
      // If sed might end a bracket expression elsewhere, parsing fails.
      else if (pattern && character === '[') bracket = at;
      else if (character === mark) {
        if (bracket >= 0 && !script.slice(bracket, at).includes(']')) return false;
        at++;
        return true;
      }
    }
    return false;
  };
  const address = (): boolean => {
    const character = script.charAt(at);
    if (/\d/.test(character)) skip(/[\d~]/);
    else if (character === '$') at++;
    else if (character === '/' || character === '\\') {
      if (character === '\\') at++;
      const mark = script.charAt(at++);
      if (!/[^\w\s\\]/.test(mark) || !past(mark, true)) return false;
      skip(/[IM]/);
    }
    return true;
  };
  while (at < script.length) {
    skip(/[\s;]/);
    if (at >= script.length) break;
    if (script.charAt(at) === '#') {
      restOfLine();
      continue;
    }
    if (!address()) return null;
    skip(/\s/);
    if (script.charAt(at) === ',') {
      at++;
      skip(/[\s+~]/);
      if (!address()) return null;
    }
    skip(/[\s!]/);
    const command = script.charAt(at++);
    if ('{}=dDgGhHnNpPxzlLF'.includes(command) && command !== '') continue;
    if ('qQ'.includes(command)) skip(/[\s\d]/);
    else if (':btT'.includes(command)) {
      const label = /^[^;\n}]*/.exec(script.slice(at))?.[0] ?? '';
      at += label.length;
    } else if ('rR'.includes(command)) reads.push(restOfLine());
    else if ('wW'.includes(command)) writes.push(restOfLine());
    else if (command === 'e') {
      runs = true;
      restOfLine();
    } else if ('aic'.includes(command)) {
      // A backslash at the end of a line continues the text.
      let line = restOfLine();
      while (line.endsWith('\\') && at < script.length) {
        at++;
        line = restOfLine();
      }
    } else if (command === 's' || command === 'y') {
      const mark = script.charAt(at++);
      if (mark === '' || /[\s\\\w]/.test(mark) || !past(mark, command === 's') || !past(mark, false))
        return null;
      if (command === 'y') continue;
      for (; /[gpiImMe\d]/.test(script.charAt(at)); at++) if (script.charAt(at) === 'e') runs = true;
      if (script.charAt(at) === 'w') {
        at++;
        writes.push(restOfLine());
      }
    } else return null;
    skip(/[ \t]/);
    if (at < script.length && !/[;\n}#]/.test(script.charAt(at))) return null;
  }
  return { runs, writes, reads };
}

/** A parsed call of sed. */
interface SedCall {
  readonly scripts: readonly string[];
  readonly files: readonly string[];
  readonly inPlace: boolean;
  /** True for a script in a file, whose content is unknown. */
  readonly fromFile: boolean;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case per kind of word
function readSedCall(values: readonly string[]): SedCall | null {
  const scripts: string[] = [];
  const operands: string[] = [];
  let inPlace = false;
  let fromFile = false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '--') {
      append(operands, values.slice(index + 1));
      break;
    }
    const option = sedOption(value);
    if (option === null) return null;
    if (option === 'operand') operands.push(value);
    else if (option === 'in place') inPlace = true;
    else if (option === 'file') fromFile = true;
    else if (option !== 'plain') scripts.push(option.script ?? values[index + 1] ?? '');
    if (/^(-[nEruzs]*[ef]|--expression|--file)$/.test(value)) index++;
  }
  if (scripts.length === 0 && !fromFile) scripts.push(operands.shift() ?? '');
  return { scripts, files: operands, inPlace, fromFile };
}

/** A plain option, or a script; null for the script in the next word. */
type SedOption = 'operand' | 'plain' | 'in place' | 'file' | { readonly script: string | null };

/** Classifies one word of a call of sed; null for an unknown option. */
function sedOption(value: string): SedOption | null {
  if (!value.startsWith('-') || value === '-') return 'operand';
  const script = /^--expression=(.*)$/s.exec(value)?.[1] ?? /^-[nEruzs]*e(.+)$/s.exec(value)?.[1];
  if (script !== undefined) return { script };
  if (/^(-[nEruzs]*e|--expression)$/.test(value)) return { script: null };
  if (plainSedOption.test(value)) return 'plain';
  if (/^-[nEruzs]*i|^--in-place(=|$)/.test(value)) return 'in place';
  return /^-[nEruzs]*f|^--file(=|$)/.test(value) ? 'file' : null;
}

const plainSedOption =
  /^(-[nEruzs]+|--quiet|--silent|--regexp-extended|--posix|--null-data|--separate|--debug|--sandbox|--unbuffered)$/;

/**
 * Returns true if a call of sed only prints: no `-i`, no `-f`, and a script without `e`, `w` and
 * `r`. False in doubt. `values` are the words after `sed`.
 */
export function readsWithSed(values: readonly string[]): boolean {
  const call = readSedCall(values);
  if (call === null || call.inPlace || call.fromFile) return false;
  return sedScripts(call).every(
    (script) => script !== null && !script.runs && script.writes.length === 0 && script.reads.length === 0,
  );
}

/** Several scripts are the lines of one. */
function sedScripts(call: SedCall): (SedScript | null)[] {
  return call.scripts.length === 0 ? [] : [readSedScript(call.scripts.join('\n'))];
}

/** Returns the visible files that a call of sed writes, in place and by `w`. */
export function writtenBySed(values: readonly string[]): {
  files: readonly string[];
  byScript: readonly string[];
} {
  const call = readSedCall(values);
  if (call === null) return { files: [], byScript: [] };
  return {
    files: call.inPlace ? call.files : [],
    byScript: sedScripts(call).flatMap((script) => script?.writes ?? []),
  };
}

/**
 * Returns true if a call of awk only prints. Only `-F` and `-v` are accepted, and no pipe, output
 * file, `system`, `getline` or `@` (load, include, indirect call).
 */
export function readsWithAwk(values: readonly string[]): boolean {
  const { program, safeOptions, files } = readAwkCall(values);
  if (program === null || !safeOptions || /[|>@]|system|getline/.test(program)) return false;
  return !files.some((value) => value.startsWith('-'));
}

function readAwkCall(values: readonly string[]): {
  program: string | null;
  safeOptions: boolean;
  files: readonly string[];
} {
  let index = 0;
  let safeOptions = true;
  for (; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '-F' || value === '-v') index++;
    else if (value === '--') {
      index++;
      break;
    } else if (value.startsWith('-') && !/^-[Fv]./.test(value)) safeOptions = false;
    else if (!value.startsWith('-')) break;
  }
  return { program: values[index] ?? null, safeOptions, files: values.slice(index + 1) };
}

/** Removes strings and patterns from an awk program, so that `|` and `>` are operators. */
function bareAwk(program: string): string {
  return program
    .replace(/#.*$/gm, '')
    .replace(/"(?:[^"\\\n]|\\.)*"/gs, '""')
    .replace(/(^|[({;,!~&|\n]|\breturn\b)(\s*)\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]\n]*\])*\//g, '$1$2//');
}

/** Returns the literal names of files that an awk program prints to. */
export function writtenByAwk(values: readonly string[]): readonly string[] {
  const { program } = readAwkCall(values);
  return [...(program ?? '').matchAll(/>>?\s*"((?:[^"\\\n]|\\.)*)"/g)].map((match) => match[1] ?? '');
}

/** Returns why a call of sed or awk may run unknown commands, or null. */
export function hidesPrograms(name: string, rest: readonly ShellWord[]): string | null {
  // A NUL marks computed words. They are not taken for options, so that one may be the script.
  const values = rest.map((word) => word.value ?? `\0${word.source}`);
  if (name === 'sed' || name === 'gsed') return sedHides(name, values);
  return /^[gmn]?awk$/.test(name) ? awkHides(name, values) : null;
}

function sedHides(name: string, values: readonly string[]): string | null {
  const reason = `\`${name}\` may run commands by its script`;
  const call = readSedCall(values);
  // An unparsed script without the letter `e` runs nothing.
  if (call === null) return values.some((value) => value.includes('e')) ? reason : null;
  if (call.scripts.some((script) => script.includes('\0'))) return `the script of \`${name}\` is computed`;
  const runs = sedScripts(call).some((script) => script === null || script.runs);
  return runs && call.scripts.join('\n').includes('e') ? reason : null;
}

function awkHides(name: string, values: readonly string[]): string | null {
  const { program } = readAwkCall(values);
  if (program === null) return null;
  if (program.includes('\0')) return `the program of \`${name}\` is computed`;
  if (program.length > 4_096) return `the program of \`${name}\` is too long to analyse`;
  return /\bsystem\b|\|\s*&?\s*(getline\b|"|[\w(])|\|&|@/.test(bareAwk(program).replaceAll('||', ' '))
    ? `\`${name}\` may run commands by its program`
    : null;
}
