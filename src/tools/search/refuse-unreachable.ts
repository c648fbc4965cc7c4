import { ToolError } from '../../contract/errors.ts';

/**
 * Throws `ToolError` for a glob that could only match git's own files or paths outside the
 * workspace. An empty result would claim that nothing is there.
 */
export function refuseUnreachable(glob: string): void {
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
    throw new ToolError('invalid_input', `${glob} is absolute; give it relative to the workspace.`);
  }
}
