import type { Logger } from 'pino';
import type { Channel } from '../../channel/create-channel.ts';
import type { StopReason } from '../../contract/limits.ts';
import { RunPlan } from '../../contract/plan.ts';
import { readTenant, type StateStore } from '../../contract/state-store.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import { type ActiveRuns, createActiveRuns, type OwnRuns } from '../../pipeline/context/active-runs.ts';
import { createReportLinks } from '../../pipeline/context/report-links.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ActiveRun, frontMethods, Shared } from './delivery-methods.ts';

type Front = Channel<typeof frontMethods>;

/** A delivery's context in its own process, which calls the front process for everything else. */
export interface RemoteContext {
  readonly context: DeliveryContext;
  /** Ends a run of this process. */
  stopRun(runId: string, reason: StopReason): Promise<void>;
  /**
   * Ends the context with its delivery, since the front would serve later calls for the next one.
   */
  end(): void;
}

/** Work continued after its delivery and called the front process. */
class DeliveryOver extends Error {
  override readonly name = 'DeliveryOver';
}

/** Creates the context of one delivery. */
export function remoteContext(channel: Front, shared: Shared, log: Logger): RemoteContext {
  let isOver = false;
  const front: Front = {
    closed: channel.closed,
    async call(name, ...asked) {
      if (isOver) throw new DeliveryOver(`${name} was asked for after the end of the delivery.`);
      return channel.call(name, ...asked);
    },
  };
  const { publicUrl, ownLogin, tenant, reportSecret } = shared;
  const store = remoteStore(front, readTenant(tenant)?.repository ?? null);
  const own = createActiveRuns<ActiveRun>();
  const context = withPlans({
    ...{ environment: shared, store, tenant, ownLogin, log },
    tokenFor:
      (purpose) =>
      (fresh = false) =>
        front.call('token', { purpose, fresh }),
    grants: () => front.call('grants', undefined),
    budget: remoteBudget(front),
    reportLinks: publicUrl === null ? null : createReportLinks(publicUrl, reportSecret),
    runs: remoteRuns(front, own),
  });
  return {
    context,
    stopRun: async (runId, reason) => void (await own.stop(runId, reason)),
    end: () => {
      isOver = true;
    },
  };
}

function remoteStore(front: Front, repository: number | null): StateStore {
  return {
    repository,
    get: (key) => front.call('store.get', { key }),
    set: (key, value) => front.call('store.set', { key, value }),
    claim: (key, value) => front.call('store.claim', { key, value }),
    delete: (key) => front.call('store.delete', { key }),
    list: (prefix) => front.call('store.list', { prefix }),
  };
}

function remoteBudget(front: Front): ContentBudget {
  return {
    take: (kind, signal) => front.call('budget.take', { kind }, signal),
    // A process without its front ends anyway.
    rest: (milliseconds) => void front.call('budget.rest', { milliseconds }).catch(() => {}),
  };
}

/** Registers a run here, where it can be ended, and in the front, where others find it. */
function remoteRuns(front: Front, own: OwnRuns<ActiveRun>): ActiveRuns<ActiveRun> {
  return {
    take(run) {
      const hand = own.take(run);
      // A process without its front process ends anyway.
      front.call('runs.take', run).catch(() => {});
      return {
        signal: hand.signal,
        release() {
          hand.release();
          void front.call('runs.release', { run_id: run.run_id }).catch(() => {});
        },
      };
    },
    list: () => front.call('runs.list', undefined),
    stop: (runId, reason) => front.call('runs.stop', { run_id: runId, reason }),
  };
}

/** Converts a plan to the front process's form. */
function toActiveRun(plan: RunPlan, tenant: string): ActiveRun {
  const { run_id, thread } = plan;
  return { run_id, tenant, thread: thread?.number ?? null, plan: JSON.stringify(plan) };
}

/**
 * Adds parsed plans of the runs. Only delivery processes parse them, since hostile text may block a
 * process.
 */
export function withPlans(context: DeliveryContext<ActiveRun>): DeliveryContext {
  return { ...context, runs: plansOf(context.runs, context.tenant) };
}

function plansOf(runs: ActiveRuns<ActiveRun>, tenant: string): ActiveRuns {
  return {
    take: (plan) => runs.take(toActiveRun(plan, tenant)),
    list: async () => (await runs.list()).map(({ plan }) => RunPlan.parse(JSON.parse(plan))),
    stop: runs.stop,
  };
}
