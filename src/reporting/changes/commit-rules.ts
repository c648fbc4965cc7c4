import { parse } from 'yaml';
import { type CommitStyle, conventionalTypes } from './commit-style.ts';

const names = ['.commitlintrc', 'commitlint.config'];
const endings = ['', '.json', '.yaml', '.yml', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts'];

/**
 * Files that may set rules for commit subjects: commitlint's ("Configuration" in its
 * documentation), Commitizen's, and the manifest of a package.
 */
export const commitRuleFiles: readonly string[] = [
  ...names.flatMap((name) => endings.map((ending) => `${name}${ending}`)).filter((name) => name !== names[1]),
  '.czrc',
  '.gitmojirc.json',
  'package.json',
];

/** The rules that a repository sets for commit subjects. Empty lists allow anything. */
export type CommitRules = Pick<CommitStyle, 'types' | 'areas'> & {
  readonly conventional: boolean;
  readonly gitmoji: boolean;
  /** Null without a limit. */
  readonly length: number | null;
};

const mostValues = 40;

/**
 * Reads the rules from the texts of those files, by path. A program is searched, never run. Null if
 * no file sets any.
 */
export function readCommitRules(files: ReadonlyMap<string, string>): CommitRules | null {
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
    types: conventional && types.length === 0 ? conventionalTypes : types,
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
export function applyCommitRules(style: CommitStyle, rules: CommitRules | null): CommitStyle {
  if (rules === null) return style;
  const { conventional, gitmoji, types, areas, length } = rules;
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
