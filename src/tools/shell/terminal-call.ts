import type { Json, JsonObject } from '../../contract/json.ts';

/** Smallest timeout in milliseconds; a lower number must mean seconds. */
const leastTimeoutMs = 1_000;

/**
 * Translates calls of another agent's terminal tools (Codex, "unified exec"): `exec_command` with a
 * `tty` opens a session, `write_stdin` without characters polls, and a `timeout` without a unit may
 * be in seconds. Null for any other call.
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
