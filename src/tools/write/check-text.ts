import { posix } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import type { Report } from '../../checks/linters/check-program.ts';
import { append } from '../../contract/lists.ts';
import { withinTime } from '../text/interruptible.ts';

/** Maximum characters to parse while the model waits: a lock file of this size takes a second. */
const longestText = { json: 4 * 1024 * 1024, yaml: 512 * 1024, toml: 1024 * 1024 };

/** Time limit of a parser: thousands of YAML keys, or millions of broken lines, are slow. */
const longestMs = 2_000;

type Language = keyof typeof longestText | 'json_lines' | 'json_comments';

/** `.json` files in which comments are common. */
const withComments =
  /^(?:[tj]sconfig(?:\..+)?|\.eslintrc|\.swcrc|\.babelrc|\.jshintrc|devcontainer|biome|deno|turbo|wrangler|api-extractor|settings|launch|tasks|extensions|keybindings)\.json$|^(?:\.eslintrc|\.swcrc|\.babelrc|\.jshintrc)$/;

function languageOf(path: string): Language | null {
  const name = posix.basename(path);
  if (withComments.test(name) || /\.(?:jsonc|code-workspace)$/.test(name)) return 'json_comments';
  if (/\.(?:json|webmanifest|geojson|ipynb|avsc|har)$/.test(name)) return 'json';
  if (/\.(?:jsonl|ndjson)$/.test(name)) return 'json_lines';
  if (/\.ya?ml$/.test(name)) return 'yaml';
  return /\.toml$/.test(name) || name === 'Pipfile' ? 'toml' : null;
}

/** True if a file is of a kind that is parsed here. */
export function isCheckedText(path: string): boolean {
  return languageOf(path) !== null;
}

/**
 * Reports problems of a data file with our own parsers; no program of the repository runs. Null if
 * unknown: another kind of file, too large, or a template.
 */
export async function checkText(path: string, text: string): Promise<readonly Report[] | null> {
  const language = languageOf(path);
  if (language === null) return null;
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const limit = language === 'yaml' || language === 'toml' ? longestText[language] : longestText.json;
  if (plain.length > limit) return null;
  const parse = await parsers[language]();
  const found = withinTime(longestMs, () => parse(plain))?.result ?? null;
  if (found === null) return null;
  return found.length > 0 && isTemplate(plain) ? null : found;
}

/** True for templates (Helm, Jinja), whose braces are not of the file's language. */
const isTemplate = (text: string): boolean => /^\s*\{[{%]|\{\{-|\{%-|:\s+\{\{/m.test(text);

type Parse = (text: string) => Report[];

/** Parsers, each loaded on demand. */
const parsers: Readonly<Record<Language, () => Promise<Parse>>> = {
  json: async () => {
    const withComments = await jsonWithComments();
    return (text) => {
      const strict = jsonReports(text);
      // Many programs accept JSON with comments under any name.
      if (strict.length === 0 || withComments(text).length > 0) return strict;
      return strict.map((one) => ({ ...one, message: onlyWithComments, severity: 'warning', syntax: false }));
    };
  },
  json_comments: jsonWithComments,
  json_lines: async () => jsonLinesReports,
  yaml: yamlParser,
  toml: tomlParser,
};

/** Maximum reports, as one mistake causes others. */
const mostReports = 20;

function report(line: number | null, column: number | null, message: string): Report {
  return { path: null, line, column, severity: 'error', message, rule: null, syntax: true };
}

const tooDeep = report(null, null, 'It is nested too deeply.');

const onlyWithComments = 'Comments or trailing commas: not every program that reads JSON understands them.';

async function jsonWithComments(): Promise<Parse> {
  // Comments become spaces, so that offsets are preserved.
  return (text) => jsonReports(stripJsonComments(text, { trailingCommas: true }));
}

function jsonLinesReports(text: string): Report[] {
  const found: Report[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '')
      append(
        found,
        jsonReports(line).map((one) => ({ ...one, line: index + 1 })),
      );
    if (found.length >= mostReports) break;
  }
  return found;
}

function jsonReports(text: string): Report[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    if (!(error instanceof SyntaxError)) throw error;
    const position = /at position (\d+)/.exec(error.message)?.[1];
    // V8 omits the position if it prints the text, and if the text ends too soon.
    const at = position === undefined ? placeOfSnippet(error.message, text) : Number(position);
    const { line, column } = placeOf(text, at);
    return [
      report(
        line,
        column,
        error.message.replace(/(?: in JSON)? at position \d+.*$|, (?:\.\.\.)?"[\s\S]*$/, ''),
      ),
    ];
  }
}

/** Finds the offset of the text in the message, which V8 cuts ten characters around the error. */
function placeOfSnippet(message: string, text: string): number {
  const snippet = /(\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not valid JSON$/.exec(message);
  if (snippet === null) return text.trimEnd().length;
  const [, cut, piece = ''] = snippet;
  const token = /^Unexpected token '([\s\S])'/.exec(message)?.[1] ?? '';
  const start = Math.max(0, text.indexOf(piece));
  const within = piece.indexOf(token, cut === undefined ? 0 : 10);
  return start + Math.max(0, within);
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

async function yamlParser(): Promise<Parse> {
  const { LineCounter, parseAllDocuments } = await import('yaml');
  return (text) => {
    const lines = new LineCounter();
    try {
      const documents = parseAllDocuments(text, {
        lineCounter: lines,
        prettyErrors: false,
        uniqueKeys: true,
      });
      const errors = [...documents].flatMap((document) => document.errors);
      if (errors.some(({ message }) => message.startsWith('Maximum call stack'))) return [tooDeep];
      return errors.slice(0, mostReports).map(({ pos, message }) => {
        const { line, col } = lines.linePos(pos[0]);
        return report(line, col, message);
      });
    } catch (error) {
      if (error instanceof RangeError) return [tooDeep];
      throw error;
    }
  };
}

async function tomlParser(): Promise<Parse> {
  const { parse, TomlError } = await import('smol-toml');
  return (text) => {
    try {
      parse(text);
      return [];
    } catch (error) {
      if (error instanceof RangeError) return [tooDeep];
      if (!(error instanceof TomlError)) throw error;
      const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
      return [report(error.line, error.column, message)];
    }
  };
}
