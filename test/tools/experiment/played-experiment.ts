import type {
  Experiment,
  ExperimentHistory,
  ExperimentRun,
  PendingRun,
} from '../../../src/contract/experiment.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { logExperiment } from '../../../src/tools/experiment/log-experiment.ts';
import type { Tool, ToolContext } from '../../../src/tools/tool.ts';

export const experiment: Experiment = {
  ...{ id: 'tuning/call_1', name: 'tuning', metric: 'p95', unit: 'ms', direction: 'lower', command: 'make' },
  ...{ timeout_ms: 600_000, checks_timeout_ms: 300_000, max_runs: null, checkpoint: 'tree_0' },
  ...{ checkpoint_kept: true, pending: null },
};
export const logged = (
  number: number,
  status: ExperimentRun['status'],
  value: number | null,
  more = {},
): ExperimentRun => ({
  ...{ number, status, value, metrics: {}, description: '', duration_ms: 5 },
  ...more,
});
export const measured = (
  number: number,
  value: number | null,
  more: Partial<PendingRun> = {},
): PendingRun => ({
  ...{ number, value, metrics: {}, duration_ms: 5, outcome: 'measured', why: '' },
  ...more,
});
export const baseline = logged(1, 'baseline', 40, { description: 'as it is' });

/** The state of the experiment, and the simulated part of the run. */
export interface Played {
  readonly pending?: PendingRun | null;
  readonly runs?: readonly ExperimentRun[];
  readonly more?: Partial<Experiment>;
  /** Paths that differ from the checkpoint, and those that cannot be reverted. */
  readonly changed?: readonly string[];
  readonly left?: readonly string[];
  /** False where nothing is a repository; a text is what git says. */
  readonly git?: boolean | string;
  readonly found?: boolean;
}

/** A run in the middle of an experiment, whose files and commands are played. */
export function open({
  pending = null,
  runs = [baseline],
  more = {},
  changed = [],
  left = [],
  git = true,
  found = true,
}: Played) {
  const written = new Map<string, string>();
  const ran: unknown[] = [];
  const recorded: unknown[] = [];
  const reply = typeof git === 'string' ? git : `${'a'.repeat(40)}\n`;
  const context = {
    ...{ callId: 'call_9', spillFolder: '/nowhere', signal: new AbortController().signal },
    state: { experiment: { experiment: { ...experiment, ...more, pending }, runs } as ExperimentHistory },
    record: (entry: unknown) => recorded.push(entry),
    commands: {
      sandboxed: true,
      async run({ onOutput, ...request }: { onOutput: (chunk: Buffer) => void }) {
        ran.push(request);
        onOutput(Buffer.from(reply));
        return { exitCode: typeof git === 'string' ? 1 : 0, signal: null, timedOut: false, durationMs: 5 };
      },
    },
    storage: {
      open: async () => ({
        files: {
          stat: async (path: string) => (written.has(path) ? {} : null),
          read: async (path: string) => ({ bytes: Buffer.from(written.get(path) ?? '') }),
        },
      }),
      change: async (path: string, _: unknown, change: (before: Buffer | null) => string) => {
        const before = written.get(path);
        written.set(path, change(before === undefined ? null : Buffer.from(before)));
      },
    },
    workspace: {
      root: '/w',
      agentGitDirectory: async () => (git === false ? null : '/git'),
      changes: { observe: async () => [] },
      checkpoints: {
        take: async () => ({ tree: 'tree_1', patch: 'the patch' }),
        find: async ({ tree }: { tree: string }) => (found ? tree : null),
        changesSince: async () => ({ paths: changed, patch: 'dropped' }),
        restore: async () => left,
      },
    },
  };
  const call = async (tool: Tool, input: JsonObject) => {
    const args = tool.input.parse(input);
    try {
      const { content, data } = await tool.execute(args, context as unknown as ToolContext, undefined);
      return { lines: String(content).split('\n'), data };
    } catch (error) {
      const { kind, message } = error as { kind?: string; message: string };
      return `${kind}: ${message}`;
    }
  };
  return { context, written, ran, recorded, log: (input: JsonObject) => call(logExperiment, input), call };
}
