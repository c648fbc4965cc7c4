import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandRunner } from './command-runner.ts';
import { newMark } from './marked-tree.ts';
import { controlOf, createPool, type PoolMember, type ProcessPool, setKeepAlive } from './process-pool.ts';
import { followCommand, followProcess, type ProcessTree } from './running-command.ts';
import { handOver, type ShellScript, scriptFor, shellArguments, waitForScript } from './waiting-shell.ts';

/**
 * Makes a runner without a sandbox. Each command runs in its own process group, with the given
 * environment and an empty home that lasts as long as the runner. A shell waits for the next
 * command after the first.
 *
 * Processes that left the group are found by a mark in their environment, or because they hold the
 * output open, and killed too.
 */
export function plainRunner(environment: Readonly<Record<string, string>>): CommandRunner {
  const running = new Map<Promise<unknown>, () => void>();
  let home: string | null = null;
  let pool: ProcessPool<PlainMember> | null = null;
  let closed = false;
  const start = (script: ShellScript) => {
    if (closed) throw new Error('No command can start: the run has ended.');
    if (pool === null) {
      const empty = mkdtempSync(join(tmpdir(), 'anode-home-'));
      home = empty;
      pool = createPool(1, () => startMember({ ...environment, HOME: empty }));
    }
    const { take, fill } = pool;
    const member = take();
    const tree = member.start(script);
    // Runs beside the command, so that the next one finds its shell ready.
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
      // On a terminal the output is the terminal's. This keeps the identifying socket open beside
      // it.
      const marked = { ...request, command: `exec 9>&1; ${request.command}` };
      const { child, tree } = start(scriptFor(marked, { alone: true }));
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

/** A waiting shell whose process tree is unknown until it gets its script. */
interface PlainMember extends PoolMember {
  start(script: ShellScript): ProcessTree;
}

/**
 * Starts a waiting shell, marked and in its own group. If this program dies, the shell's descriptor
 * ends and the shell exits.
 */
function startMember(environment: Readonly<Record<string, string>>): PlainMember {
  const mark = newMark();
  const child = spawn('bash', shellArguments(waitForScript), {
    cwd: '/',
    env: { ...environment, ...mark.environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const control = controlOf(child);
  setKeepAlive(child, false);
  return {
    child,
    start(script) {
      setKeepAlive(child, true);
      // Must happen while it waits: an ended command no longer shows which output it held.
      const tree = mark.treeOf(child);
      control.end(handOver(script));
      return tree;
    },
    async dismiss() {
      setKeepAlive(child, true);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
}
