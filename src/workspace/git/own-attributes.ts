import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { OwnGit } from './own-git.ts';

/** Attributes that change bytes between a file and its object (gitattributes, "Checking-out and checking-in"). */
const converting = /^[-!]?(?:text|crlf|eol|ident|working-tree-encoding|binary)(?:=|$)/;

/** No conversion: what a file holds is what its object holds. `!` stands above every word of the tree. */
const none = '* !text !crlf !eol !ident !filter !working-tree-encoding';

const diffLine = /\* [!-]diff\n/g;

const fileOf = (git: OwnGit) => path.join(git.gitDirectory, 'info/attributes');

/**
 * Sets what attributes say in a git directory of ours, above all files of the tree (gitattributes, "$GIT_DIR/info/attributes"): the rules given,
 * which are those that the tree began with, and nothing that is written into it later. Only what converts content counts.
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

/** Has git itself decide what is text (`!diff`), or takes everything for binary (`-diff`), whatever attributes of the tree say. */
export function setDiffAttribute(git: OwnGit, value: '!diff' | '-diff'): void {
  const file = fileOf(git);
  mkdirSync(path.dirname(file), { recursive: true });
  const others = existsSync(file) ? readFileSync(file, 'utf8').replace(diffLine, '') : '';
  writeFileSync(file, `${others}* ${value}\n`);
}

/** A line of a `.gitattributes` as one for the root; none where nothing of it converts. */
function lineFrom(line: string, folder: string): string[] {
  const [, quoted, plain, rest = ''] =
    /^\s*(?:"((?:[^"\\]|\\.)*)"|([^\s#"]\S*))((?:\s+\S+)+)/.exec(line) ?? [];
  const words = rest.split(/\s+/).filter((word) => converting.test(word));
  // `binary` is a macro for more than is meant here.
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
