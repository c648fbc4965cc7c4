import picomatch from 'picomatch';
import { ToolError } from '../../contract/errors.ts';
import { refuseUnreachable } from './refuse-unreachable.ts';

const options = { dot: true, strictBrackets: true } as const;

/**
 * A test for paths by a glob: one without a slash is meant for the file's name anywhere below, one with a slash for
 * the path from the searched folder or from the top of its repository. A leading `!` leaves out what the rest means
 * in `.gitignore`, so that `!vendor` leaves out a folder too. `root` is the path of the searched folder, `top` what
 * stands before the paths of its repository (`../shared-lib/`). Throws `ToolError` for a glob that is none, or that
 * nothing shown here could match.
 */
export function globFilter(glob: string, root: string, top = ''): (path: string) => boolean {
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

/** A test for paths below a folder by a pattern, whole path against whole pattern. */
export function pathPattern(
  pattern: string,
  root: string,
  settings: { readonly hidden: boolean },
): (path: string) => boolean {
  refuseUnreachable(pattern);
  const matches = compile(pattern.replace(/^\.\//, ''), settings.hidden);
  return (path) => matches(below(path, root));
}

function compile(glob: string, dot = true): (text: string) => boolean {
  try {
    return picomatch(glob, { ...options, dot });
  } catch (error) {
    throw new ToolError('invalid_input', `"${glob}" is not a valid glob: ${String(error)}`, { cause: error });
  }
}

function below(path: string, root: string): string {
  return root === '.' ? path : path.slice(root.length + 1);
}
