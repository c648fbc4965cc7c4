import type { GateCall } from '../../agent/calls/call-tool.ts';
import type { Config } from '../../config/schema.ts';
import type { Decision, Grant } from '../../contract/decision.ts';
import type { Preset, SandboxMode } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';
import {
  type ChangingCall,
  evaluateChanges,
  type RejectedChange,
  type SeenChange,
} from '../../permissions/gate/evaluate-changes.ts';
import { decide } from '../../permissions/gate/gate.ts';
import type { Policy } from '../../permissions/policy/policy.ts';
import { namesByLinks, protectedLinks } from '../../permissions/tree/protected-links.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { keysInReach } from '../policy/keys-in-reach.ts';
import type { Programs } from '../programs/open-programs.ts';
import { realRelative } from './real-relative.ts';

/** Inputs for the decisions on a run's calls. */
export interface GatedRun {
  readonly preset: Preset;
  readonly readOnly: boolean;
  readonly config: Config;
  readonly workspace: Workspace;
  readonly spillFolder: string;
  readonly repositories?: readonly RegisteredRepository[];
  readonly commands: CommandRunner;
  readonly sandbox: SandboxMode;
  /** The plan: in a run for GitHub, keys are in the process that serves it. */
  readonly plan: Pick<RunPlan, 'source'>;
  /** Grants of the session. Default: none. */
  readonly grants?: readonly Grant[];
  /** Hooks and delegates; null if the configuration has none. */
  readonly programs: Programs | null;
}

/** Makes the gate of a run from its preset, ceiling, rules and workspace. */
export function makeGate(run: GatedRun): (call: GateCall, context: 'main' | 'child') => Promise<Decision> {
  const policy = policyOf(run);
  const links = linksOf(run.workspace);
  return async (call, context) =>
    decide(
      {
        tool: call.tool.name,
        level: call.level,
        input: call.input,
        targets: call.targets,
        context,
        ownState: call.tool.ownState ?? false,
        onlyReads: call.onlyReads,
        ...(call.diff === undefined ? {} : { diff: call.diff }),
      },
      writes(call) ? { ...policy, alsoNamed: await links() } : policy,
      run.programs?.ask ?? unavailable,
      run.programs?.before,
    );
}

function writes({ targets }: GateCall): boolean {
  return targets.paths?.some(({ access }) => access === 'write') === true;
}

/**
 * Finds links that give a file a protected name, as of the newest scan. Only commands make links,
 * and a scan follows each command.
 */
function linksOf({ root, watch }: Workspace): () => Promise<(relative: string) => readonly string[]> {
  let isRead = false;
  return async () => {
    const tree = await watch();
    const entries = isRead ? tree.scanNow(Number.POSITIVE_INFINITY) : await tree.scan();
    isRead = true;
    const links = protectedLinks(root, entries);
    return (relative) => namesByLinks(relative, links);
  };
}

/** Makes the evaluation of changes by commands, with the same policy. */
export function makeChangeEvaluator(
  run: GatedRun,
): (changes: readonly SeenChange[], by: ChangingCall) => Promise<RejectedChange[]> {
  const policy = policyOf(run);
  return (changes, by) => evaluateChanges(changes, by, policy, run.programs?.ask ?? unavailable);
}

function policyOf(run: GatedRun): Policy {
  return {
    preset: run.preset,
    rules: run.config.permissions?.rules ?? [],
    grants: run.grants ?? [],
    readOnly: run.readOnly,
    commandCeiling: commandCeiling(run),
    protectedAllow: run.config.protected?.allow ?? [],
    sandboxed: run.commands.sandboxed,
    relativePath: (given) => realRelative(run.workspace.root, run.spillFolder, given, run.repositories ?? []),
  };
}

function commandCeiling(run: GatedRun): string | null {
  const open = keysInReach({ ...run, sandboxed: run.commands.sandboxed });
  return open ? 'this run has no sandbox to keep keys out of reach' : null;
}

/** Replaces programs that the configuration does not have. */
const unavailable: Programs['ask'] = async () => ({
  exitCode: null,
  stderr: '',
  problem: 'cannot be asked here',
});
