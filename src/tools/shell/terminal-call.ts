import type { Json, JsonObject } from '../../contract/json.ts';

/**
 * What the pair of terminal tools of another agent (Codex, "unified exec") means by a call that is no plain command:
 * `exec_command` with a `tty` opens a session, and `write_stdin` without characters only looks. Null for any other.
 */
export function terminalCall(
  name: string,
  input: Json,
): { readonly tool: 'shell_session'; readonly input: JsonObject } | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  if (name === 'exec_command' && input.tty === true) {
    const { tty: _, ...rest } = input;
    return { tool: 'shell_session', input: { ...rest, action: 'open' } };
  }
  if (name === 'write_stdin' && (input.chars ?? '') === '') {
    const { chars: _, ...rest } = input;
    return { tool: 'shell_session', input: { ...rest, action: 'poll' } };
  }
  return null;
}
