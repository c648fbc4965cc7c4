import type { Octokit } from '@octokit/rest';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import {
  type ControlName,
  Controls,
  controlsKey,
  type PlacedControls,
} from '../../contract/thread-records.ts';
import type { Clock } from '../../github/clock.ts';
import { readApiFailure, readRefusal } from '../posting/api-failure.ts';
import { createOwnComment, findOwnComment } from '../posting/own-comment.ts';
import type { Log } from '../posting/ports.ts';
import { writeMarker } from '../text/marker.ts';

/** The access that the controls comment needs. */
interface ControlsPorts {
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: Log;
}

/** The controls of a run that goes on. */
interface RunningControls {
  /**
   * Removes the controls at the end of the run, or leaves those of a finished run. Never throws
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
  let shown: Promise<void> = Promise.resolve();
  let defect: unknown = null;
  const show = (): void => {
    shown = quietly(plan, ports, () => putControls(plan, ['stop'], ports)).catch((error: unknown) => {
      // No one waits for a box, so the end of the run throws the defect.
      defect = error;
    });
  };
  const after = wanted === true ? wantedAfter : longRun;
  const cancel = wanted === false || !stoppable ? () => undefined : clock.later(after, show);
  return {
    async end(then, octokit = ports.octokit) {
      cancel();
      await shown;
      if (defect !== null) throw defect;
      const boxes = await worthShowing(plan, then, wanted, ports.store);
      await endControls(plan, boxes, { ...ports, octokit });
    },
    async leave() {
      cancel();
      await shown;
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
    then.length > 0 ? putControls(plan, then, ports) : removeControls(plan, ports),
  );
}

/** The controls of a run as we know them; null where it has none. */
export async function readControls(store: StateStore, runId: string): Promise<Controls | null> {
  const text = await store.get(controlsKey(runId));
  return text === null ? null : (Controls.safeParse(parseJson(text)).data ?? null);
}

/** Stores the current text of the comment, or the next one. */
export async function saveControls(record: Controls, store: StateStore): Promise<void> {
  await store.set(controlsKey(record.run_id), JSON.stringify(record));
}

/** Returns the controls after a run: all if wanted or displayed already, else only `apply`. */
async function worthShowing(
  plan: RunPlan,
  then: readonly ControlName[],
  wanted: boolean | undefined,
  store: StateStore,
): Promise<readonly ControlName[]> {
  if (wanted === false) return [];
  const shown = wanted === true || (await readControls(store, plan.run_id)) !== null;
  return shown ? then : then.filter((does) => does === 'apply');
}

async function putControls(
  plan: RunPlan,
  boxes: readonly ControlName[],
  ports: ControlsPorts,
): Promise<void> {
  if (plan.thread === null) return;
  const { octokit, store, ownLogin } = ports;
  const rendered = renderControls(writeMarker('controls', { run: plan.run_id }), boxes);
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  const known = (await readControls(store, plan.run_id))?.comment_id ?? null;
  const below = rendered.text.slice(rendered.text.indexOf('\n') + 1);
  const record: Controls = { version: 1, run_id: plan.run_id, comment_id: known, ...rendered };
  // Kept before it stands there: a box counts only in what we know, and can be ticked at once.
  await saveControls(record, store);
  const comment_id =
    known ??
    (await findOwnComment(place, 'controls'))?.id ??
    (await createOwnComment(place, 'controls', below)).id;
  if (known === null) await saveControls({ ...record, comment_id }, store);
  try {
    await restoreBody(octokit, plan.repository, { ...record, comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
    // Somebody deleted it, and so wants none.
    await store.delete(controlsKey(plan.run_id));
  }
}

async function removeControls(plan: RunPlan, ports: ControlsPorts): Promise<void> {
  const { octokit, ownLogin, store } = ports;
  const known = await readControls(store, plan.run_id);
  if (known === null || plan.thread === null) return;
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  const comment_id = known.comment_id ?? (await findOwnComment(place, 'controls'))?.id ?? null;
  if (comment_id === null) await store.delete(controlsKey(plan.run_id));
  else await dismissControls({ ...known, comment_id }, plan.repository, ports);
}

/** Says in the comment what came of a control, and leaves these boxes below it. */
export async function writeControls(
  controls: PlacedControls,
  { said, boxes }: { readonly said: string; readonly boxes: readonly ControlName[] },
  repository: Pick<RunPlan['repository'], 'owner' | 'name'>,
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  const marker = writeMarker('controls', { run: controls.run_id });
  const record: PlacedControls = { ...controls, ...renderControls(marker, boxes, said) };
  await saveControls(record, store);
  await restoreBody(octokit, repository, record);
}

/** Takes the comment away. */
export async function dismissControls(
  controls: PlacedControls,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  await store.delete(controlsKey(controls.run_id));
  try {
    await octokit.rest.issues.deleteComment({ owner, repo, comment_id: controls.comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
  }
}

/** Makes the comment read as we know it, where it does not. */
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
      { run: plan.run_id, status: readRefusal(error).status },
      'The controls of the run could not be written.',
    );
  }
}

const words: Record<ControlName, string> = {
  stop: 'Stop this run; what it did so far is told',
  retry: 'Do again what was asked for',
  apply: 'Apply all open suggestions of this run in one commit',
};

/**
 * Renders the controls comment and the lines of its boxes. `said` is our own Markdown above the
 * boxes: the result of a ticked one.
 */
export function renderControls(
  marker: string,
  boxes: readonly ControlName[],
  said = '',
): Pick<Controls, 'text' | 'boxes'> {
  const above = said === '' ? [marker] : [marker, ...said.split('\n'), ''];
  const below = ['', '<sub>Tick the box; that takes write permission here.</sub>'];
  const lines = [
    ...above,
    ...boxes.map((does) => `- [ ] ${words[does]}`),
    ...(boxes.length === 0 ? [] : below),
  ];
  return {
    text: lines.join('\n').trimEnd(),
    boxes: boxes.map((does, index) => ({ line: above.length + index, does })),
  };
}
