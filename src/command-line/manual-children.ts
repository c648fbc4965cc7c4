import path from 'node:path';
import type { OuterContext } from '../agent/calls/call-tool.ts';
import { createChangeQueue } from '../agent/calls/change-queue.ts';
import { runChild } from '../agent/children/child-run.ts';
import { limitCalls, openDelegations } from '../agent/limits/call-limits.ts';
import { openRunBudget } from '../agent/limits/run-budget.ts';
import type { RunTree, RunTreeSettings } from '../agent/loop/run-tree.ts';
import { agentKinds } from '../agent/profiles/child-profile.ts';
import type { ToolSet } from '../agent/profiles/tool-set.ts';
import { contextBounds, limitsOf, presetOf } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError, ToolError } from '../contract/errors.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { chooseProfile } from '../run/conversation/choose-profile.ts';
import { contextPackOf, diffUnderReview } from '../run/conversation/context-pack-of.ts';
import type { Guidance } from '../run/conversation/guidance.ts';
import { openModels } from '../run/open-models.ts';
import { newRunId } from '../run/records/run-context.ts';
import type { Children } from '../tools/services/children.ts';
import type { ShellSessions } from '../tools/shell/sessions/sessions.ts';
import { gitState } from '../workspace/git/git-state.ts';
import type { RegisteredRepository } from '../workspace/git/registered-repositories.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Parts that the children of a manual call share with it. */
export interface HandCall
  extends Pick<RunTreeSettings, 'services' | 'gate' | 'evaluateChanges' | 'after' | 'redact' | 'sandboxed'> {
  readonly runId: string;
  readonly root: string;
  readonly runFolder: string;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tools: ToolSet;
  readonly workspace: Workspace;
  readonly repositories: readonly RegisteredRepository[];
  readonly guidance: Guidance;
  readonly record: (entry: RunEntry) => void;
  readonly signal: AbortSignal;
}

/**
 * Returns the children that a manual call may start and wait for. They have the model, limits,
 * preset and profiles of the configuration. Model and SDK are loaded for the first child. Without a
 * model, `runChild` throws `ToolError('unavailable')` with a message for the operator.
 */
export function handChildren(call: HandCall): Pick<OuterContext, 'runChild' | 'children'> {
  const { profile: craft, profiles } = chooseProfile({ ...call, profile: 'craft' });
  const profile = { ...craft, allow: call.tools.tools.map(({ name }) => name) };
  const delegations = openDelegations(profile);
  let family: Promise<RunTree> | null = null;
  const open = async (): Promise<RunTree> => {
    const { config } = call;
    const limits = limitsOf(config);
    const request = { ...call, limits, model: profile.model, sessionId: call.runId };
    const models = openModels(request, call.redact, call.record);
    const settings: RunTreeSettings = {
      ...call,
      profile,
      profiles,
      presetName: presetOf(config),
      registry: async () => call.tools.tools,
      disabledTools: config.tools?.disabled ?? [],
      limits,
      context: contextBounds(config.context),
      model: await models.main,
      models: models.named,
      reminders: (run) => call.guidance.reminders(run),
      listen: () => undefined,
      newId: () => newRunId('child'),
      contextPack: (child) => {
        const state = gitState(call.root, path.join(call.runFolder, `${newRunId('child')}.git`));
        const shown = { ...call, readOnly: false, setupReport: null };
        return contextPackOf(shown, child, call.workspace, state);
      },
      reviewDiff: () => diffUnderReview({ reviewDiff: null }, call.workspace, call.runFolder),
    };
    return {
      settings,
      budget: openRunBudget(limits, () => new Date()),
      signal: call.signal,
      delegations,
      changeQueue: createChangeQueue(),
      limitCall: limitCalls(profile.maxCallsPerTool),
    };
  };
  return {
    async runChild(request) {
      const end = await delegations.begin(call.signal);
      try {
        family ??= open();
        return await runChild(request, await family, call.record);
      } catch (error) {
        if (error instanceof ConfigError) throw new ToolError('unavailable', error.message, { cause: error });
        throw error;
      } finally {
        end();
      }
    },
    children: {
      ...noChildren,
      kinds: async () => agentKinds(profile, profiles),
    },
  };
}

const noChild = (id: string) =>
  Promise.reject(
    new ToolError('not_found', `There is no child ${id}: a call by hand ends with all that it has started.`),
  );

/** Background children of a manual call: none, since no one could read their results. */
const noChildren: Omit<Children, 'kinds'> = {
  start: () =>
    Promise.reject(
      new ToolError(
        'unavailable',
        'A call by hand ends with all that it has started, so no child can go on beside it. task, sub_agent and task_coordinator wait for theirs.',
      ),
    ),
  send: noChild,
  close: noChild,
  wait: (ids) =>
    ids === null || ids.length === 0
      ? Promise.resolve({ children: [], timedOut: false })
      : noChild(ids[0] ?? ''),
  list: async () => [],
};

const reason =
  'A call by hand ends with all that it has started, so no program can be left running. Run the command to its end (bash without run_in_background), or start it in a terminal of your own.';

/** Shell sessions of a manual call: none, since no one could type into one afterwards. */
export const noSessions: ShellSessions = {
  open: () => Promise.reject(new ToolError('unavailable', reason)),
  find() {
    throw new ToolError('unavailable', reason);
  },
  list: () => [],
  close: () => Promise.resolve(null),
};
