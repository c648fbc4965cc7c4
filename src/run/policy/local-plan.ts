import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { presetFrom } from '../../contract/levels.ts';
import type { RunPlan } from '../../contract/plan.ts';

/** The parts of a plan that decide what a run may do, and for whom. */
export type RunOrigin = Pick<RunPlan, 'source' | 'repository' | 'requester' | 'checkout'>;

/** Returns true for a run that a user started on a checkout of their own, without GitHub. */
export function isLocal({ source }: Pick<RunPlan, 'source'>): boolean {
  return source.kind === 'cli';
}

/** Makes the origin of a local run: its user may do everything on the checkout at `root`. */
export function localOrigin(root: string): RunOrigin {
  return {
    source: { kind: 'cli', delivery_id: null },
    repository: {
      ...{ owner: '', name: path.basename(root), default_branch: '', private: true },
      clone_url: pathToFileURL(root).href,
    },
    requester: { login: '', id: 0, type: 'User', permission: 'admin' },
    checkout: { ref: '', sha: '', base_ref: '', base_sha: null, fork: false },
  };
}

/** Makes the plan of a local run. It has no thread, and publishes nothing. */
export function localPlan(
  run: Pick<RunPlan, 'profile' | 'model' | 'sandbox' | 'limits'> & {
    readonly runId: string;
    readonly sessionId: string;
    readonly root: string;
    readonly task: string;
    readonly preset: string;
    readonly readOnly: boolean;
  },
): RunPlan {
  return {
    ...localOrigin(run.root),
    ...{ version: 1, run_id: run.runId, session_id: run.sessionId, installation_id: null },
    ...{ thread: null, verb: 'task', prompt: run.task, thread_context: '', attachments: [] },
    ...{ trigger_comment: null, triggered_at: new Date().toISOString() },
    push: { kind: 'none', reason: 'A local run leaves its changes in the checkout.' },
    ...{ profile: run.profile, model: run.model, preset: presetFrom(run.preset), read_only: run.readOnly },
    ...{ sandbox: run.sandbox, limits: run.limits, resume: null, config_text: null, config_file: null },
  };
}
