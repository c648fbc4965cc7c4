import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';

/**
 * Attributes that change bytes between a file and its object (gitattributes, "Checking-out and
 * checking-in").
 */
const converting = /^[-!]?(?:text|crlf|eol|ident|working-tree-encoding|binary)(?:=|$)/;

/** Disables conversion, so a file equals its object. `!` overrides all attributes of the tree. */
const none = '* !text !crlf !eol !ident !filter !working-tree-encoding';

const diffLine = /\* [!-]diff\n/g;

const fileOf = (git: OwnGit) => path.join(git.gitDirectory, 'info/attributes');

/**
 * Sets the attributes of our own git directory, above all files of the tree (gitattributes,
 * "$GIT_DIR/info/attributes"). They are the rules at the start of the run; later changes in the
 * tree are ignored. Only converting attributes count.
 */
export function fixAttributes(
  git: OwnGit,
  rules: readonly { readonly folder: string; readonly text: string }[],
): void {
  const depth = ({ folder }: { readonly folder: string }) => (folder === '' ? 0 : folder.split('/').length);
  const lines = rules
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap(({ folder, text }) => text.split(/\r?\n/).flatMap((line) => lineFrom(line, folder)));
  const file = fileOf(git);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${[none, ...lines].join('\n')}\n`);
}

/**
 * Lets git detect text (`!diff`) or treats everything as binary (`-diff`), regardless of attributes
 * of the tree.
 */
export function setDiffAttribute(git: OwnGit, value: '!diff' | '-diff'): void {
  const file = fileOf(git);
  mkdirSync(path.dirname(file), { recursive: true });
  const others = existsSync(file) ? readFileSync(file, 'utf8').replace(diffLine, '') : '';
  writeFileSync(file, `${others}* ${value}\n`);
}

/** Rewrites a line of a `.gitattributes` for the root; empty if nothing of it converts. */
function lineFrom(line: string, folder: string): string[] {
  const [, quoted, plain, rest = ''] =
    /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"]\S*))((?:\s+\S+)+)/.exec(line) ?? [];
  const words = rest.split(/\s+/).filter((word) => converting.test(word));
  // The macro `binary` includes more than conversion.
  const converted = words.map((word) => word.replace(/^binary$/, '-text'));
  const pattern = quoted ?? plain;
  if (pattern === undefined || converted.length === 0 || pattern.startsWith('!') || /^\[attr\]/.test(pattern))
    return [];
  const above = folder.replaceAll(/[*?[\]\\]/g, '\\$&');
  const anchored =
    folder === ''
      ? pattern
      : `/${above}/${pattern.includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
  const needsQuotes = quoted !== undefined || /[\s"\\]/.test(anchored);
  const escaped = quoted === undefined ? anchored.replaceAll(/["\\]/g, '\\$&') : anchored;
  return [`${needsQuotes ? `"${escaped}"` : anchored} ${converted.join(' ')}`];
}
