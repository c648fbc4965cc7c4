import { resolve } from 'node:path';
import { ToolError } from '../../../contract/errors.ts';
import type { CommandRunner } from '../../../sandbox/command-runner.ts';
import type { ShellSession } from './open-shell.ts';

/** Maximum running sessions, each with a sandbox and its processes. */
const mostRunning = 8;

/** Maximum ended sessions stored for their last output. */
const mostEnded = 16;

/** A program to start as a session. */
export interface SessionStart {
  readonly command: string;
  /** Relative to the workspace; empty for its root. */
  readonly folder: string;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** The programs that a run has left running, by id. */
export interface ShellSessions {
  /**
   * Starts one that accepts input. Rejects with the signal's reason. Throws
   * `ToolError('unavailable')` if too many are running.
   */
  open(start: SessionStart): Promise<ShellSession>;
  /** Throws `ToolError('not_found')` with the known ids. */
  find(id: string): ShellSession;
  /** Returns all running and the last ended sessions, in the order of their start. */
  list(): readonly ShellSession[];
  /** Ends all with their process trees. Returns the last call that used one; null without any. */
  close(): Promise<string | null>;
}

/** The sessions of one run. Starts nothing, and loads little, before the first is opened. */
export function createSessions(run: {
  readonly root: string;
  readonly commands: CommandRunner;
  readonly spillFolder: string;
}): ShellSessions {
  const sessions = new Map<string, ShellSession>();
  let opened = 0;
  const list = () => [...sessions.values()];
  const forgetOld = () => {
    const ended = list().filter((one) => one.end !== null);
    for (const one of ended.slice(0, Math.max(0, ended.length - mostEnded))) sessions.delete(one.id);
  };
  return {
    list,
    async open({ command, folder, callId, signal }) {
      const running = list().filter((one) => one.end === null);
      if (running.length >= mostRunning)
        throw new ToolError(
          'unavailable',
          `${mostRunning} sessions are running, and no more can be: ${running.map((one) => one.id).join(', ')}. End one with shell_session {"action": "kill"} first.`,
        );
      const { ShellSession, terminalCommand } = await import('./open-shell.ts');
      opened += 1;
      const id = `session_${opened}`;
      const session = new ShellSession({ id, command, folder, callId, spillFolder: run.spillFolder });
      session.follow(
        await run.commands.open({
          command: terminalCommand(command),
          cwd: resolve(run.root, folder),
          onOutput: session.push,
        }),
      );
      sessions.set(id, session);
      forgetOld();
      await session.started(signal);
      return session;
    },
    find(id) {
      const found = sessions.get(id);
      if (found !== undefined) return found;
      const ids = [...sessions.keys()];
      throw new ToolError(
        'not_found',
        ids.length === 0
          ? `There is no session ${id}, nor any other. Open one with {"action": "open", "command": …}.`
          : `There is no session ${id}. There are: ${ids.join(', ')}.`,
      );
    },
    async close() {
      const last = list().at(-1)?.lastCall ?? null;
      await Promise.all(list().map((one) => one.kill()));
      return last;
    },
  };
}
