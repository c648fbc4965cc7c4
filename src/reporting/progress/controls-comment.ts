import type { Octokit } from '@octokit/rest';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { type ControlName, Controls, type PlacedControls } from '../../contract/thread-records.ts';
import type { Clock } from '../../github/clock.ts';
import { readApiFailure, readApiRefusal } from '../posting/api-failure.ts';
import { createOwnComment, findOwnComment } from '../posting/own-comment.ts';
import type { PublishLog } from '../posting/ports.ts';
import { writeMarker } from '../text/marker.ts';

/** The access that the controls comment needs. */
interface ControlsPorts {
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: PublishLog;
}

/** The controls of a run that continues. */
interface RunningControls {
  /**
   * Removes the controls at the end of the run, or leaves a finished run's controls. Never throws
   * refusals of GitHub.
   */
  end(then: readonly ControlName[], client?: Octokit): Promise<void>;
  /** Displays no more boxes, and waits for an active request. */
  leave(): Promise<void>;
}

/**
 * Milliseconds until a run gets its box: if wanted, soon after the progress comment; else if the
 * run is long.
 */
const wantedAfter = 2_000;
const longRun = 120_000;

/**
 * Adds a comment with a box to stop the run. At once if `controls` is true, never if false.
 * Default: after some minutes, so that short runs post nothing. No timer edits the comment.
 */
export function startControls(
  plan: RunPlan,
  wanted: boolean | undefined,
  {
    clock,
    stoppable = true,
    ...ports
  }: ControlsPorts & { readonly clock: Clock; readonly stoppable?: boolean },
): RunningControls {
  let pending: Promise<void> = Promise.resolve();
  let defect: unknown = null;
  const show = (): void => {
    pending = quietly(plan, ports, () => postControls(plan, ['stop'], ports)).catch((error: unknown) => {
      // No one waits for a box, so the end of the run throws the defect.
      defect = error;
    });
  };
  const after = wanted === true ? wantedAfter : longRun;
  const cancel = wanted === false || !stoppable ? () => undefined : clock.later(after, show);
  return {
    async end(then, octokit = ports.octokit) {
      cancel();
      await pending;
      if (defect !== null) throw defect;
      const boxes = await worthShowing(plan, then, wanted, ports.store);
      await endControls(plan, boxes, { ...ports, octokit });
    },
    async leave() {
      cancel();
      await pending;
    },
  };
}

/** Displays the controls of a finished run. Nothing removes the comment. */
export async function endControls(
  plan: RunPlan,
  then: readonly ControlName[],
  ports: ControlsPorts,
): Promise<void> {
  await quietly(plan, ports, () =>
    then.length > 0 ? postControls(plan, then, ports) : removeControls(plan, ports),
  );
}

/** The controls of a run as we know them; null where it has none. */
export async function readControls(store: StateStore, runId: string): Promise<Controls | null> {
  const text = await store.get(stateKeys.controls(runId));
  return text === null ? null : (Controls.safeParse(parseJson(text)).data ?? null);
}

/** Stores the current text of the comment, or the next one. */
export async function saveControls(record: Controls, store: StateStore): Promise<void> {
  await store.set(stateKeys.controls(record.run_id), JSON.stringify(record));
}

/** Returns the controls after a run: all if wanted or displayed already, else only `apply`. */
async function worthShowing(
  plan: RunPlan,
  then: readonly ControlName[],
  wanted: boolean | undefined,
  store: StateStore,
): Promise<readonly ControlName[]> {
  if (wanted === false) return [];
  const pending = wanted === true || (await readControls(store, plan.run_id)) !== null;
  return pending ? then : then.filter((does) => does === 'apply');
}

async function postControls(
  plan: RunPlan,
  boxes: readonly ControlName[],
  ports: ControlsPorts,
): Promise<void> {
  if (plan.thread === null) return;
  const { octokit, store, ownLogin } = ports;
  const rendered = renderControls(writeMarker('controls', { run: plan.run_id }), boxes);
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const storedId = (await readControls(store, plan.run_id))?.comment_id ?? null;
  const text = rendered.text.slice(rendered.text.indexOf('\n') + 1);
  const record: Controls = { version: 1, run_id: plan.run_id, comment_id: storedId, ...rendered };
  // Stored before it is posted: a box can be ticked at once, and only stored boxes count.
  await saveControls(record, store);
  const comment_id =
    storedId ??
    (await findOwnComment(target, 'controls'))?.id ??
    (await createOwnComment(target, 'controls', text)).id;
  if (storedId === null) await saveControls({ ...record, comment_id }, store);
  try {
    await restoreBody(octokit, plan.repository, { ...record, comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
    // A user deleted the comment, so it is not posted again.
    await store.delete(stateKeys.controls(plan.run_id));
  }
}

async function removeControls(plan: RunPlan, ports: ControlsPorts): Promise<void> {
  const { octokit, ownLogin, store } = ports;
  const controls = await readControls(store, plan.run_id);
  if (controls === null || plan.thread === null) return;
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const comment_id = controls.comment_id ?? (await findOwnComment(target, 'controls'))?.id ?? null;
  if (comment_id === null) await store.delete(stateKeys.controls(plan.run_id));
  else await dismissControls({ ...controls, comment_id }, plan.repository, ports);
}

/** Writes the result of a control into the comment, with these boxes below it. */
export async function writeControls(
  controls: PlacedControls,
  { text, boxes }: { readonly text: string; readonly boxes: readonly ControlName[] },
  repository: Pick<RunPlan['repository'], 'owner' | 'name'>,
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  const marker = writeMarker('controls', { run: controls.run_id });
  const record: PlacedControls = { ...controls, ...renderControls(marker, boxes, text) };
  await saveControls(record, store);
  await restoreBody(octokit, repository, record);
}

/** Deletes the comment and its record. */
export async function dismissControls(
  controls: PlacedControls,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  await store.delete(stateKeys.controls(controls.run_id));
  try {
    await octokit.rest.issues.deleteComment({ owner, repo, comment_id: controls.comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
  }
}

/** Restores the stored text of the comment if it differs. */
export async function restoreBody(
  octokit: Octokit,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { comment_id, text: body }: Pick<PlacedControls, 'comment_id' | 'text'>,
): Promise<void> {
  const { data } = await octokit.rest.issues.getComment({ owner, repo, comment_id });
  if (data.body !== body) await octokit.rest.issues.updateComment({ owner, repo, comment_id, body });
}

async function quietly(plan: RunPlan, { log }: ControlsPorts, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.warn(
      { run: plan.run_id, status: readApiRefusal(error).status },
      'The controls of the run could not be written.',
    );
  }
}

const labels: Record<ControlName, string> = {
  stop: 'Stop this run; its work so far is reported',
  retry: 'Run the last request again',
  apply: 'Apply all open suggestions of this run in one commit',
};

/**
 * Renders the controls comment and the lines of its boxes. `text` is our own Markdown above the
 * boxes: the result of a ticked one.
 */
export function renderControls(
  marker: string,
  boxes: readonly ControlName[],
  text = '',
): Pick<Controls, 'text' | 'boxes'> {
  const above = text === '' ? [marker] : [marker, ...text.split('\n'), ''];
  const hint = ['', '<sub>Tick the box; that takes write permission here.</sub>'];
  const lines = [
    ...above,
    ...boxes.map((does) => `- [ ] ${labels[does]}`),
    ...(boxes.length === 0 ? [] : hint),
  ];
  return {
    text: lines.join('\n').trimEnd(),
    boxes: boxes.map((does, index) => ({ line: above.length + index, does })),
  };
}
