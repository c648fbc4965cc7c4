import type { Json, JsonObject } from '../../contract/json.ts';

/** A time-out below this can only be meant in seconds: no command is given less than one. */
const leastTimeoutMs = 1_000;

/**
 * What the pair of terminal tools of another agent (Codex, "unified exec") means by a call that is no plain command:
 * `exec_command` with a `tty` opens a session, and `write_stdin` without characters only looks; and a
 * command whose `timeout`, which has no unit in its name, is given in seconds. Null for any other.
 */
export function terminalCall(
  tool: string,
  name: string,
  input: Json,
): { readonly tool: 'bash' | 'shell_session'; readonly input: JsonObject } | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  if (name === 'exec_command' && input.tty === true) {
    const { tty: _, ...rest } = input;
    return { tool: 'shell_session', input: { ...rest, action: 'open' } };
  }
  if (name === 'write_stdin' && (input.chars ?? '') === '') {
    const { chars: _, ...rest } = input;
    return { tool: 'shell_session', input: { ...rest, action: 'poll' } };
  }
  const { timeout, ...rest } = input;
  const seconds = Number(timeout ?? Number.NaN);
  if (tool === 'bash' && rest.timeout_ms === undefined && seconds > 0 && seconds < leastTimeoutMs)
    return { tool, input: { ...rest, timeout_ms: Math.ceil(seconds * 1000) } };
  return null;
}
