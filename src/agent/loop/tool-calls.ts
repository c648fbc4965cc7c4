import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { ExternalTools } from '../../tools/registry/load-external-tools.ts';
import type { Tool, ToolServices } from '../../tools/tool.ts';
import { type CallToolPorts, callTool } from '../calls/call-tool.ts';
import { onlyReads } from '../calls/inner-calls.ts';
import { limitCalls } from '../limits/call-limits.ts';
import { onlyReadsBy, type Profile } from '../profiles/profiles.ts';
import { statesResult } from '../profiles/tool-filters.ts';
import { type BuiltinTools, makeToolSet } from '../profiles/tool-set.ts';
import type { RunTree } from './run-tree.ts';

/**
 * Executes the calls of a run. Loaded while the first request is under way, which needs only the
 * tool definitions.
 */
export interface ToolCalls {
  /** Resolves when the tools that these calls may name are loaded. */
  ready(parts: readonly ToolCallPart[]): Promise<void>;
  /** True for a call that can run beside others, as nothing it could do changes anything. */
  onlyReads(part: ToolCallPart): boolean;
  /** Returns true for a call that states the result of the run. No limit of calls prevents it. */
  statesResult(part: ToolCallPart): boolean;
  call(part: ToolCallPart): Promise<ToolResultPart>;
}

/**
 * Returns the tool that a call needs; for `use_tool` the named one, so that a loaded tool waits for
 * no other.
 */
function targetToolName({ name, input }: ToolCallPart): string {
  const named = name === 'use_tool' && typeof input === 'object' && input !== null && 'name' in input;
  return named && typeof input.name === 'string' ? input.name : name;
}

/** Calls that go through the gate and the record of one run. */
export function makeToolCalls(ports: CallToolPorts): ToolCalls {
  return {
    ready: (parts) => ports.tools.ready(parts.map(targetToolName)),
    onlyReads: (part) => onlyReads(part, { childOnlyReads: () => false, ...ports }),
    statesResult: (part) => statesResult(ports.tools.find(targetToolName(part))?.tool.name ?? ''),
    call: (part) => callTool(part, ports),
  };
}

/** The tools of one run. */
interface RunTools {
  readonly profile: Profile;
  readonly builtin: readonly Tool[] | BuiltinTools;
  readonly record: (entry: RunEntry) => void;
  /** Tools of extensions. Default: none. */
  readonly external?: ExternalTools | null | undefined;
}

/** The ports every run of the family has in common, with the tools its profile may use. */
export function sharedPorts(
  runTree: RunTree,
  services: ToolServices,
  { profile, builtin, record, external = null }: RunTools,
): Omit<CallToolPorts, 'gate' | 'context'> {
  const { settings } = runTree;
  const limitOwn = profile === settings.profile ? null : limitCalls(profile.maxCallsPerTool);
  return {
    tools: makeToolSet(builtin, profile, settings.disabledTools, { external }),
    childOnlyReads: (name) => settings.profile.readOnly || onlyReadsBy(settings.profiles, name),
    record,
    redact: settings.redact,
    after: settings.after,
    lockChanges: async (signal) => {
      const end = await runTree.changeQueue.acquire(signal);
      try {
        await services.workspace.changes.observeDeferred();
      } catch (error) {
        end();
        throw error;
      }
      return end;
    },
    baseline: () => services.workspace.baseline(),
    spillFolder: services.spillFolder,
    start: services.workspace.start,
    repositories: services.repositories,
    advised: new Set(),
    countCall: () => runTree.budget.countToolCall(),
    callsLeft: () => runTree.budget.left().every(({ kind, left }) => kind !== 'tool_call_limit' || left > 0),
    limitCall: (tool) => {
      limitOwn?.(tool);
      runTree.limitCall(tool);
    },
    now: monotonicMs,
  };
}
