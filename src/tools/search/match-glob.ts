import picomatch from 'picomatch';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { withinTime } from '../text/interruptible.ts';

const options = { dot: true, strictBrackets: true } as const;

/**
 * Returns a test for paths by a glob. Without a slash, the glob matches a file's name anywhere
 * below. With a slash, it matches the path from the searched folder or from the top of its
 * repository. A leading `!` excludes as in `.gitignore`, so `!vendor` also excludes a folder. Of
 * several globs with commas, one must match and none may exclude. `root` is the searched folder;
 * `top` is the prefix of its repository's paths (`../shared-lib/`). Throws `ToolError` for an
 * invalid glob, or one that nothing visible could match.
 */
export function globFilter(glob: string, root: string, top = ''): (path: string) => boolean {
  const several = splitGlobs(glob);
  if (several.length < 2) return oneFilter(glob, root, top);
  const excluding = several.filter((one) => one.startsWith('!'));
  const including = several.filter((one) => !one.startsWith('!'));
  // A comma may also be part of a name.
  if (excluding.length === 0) including.push(glob);
  const may = including.map((one) => oneFilter(one, root, top));
  const must = excluding.map((one) => oneFilter(one, root, top));
  return (path) =>
    must.every((matches) => matches(path)) && (may.length === 0 || may.some((matches) => matches(path)));
}

function oneFilter(glob: string, root: string, top: string): (path: string) => boolean {
  refuseUnreachable(glob);
  if (glob.startsWith('!')) return exclusion(glob.slice(1), root, top);
  const whole = glob.endsWith('/') ? `${glob}**` : glob;
  const matches = compile(whole.replace(/^\.\//, ''));
  if (!whole.includes('/')) return (path) => matches(path.slice(path.lastIndexOf('/') + 1));
  return (path) => matches(path.slice(top.length)) || matches(below(path, root));
}

function exclusion(glob: string, root: string, top: string): (path: string) => boolean {
  const plain = glob.replace(/\/$/, '');
  const matches = compile(plain);
  if (!plain.includes('/'))
    return (path) =>
      !path
        .slice(top.length)
        .split('/')
        .some((part) => matches(part));
  const inside = compile(`${plain}/**`);
  return (path) => [path.slice(top.length), below(path, root)].every((one) => !matches(one) && !inside(one));
}

/** Returns a test for paths below a folder by one or several patterns (commas): whole path. */
export function pathPattern(
  pattern: string,
  root: string,
  settings: { readonly hidden: boolean },
): (path: string) => boolean {
  const several = splitGlobs(pattern);
  const tests = (several.length < 2 ? [pattern] : [...several, pattern]).map((one) => {
    refuseUnreachable(one);
    return compile(one.replace(/^\.\//, ''), settings.hidden);
  });
  return (path) => tests.some((matches) => matches(below(path, root)));
}

/** Limits of a glob: its characters, and its brackets, for each of which the pattern recurses. */
const longestGlob = 10_000;
const mostBrackets = 200;

function compile(glob: string, dot = true): (text: string) => boolean {
  if (glob.length > longestGlob || (glob.match(/[({[]/g)?.length ?? 0) > mostBrackets)
    throw invalidInput(
      `"${glob.slice(0, 80)}…" is too long for a glob: ${longestGlob} characters and ${mostBrackets} brackets at most. Give several globs, or a folder.`,
    );
  try {
    return bounded(glob, picomatch(glob, { ...options, dot }));
  } catch (error) {
    throw invalidInput(`"${glob}" is not a valid glob: ${String(error)}`, { cause: error });
  }
}

/**
 * Time limits in milliseconds: of one glob for all paths, and for one path that needs many
 * attempts.
 */
const longestMs = 10_000;
const longestForOneMs = 500;
/** Maximum ways to split a path among the stars that take only a few milliseconds. */
const fewWays = 1_000_000;

/**
 * Limits the time of a glob. Its regular expression tries every way to split a path among the
 * stars: `*a*a*a*a*b` on a name of many `a` would take years. Nested repetition is as bad.
 */
function bounded(glob: string, matches: (text: string) => boolean): (text: string) => boolean {
  const repeats = /[+*!]\(|\)[+*{]/.test(glob);
  const stars = glob.match(/\*+|\(/g)?.length ?? 0;
  let usedMs = 0;
  return (text) => {
    const start = monotonicMs();
    const direct = repeats ? text.length < 16 : waysToSplit(text.length, stars) <= fewWays;
    const matched = direct ? { result: matches(text) } : withinTime(longestForOneMs, () => matches(text));
    usedMs += monotonicMs() - start;
    if (matched !== null && usedMs < longestMs) return matched.result;
    throw invalidInput(
      `"${glob}" takes too long to compare with the paths there are. Use fewer * and no (…), or give a path.`,
    );
  };
}

/** Returns the number of ways that `count` pieces can be placed in a text of this length. */
function waysToSplit(length: number, count: number): number {
  let all = 1;
  for (let piece = 1; piece <= count && all <= fewWays; piece += 1) {
    all *= Math.max(2, (length - piece + 1) / piece);
  }
  return all;
}

function below(path: string, root: string): string {
  return root === '.' ? path : path.slice(root.length + 1);
}

/**
 * Throws `ToolError` for a glob that could only match git's own files or paths outside the
 * workspace. An empty result would claim that nothing is there.
 */
function refuseUnreachable(glob: string): void {
  if (glob.startsWith('!')) return;
  if (/(?:^|\/)\.git(?:\/|$)/.test(glob)) {
    throw new ToolError(
      'protected',
      `${glob} means git's own files, which cannot be read here. Use git commands instead.`,
    );
  }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(glob)) {
    throw new ToolError('outside_workspace', `${glob} lies outside the workspace. Use paths inside it.`);
  }
  if (glob.startsWith('/')) {
    throw invalidInput(`${glob} is absolute; give it relative to the workspace.`);
  }
}

/** Brackets that a comma may be part of. */
const opening = '{[(';
const closing = '}])';

/**
 * Splits a list of globs such as `*.go,*.md` at commas outside brackets, unless escaped by a
 * backslash. Empty parts are dropped.
 */
export function splitGlobs(globs: string): string[] {
  const parts = [''];
  let depth = 0;
  let escaped = false;
  for (const character of globs) {
    if (!escaped && opening.includes(character)) depth += 1;
    if (!escaped && closing.includes(character)) depth -= 1;
    if (character === ',' && depth <= 0 && !escaped) parts.push('');
    else parts[parts.length - 1] += character;
    escaped = character === '\\' && !escaped;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
