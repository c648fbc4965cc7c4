import picomatch from 'picomatch';
import { ToolError } from '../../contract/errors.ts';
import { refuseUnreachable } from './refuse-unreachable.ts';

const options = { dot: true, strictBrackets: true } as const;

/**
 * A test for paths by a glob: one without a slash is meant for the file's name anywhere below, as in
 * `.gitignore`; one with a slash for the path from the searched folder or from the workspace. A leading `!`
 * turns it round. Throws `ToolError` for a glob that is none, or that nothing shown here could match.
 */
export function globFilter(glob: string, root: string): (path: string) => boolean {
  refuseUnreachable(glob);
  const matches = compile(glob);
  if (!glob.replace(/^!/, '').includes('/')) return (path) => matches(path.slice(path.lastIndexOf('/') + 1));
  return (path) => matches(path) || matches(below(path, root));
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
