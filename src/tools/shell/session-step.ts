import type { ToolContext, ToolOutput } from '../tool.ts';
import { recordChanges } from './record-changes.ts';
import { renderExit } from './render-exit.ts';
import type { ShellSession } from './sessions/open-shell.ts';

/** Waits until a session waits for input or ends, and returns its output and changes. */
export async function sessionStep(
  session: ShellSession,
  step: { readonly tool: string; readonly yieldMs: number; readonly since?: number },
  context: ToolContext,
): Promise<ToolOutput> {
  session.lastCall = context.callId;
  try {
    await session.waitForOutput(step.yieldMs, context.signal, step.since);
  } finally {
    await recordChanges(context, step.tool);
  }
  return renderSession(session);
}

/** Renders a session: its new output, and its status. */
export function renderSession(session: ShellSession, ...notes: readonly string[]): ToolOutput {
  const text = session.take().replace(/\n$/, '');
  const lines = [text, `[${session.id} ${sessionStatus(session)}]`, ...notes];
  return {
    content: lines.filter((line) => line !== '').join('\n'),
    data: {
      session_id: session.id,
      status: session.end === null ? 'running' : 'exited',
      exit_code: session.end?.exitCode ?? null,
      signal: session.end?.signal ?? null,
      terminal: session.terminal === true,
      output_bytes: session.output.total,
      output_file: session.output.total > 0 && session.file.usable ? session.file.path : null,
    },
  };
}

/** Renders a status: `is running`, `has ended: exit code 0`. */
export function sessionStatus({ end }: ShellSession): string {
  if (end === null) return 'is running';
  return `has ended: ${renderExit(end)}`;
}
