import { parse } from 'yaml';
import type { CommitStyle } from './commit-style.ts';

const names = ['.commitlintrc', 'commitlint.config'];
const endings = ['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'];

/**
 * Files that may set rules for commit subjects: commitlint's ("Configuration" in its
 * documentation), Commitizen's, and the manifest of a package.
 */
export const commitLintFiles: readonly string[] = [
  ...names.flatMap((name) => endings.map((ending) => `${name}${ending}`)).filter((name) => name !== names[1]),
  '.czrc',
  '.gitmojirc.json',
  'package.json',
];

/** The rules that a repository sets for commit subjects. Empty lists allow anything. */
export type CommitLint = Pick<CommitStyle, 'types' | 'areas'> & {
  readonly conventional: boolean;
  readonly gitmoji: boolean;
  /** Null without a limit. */
  readonly length: number | null;
};

/** The types of `@commitlint/config-conventional`. */
const usual = ['fix', 'feat', 'docs', 'test', 'refactor', 'perf', 'build', 'ci', 'chore', 'style', 'revert'];

const mostValues = 40;

/**
 * Reads the rules from the texts of those files, by path. A program is searched, never run. Null if
 * no file sets any.
 */
export function readCommitLint(files: ReadonlyMap<string, string>): CommitLint | null {
  const texts = [...files].flatMap(([file, text]) => relevantText(file, text) ?? []);
  if (texts.length === 0) return null;
  const all = texts.join('\n');
  const conventional = /conventional|config-angular|type-enum/u.test(all);
  const gitmoji = /gitmoji/u.test(all);
  if (!conventional && !gitmoji) return null;
  const types = valuesOf(all, 'type-enum');
  const length = /header-max-length["']?\s*:\s*\[[^\]]*?(\d{2,3})\s*\]/u.exec(all)?.[1];
  return {
    conventional,
    gitmoji,
    types: conventional && types.length === 0 ? usual : types,
    areas: valuesOf(all, 'scope-enum'),
    length: length === undefined ? null : Number(length),
  };
}

/** Returns the text that rules are searched in, as JSON where the file is data; null for none. */
function relevantText(file: string, text: string): string | null {
  if (/\.[cm]?[jt]s$/u.test(file)) return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '');
  try {
    const data: unknown = parse(text);
    if (file !== 'package.json') return JSON.stringify(data);
    if (typeof data !== 'object' || data === null) return null;
    const own = ['commitlint', 'gitmoji'].map((key) => Reflect.get(data, key)).filter((one) => one != null);
    return own.length === 0 ? null : JSON.stringify(own);
  } catch {
    return null;
  }
}

/** The values of an enum rule: `'type-enum': [2, 'always', ['fix', 'feat']]`. */
function valuesOf(text: string, rule: string): string[] {
  const list = new RegExp(`${rule}["']?\\s*:\\s*\\[[^\\[\\]]*\\[([^\\]]*)\\]`, 'u').exec(text)?.[1] ?? '';
  const values = list.match(/[\w@./-]{1,40}/gu) ?? [];
  return [...new Set(values)].slice(0, mostValues);
}

/** Returns a learned style under the repository's rules, which count more than its history. */
export function underCommitLint(style: CommitStyle, lint: CommitLint | null): CommitStyle {
  if (lint === null) return style;
  const { conventional, gitmoji, types, areas, length } = lint;
  const isLearned = style.form === 'conventional';
  return {
    ...style,
    ...(conventional ? { form: 'conventional' as const, capital: isLearned && style.capital } : {}),
    emoji: gitmoji && style.emoji === 'none' ? 'character' : style.emoji,
    types: types.length > 0 ? types : style.types,
    areas: areas.length > 0 ? areas : style.areas,
    length: length === null ? style.length : Math.min(style.length, length),
  };
}

/**
 * Describes a style for the model that words the headline; '' for a plain one. A ticket, an area
 * and an emoji are added later.
 */
export function describeCommitStyle(style: CommitStyle): string {
  const added = {
    plain: [],
    conventional: [],
    area: ['the area before the text'],
    ticket: ['the ticket before the text'],
  }[style.form];
  const marks = [...added, ...(style.emoji === 'none' ? [] : ['its emoji'])];
  const note = marks.length === 0 ? '' : ` Leave out ${marks.join(' and ')}: it is added for you.`;
  if (style.form !== 'conventional')
    return note === '' ? '' : `The commit headline follows this repository's history.${note}`;
  const types = style.types.length === 0 ? usual : style.types;
  const scopes = style.areas.slice(0, 20);
  return [
    `The commit headline follows Conventional Commits: type(scope): text. Types: ${types.slice(0, 20).join(', ')}.`,
    scopes.length === 0 ? 'Without a scope.' : `Scopes: ${scopes.join(', ')}; none if no one fits.`,
    `At most ${style.length} characters, the text in ${style.capital ? 'upper' : 'lower'} case first.`,
    `The type says what the change does: what mends a bug is a fix.${note}`,
  ].join(' ');
}
