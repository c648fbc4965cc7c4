import { escapeRegex } from './text-query.ts';

const keywords =
  'function\\*?|func|fn|def|class|interface|struct|enum|union|trait|type|module|mod|namespace|package|protocol|object|record|const|let|var|val|macro|sub|proc|#define';

/** Matches a function value in JavaScript. */
const functionValue = '(?:async\\s+)?(?:function\\b|\\([^)]*\\)\\s*=>|\\w+\\s*=>)';

/**
 * Builds a pattern for lines that look like a definition of a name starting with `name` (itself a
 * pattern), in common languages. It matches text only; imports look the same and are for `isImport`
 * to detect.
 */
export function definitionPattern(name: string): string {
  const afterKeyword = `(?:^|[^\\w])(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?(?:\\w+(?:\\.|::))*${name}\\w*`;
  const method = `^\\s*(?:(?:public|private|protected|static|async|override|final|abstract|get|set)\\s+)*${name}\\w*\\s*\\([^;]*\\)[^;]*\\{\\s*$`;
  const exported = `(?:^|[^\\w.])(?:module\\.)?exports\\.${name}\\w*\\s*=[^=]`;
  const property = `(?:^|[{,]|\\.|static\\s)\\s*["']?${name}\\w*["']?\\s*[:=]\\s*${functionValue}`;
  return `${afterKeyword}|${method}|${exported}|${property}`;
}

/** Builds a pattern for names that contain a word, ignoring underscores. */
export function namePart(word: string): string {
  return `\\w*${[...word.replaceAll('_', '')].map(escapeRegex).join('_*') || escapeRegex(word)}`;
}

/** True for a line that only imports: `const a = require("a")`, `import type { A } from "a"`. */
export function isImport(line: string): boolean {
  return /^\s*(?:import\b|(?:export\s+)?(?:const|let|var)\s[^=]*=\s*(?:await\s+)?(?:require|import)\s*\(|use\s)/.test(
    line,
  );
}

/** Returns the words of a question to search for: those of four letters and more, else all. */
export function searchWords(question: string): string[] {
  const words = question.split(/[^\p{L}\p{N}_$.-]+/u).filter((word) => word !== '');
  const long = words.filter((word) => word.length >= 4);
  if (long.length > 0) return long;
  return words.length > 0 ? words : [question];
}
