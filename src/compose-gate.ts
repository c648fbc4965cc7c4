import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { GateCall } from './agent/call-tool.ts';
import type { Config } from './config/schema.ts';
import type { Decision, Grant } from './contract/decision.ts';
import type { Preset, SandboxMode } from './contract/levels.ts';
import type { RunPlan } from './contract/plan.ts';
import { type AskDelegate, decide } from './permissions/gate.ts';
import type { Policy } from './permissions/policy.ts';
import type { CommandRunner } from './permissions/sandbox/command-runner.ts';
import { isInside } from './workspace/confine-path.ts';
import type { RegisteredRepository } from './workspace/registered-repositories.ts';
import type { Workspace } from './workspace/workspace.ts';

/** How long a delegate may think before its silence counts as a refusal. */
const delegateTimeoutMs = 60_000;

/** The gate of one run: its preset and ceiling, its config's rules, its workspace. */
export function makeGate(run: {
  readonly preset: Preset;
  readonly readOnly: boolean;
  readonly config: Config;
  readonly workspace: Workspace;
  readonly spillFolder: string;
  readonly repositories?: readonly RegisteredRepository[];
  readonly commands: CommandRunner;
  readonly sandbox: SandboxMode;
  /** The plan of a run for GitHub: keys lie in the process that serves it. */
  readonly plan: RunPlan | null;
  /** What people granted for the session. */
  readonly grants?: readonly Grant[];
  readonly signal: AbortSignal;
}): (call: GateCall, context: 'main' | 'child') => Promise<Decision> {
  const policy: Policy = {
    preset: run.preset,
    rules: run.config.permissions?.rules ?? [],
    grants: run.grants ?? [],
    readOnly: run.readOnly,
    commandCeiling: commandCeiling(run),
    protectedAllow: run.config.protected?.allow ?? [],
    sandboxed: run.commands.sandboxed,
    relativePath: (given) => realRelative(run.workspace.root, run.spillFolder, given, run.repositories ?? []),
  };
  return (call, context) =>
    decide(
      {
        tool: call.tool.name,
        level: call.level,
        input: call.input,
        targets: call.targets,
        context,
        ownState: call.tool.ownState ?? false,
        readOnly: call.readOnly,
        ...(call.diff === undefined ? {} : { diff: call.diff }),
      },
      policy,
      (request) => askDelegate(request, run),
    );
}

/** A sandbox that was only preferred and is missing must not leave keys within a command's reach. */
function commandCeiling(run: Parameters<typeof makeGate>[0]): string | null {
  if (run.plan === null || run.commands.sandboxed || run.sandbox === 'off') return null;
  return 'this run has no sandbox to keep keys out of reach';
}

/**
 * Where a path really leads, links followed: relative to the workspace, absolute inside the folder of spilled
 * output or a registered repository, else null. What does not exist yet is judged by its nearest existing parent.
 */
export function realRelative(
  root: string,
  readableFolder: string,
  given: string,
  repositories: readonly RegisteredRepository[] = [],
): string | null {
  let existing = nameInRepository(path.resolve(root, given), root, repositories);
  const missing: string[] = [];
  for (;;) {
    try {
      existing = realpathSync(existing);
      break;
    } catch {
      const parent = path.dirname(existing);
      if (parent === existing) return null;
      missing.unshift(path.basename(existing));
      existing = parent;
    }
  }
  const real = path.join(existing, ...missing);
  if (isInside(root, real)) return path.relative(root, real);
  const readable = [readableFolder, ...repositories.map((repository) => repository.root)];
  return readable.some((folder) => isInside(folder, real)) ? real : null;
}

/** A path below the name of a repository, as a path in the folder it stands for. */
function nameInRepository(
  absolute: string,
  root: string,
  repositories: readonly RegisteredRepository[],
): string {
  for (const { shown, root: folder } of repositories) {
    const named = path.resolve(root, shown);
    if (isInside(named, absolute)) return path.join(folder, path.relative(named, absolute));
  }
  return absolute;
}

/**
 * Asks a program of the operator's. One that lies in the checkout is not asked but refused: the change under
 * review could have rewritten it.
 */
async function askDelegate(
  request: Parameters<AskDelegate>[0],
  run: { readonly workspace: Workspace; readonly commands: CommandRunner; readonly signal: AbortSignal },
): ReturnType<AskDelegate> {
  const { root } = run.workspace;
  const { program } = request;
  if (program.includes('/') && !path.relative(root, path.resolve(root, program)).startsWith('..')) {
    return {
      exitCode: 2,
      stderr: `${program} lies in the checkout, where a change under review could rewrite it.`,
    };
  }
  const said: Buffer[] = [];
  const result = await run.commands.run({
    command: `${program} >/dev/null`,
    cwd: root,
    timeoutMs: delegateTimeoutMs,
    signal: run.signal,
    env: { AGENT_TOOL_NAME: request.tool },
    stdin: JSON.stringify(request.input),
    onOutput: (chunk) => void said.push(chunk),
  });
  return { exitCode: result.exitCode, stderr: Buffer.concat(said).toString('utf8') };
}
