import { rm } from 'node:fs/promises';
import type { CommandRunner } from './command-runner.ts';
import { prepareSandboxes, type SandboxOptions } from './prepare-sandboxes.ts';
import { createPool, type ProcessPool } from './process-pool.ts';
import { makeRunCgroup, type RunCgroup } from './run-cgroup.ts';
import { followCommand, followProcess } from './running-command.ts';
import { workspaceArguments } from './sandbox-layout.ts';
import { type SandboxMember, startMember } from './sandbox-member.ts';
import { findBwrap } from './trusted-path.ts';
import { type ShellScript, scriptFor } from './waiting-shell.ts';

/** Sandboxes with a read-only and with a writable workspace; the same pool if none may write. */
interface Pools {
  /** Our folder of files that the sandboxes mount. */
  readonly files: string;
  readonly cgroup: RunCgroup | null;
  readonly reading: ProcessPool<SandboxMember>;
  readonly writing: ProcessPool<SandboxMember>;
}

/** Waiting sandboxes per pool after its first use: for the next command and for the one after. */
const poolSize = 2;

/**
 * Makes a runner that gives every command its own sandbox from a pool started ahead. The pool is
 * created by the first command or by `warm`.
 */
export function sandboxedRunner(options: SandboxOptions): CommandRunner & { warm(): Promise<void> } {
  const running = new Map<Promise<unknown>, () => void>();
  let opened: Promise<Pools> | null = null;
  const open = () => {
    opened ??= openPools(options);
    return opened;
  };
  let closed = false;
  const start = async (script: ShellScript, reading: boolean) => {
    const pools = await open();
    if (closed) throw new Error('No command can start: the run has ended.');
    const pool = reading ? pools.reading : pools.writing;
    const member = pool.take();
    member.start(script);
    // Runs beside the command, so that the next one finds its sandbox ready.
    setImmediate(() => pool.fill());
    return member;
  };
  return {
    sandboxed: true,
    async warm() {
      (await open()).writing.fill();
    },
    async run(request) {
      request.signal.throwIfAborted();
      const member = await start(scriptFor(request, { alone: false }), request.readOnlyWorkspace === true);
      const done = followCommand(member.child, request, member);
      running.set(done, member.kill);
      try {
        const result = await done;
        await requireSandbox(member, result, options.workspace.root);
        return result;
      } finally {
        running.delete(done);
      }
    },
    async open(request) {
      const member = await start(scriptFor(request, { alone: true }), false);
      const process = followProcess(member.child, request, member);
      const ended = process.ended.then(async (result) => {
        await requireSandbox(member, result, options.workspace.root);
        return result;
      });
      running.set(ended, member.kill);
      const forget = () => void running.delete(ended);
      ended.then(forget, forget);
      return { ...process, ended };
    },
    async close() {
      closed = true;
      for (const kill of running.values()) kill();
      await Promise.allSettled(running.keys());
      const pools = await opened;
      if (pools === null) return;
      await pools.reading.close();
      await pools.writing.close();
      await pools.cgroup?.close();
      await rm(pools.files, { recursive: true, force: true });
    },
  };
}

async function openPools(options: SandboxOptions): Promise<Pools> {
  const { files, filterFile, layout } = await prepareSandboxes(options);
  const cgroup = makeRunCgroup();
  const bwrap = findBwrap(options.environment.PATH, options.workspace.root);
  const settings = { ...options, bwrap, filterFile, cgroup };
  const poolFor = (readOnlyRoot: boolean) =>
    createPool(poolSize, () => startMember(workspaceArguments({ ...layout(), readOnlyRoot }), settings));
  const reading = poolFor(true);
  const writing = options.readOnlyWorkspace === true ? reading : poolFor(false);
  return { files, cgroup, reading, writing };
}

/** Throws if the sandbox itself could not be set up. */
async function requireSandbox(
  member: SandboxMember,
  { exitCode }: { readonly exitCode: number | null },
  root: string,
): Promise<void> {
  if (await member.cameUp()) return;
  throw new Error(
    `The sandbox could not be set up for \`${root}\`; bubblewrap ended with ${exitCode}. See the output of the command.`,
  );
}
