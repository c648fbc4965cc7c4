import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRunner } from './command-runner.ts';
import { newMark } from './marked-tree.ts';
import { controlOf, createPool, holdProgram, type PoolMember, type ProcessPool } from './process-pool.ts';
import { followCommand, followProcess, type ProcessTree } from './running-command.ts';
import { handOver, type ShellScript, scriptFor, shellWords, waitForScript } from './waiting-shell.ts';

/**
 * A runner without a sandbox: every command in a process group of its own, with the environment given and
 * an empty home that lasts as long as the runner. From the first command on a shell waits for the next. Processes that left the
 * group are found by a mark in their environment, or by the command's output that they hold open, and killed as well.
 */
export function plainRunner(environment: Readonly<Record<string, string>>): CommandRunner {
  const running = new Map<Promise<unknown>, () => void>();
  let home: string | null = null;
  let pool: ProcessPool<PlainMember> | null = null;
  let closed = false;
  const start = (script: ShellScript) => {
    if (closed) throw new Error('a command was to be started when its run had ended');
    if (pool === null) {
      const empty = mkdtempSync(join(tmpdir(), 'anode-home-'));
      home = empty;
      pool = createPool(1, () => startMember({ ...environment, HOME: empty }));
    }
    const { take, fill } = pool;
    const member = take();
    const tree = member.start(script);
    // Beside the command, so that the next one finds its shell ready.
    setImmediate(fill);
    return { child: member.child, tree };
  };
  return {
    sandboxed: false,
    async run(request) {
      request.signal.throwIfAborted();
      const { child, tree } = start(scriptFor(request, { alone: false }));
      const done = followCommand(child, request, tree);
      running.set(done, tree.kill);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    async open(request) {
      // On a terminal the output is the terminal's: what knows the tree again is kept open beside it.
      const held = { ...request, command: `exec 9>&1; ${request.command}` };
      const { child, tree } = start(scriptFor(held, { alone: true }));
      const process = followProcess(child, request, tree);
      const { ended } = process;
      running.set(ended, tree.kill);
      const forget = () => void running.delete(ended);
      ended.then(forget, forget);
      return process;
    },
    async close() {
      closed = true;
      for (const kill of running.values()) kill();
      await Promise.allSettled(running.keys());
      await pool?.close();
      if (home !== null) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A shell that waits, of whose tree nothing is known before it has its script. */
interface PlainMember extends PoolMember {
  start(script: ShellScript): ProcessTree;
}

/** Starts a shell that waits, in a group of its own and marked. When this program dies, its descriptor ends and it with it. */
function startMember(environment: Readonly<Record<string, string>>): PlainMember {
  const mark = newMark();
  const child = spawn('bash', shellWords(waitForScript), {
    cwd: '/',
    env: { ...environment, ...mark.environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const control = controlOf(child);
  holdProgram(child, false);
  return {
    child,
    start(script) {
      holdProgram(child, true);
      // It waits: of a command that has ended already, nobody could tell which output it held.
      const tree = mark.treeOf(child);
      control.end(handOver(script));
      return tree;
    },
    async dismiss() {
      holdProgram(child, true);
      const exited = new Promise((settle) => child.once('exit', settle));
      child.kill('SIGKILL');
      await exited;
    },
  };
}
