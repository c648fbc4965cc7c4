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

const separator = /[\s;]+|#[^\n]*/y;
/** A pattern of one line up to its mark, and other text up to it. A backslash escapes the mark. */
const pattern = String.raw`(?<pattern>(?:\\[^]|(?!\k<mark>)[^\\\n])*)\k<mark>`;
const text = String.raw`(?:\\[^]|(?!\k<mark>)[^\\])*\k<mark>`;
const address = new RegExp(String.raw`\d[\d~]*|\$|(?:(?=\/)|\\)(?<mark>[^\w\s\\[])${pattern}[IM]*`, 'y');
const comma = /\s*,[\s+~]*/y;

/** Commands that another may follow directly. A missing one is an error and runs nothing. */
const closedCommand = new RegExp(String.raw`[{}=dDgGhHnNpPxzlLF]|y(?<mark>[^\w\s\\])(?:${text}){2}|$`, 'y');
const openCommand = new RegExp(
  [
    String.raw`[qQ][\s\d]*|[:btT][^;\n}]*|[rR](?<reads>[^\n]*)|[wW](?<writes>[^\n]*)|(?<runs>e)[^\n]*`,
    // A backslash at the end of a line continues the text.
    String.raw`[aic](?:[^\n]|(?<=\\[^\S\n]*)\n)*`,
    String.raw`s(?<mark>[^\w\s\\[])${pattern}${text}(?<flags>[gpiImMe\d]*)(?:w(?<writes>[^\n]*))?`,
  ].join('|'),
  'y',
);
const commandEnd = /[ \t]*(?=[;\n}#]|$)/y;

/** Named parts of a command or an address. */
type SedParts = Readonly<Record<string, string>>;

/** Splits a script of GNU sed into its commands. Null if it contains anything unknown. */
function sedCommands(script: string): SedParts[] | null {
  const commands: SedParts[] = [];
  let at = 0;
  const take = (form: RegExp): SedParts | null => {
    form.lastIndex = at;
    const found = form.exec(script);
    if (found === null) return null;
    at = form.lastIndex;
    return found.groups ?? {};
  };
  while (at < script.length) {
    if (take(separator) !== null) continue;
    const addresses = [take(address), take(comma) && take(address)];
    take(/[\s!]*/y);
    const closed = take(closedCommand);
    const command = closed ?? take(openCommand);
    if (closed === null && take(commandEnd) === null) return null;
    if (command === null || ![...addresses, command].every(endsAtMark)) return null;
    commands.push(command);
  }
  return commands;
}

/** Returns false if sed might take the mark after a pattern for a part of a bracket expression. */
function endsAtMark(parts: SedParts | null): boolean {
  const bare = (parts?.pattern ?? '').replace(/\\[^\]]/g, '');
  return bare.lastIndexOf('[') <= bare.lastIndexOf(']');
}

/** Parses a script of GNU sed. Null if it contains anything unknown. Pure. */
export function readSedScript(script: string): SedScript | null {
  const commands = sedCommands(script);
  return (
    commands && {
      runs: commands.some(({ runs, flags }) => runs !== undefined || flags?.includes('e')),
      writes: commands.flatMap(({ writes }) => writes?.trim() ?? []),
      reads: commands.flatMap(({ reads }) => reads?.trim() ?? []),
    }
  );
}

/** A parsed call of sed. */
interface SedCall {
  readonly scripts: readonly string[];
  readonly files: readonly string[];
  readonly inPlace: boolean;
  /** True for a script in a file, whose content is unknown. */
  readonly fromFile: boolean;
}

/** The meaning of one word of a call of sed. */
type SedWord = Partial<Record<'operand' | 'script', string> & Record<'inPlace' | 'fromFile', boolean>>;

function readSedCall(values: readonly string[]): SedCall | null {
  const words: SedWord[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? '';
    if (value === '--') {
      for (const operand of values.slice(index + 1)) words.push({ operand });
      break;
    }
    const word = sedWord(value, values[index + 1]);
    if (word === null) return null;
    words.push(word);
    if (/^(-[nEruzs]*[ef]|--expression|--file)$/.test(value)) index++;
  }
  const scripts = words.flatMap(({ script }) => script ?? []);
  const files = words.flatMap(({ operand }) => operand ?? []);
  const fromFile = words.some((word) => word.fromFile);
  if (scripts.length === 0 && !fromFile) scripts.push(files.shift() ?? '');
  return { scripts, files, inPlace: words.some((word) => word.inPlace), fromFile };
}

/** Reads one word of a call of sed, with the word after it; null for an unknown option. */
function sedWord(value: string, next = ''): SedWord | null {
  if (!value.startsWith('-') || value === '-') return { operand: value };
  const script = /^--expression=(.*)$/s.exec(value)?.[1] ?? /^-[nEruzs]*e(.+)$/s.exec(value)?.[1];
  if (script !== undefined) return { script };
  if (/^(-[nEruzs]*e|--expression)$/.test(value)) return { script: next };
  if (plainSedOption.test(value)) return {};
  if (/^-[nEruzs]*i|^--in-place(=|$)/.test(value)) return { inPlace: true };
  return /^-[nEruzs]*f|^--file(=|$)/.test(value) ? { fromFile: true } : null;
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
