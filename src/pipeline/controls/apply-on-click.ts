import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { RunStopped } from '../../contract/errors.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { RunPlan } from '../../contract/plan.ts';
import {
  type Applied,
  type ApplyPorts,
  applyingRun,
  applySuggestions,
  renderApplied,
} from '../../reporting/apply/apply-suggestions.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import { forgetSuggestions } from '../../reporting/suggestions/stored-suggestions.ts';
import { countOf } from '../../reporting/text/markdown.ts';
import { authorizeEvent, type EventRequest } from '../../webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { makePlan } from '../../webhooks/plan/make-plan.ts';
import { changesByTexts } from '../../workspace/changes/final-changes.ts';
import { removeTree } from '../../workspace/files/remove-tree.ts';
import { filesAt } from '../../workspace/git/files-at.ts';
import { fetchIntoMirror } from '../../workspace/git/mirror.ts';
import { makeOwnGit, type OwnGit } from '../../workspace/git/own-git.ts';
import { pushCommit } from '../../workspace/git/push-commit.ts';
import {
  commitConfig,
  decisionSettings,
  type GitHubContext,
  writerToken,
} from '../context/broker-context.ts';
import { attestWith } from '../publish/attest-change.ts';
import { chooseSigner } from '../publish/choose-signer.ts';
import { handOutAttestation } from '../publish/save-attestation.ts';
import type { ClickPlace } from './click-place.ts';
import type { OwnHead } from './own-head-event.ts';

/** The box that was ticked, and in whose name. */
interface ClickedApply {
  readonly trigger: Trigger;
  /** The runs whose suggestions are applied, the newest last. */
  readonly runs: readonly string[];
  readonly place: ClickPlace;
}

/** The end of a click: a sentence for the log, and the new head of the pull request, if any. */
interface ClickEnd {
  readonly reason: string;
  readonly head: OwnHead | null;
}

/** The surroundings of the event and of its attempt. */
interface ApplyContext extends GitHubContext {
  /** True when no other attempt follows an error. */
  readonly lastAttempt: boolean;
  readonly signal: AbortSignal;
}

/**
 * Commits the suggestions of runs with the current rights of the user who ticked the box. The
 * comment with the box gets the result. Throws while GitHub is down and another attempt follows.
 */
export async function applyOnClick(
  event: IncomingEvent,
  { trigger, runs, place }: ClickedApply,
  context: ApplyContext,
): Promise<ClickEnd> {
  const { github, store } = context;
  const authorized = await authorizeEvent(event, {
    octokit: github.reader,
    store,
    log: (message) => context.log.warn(message),
    settings: { ...decisionSettings(context), ownLogins: [context.ownLogin] },
    clicked: trigger,
  });
  if (authorized.kind === 'ignored' || authorized.authorization.kind === 'refused') {
    await place.restore();
    const reason = authorized.kind === 'ignored' ? authorized.reason : `${trigger.actor.login} may not`;
    return { reason, head: null };
  }
  const applied = await tryApply(authorized, runs, context);
  const keeps = applied.kind === 'refused';
  await place.settle({ does: 'apply', runs, keeps }, renderApplied(applied, trigger.actor.login));
  // The request is done and must not be repeated.
  if (applied.kind !== 'refused') for (const run of runs) await forgetSuggestions(store, run);
  const { number } = trigger.thread;
  const made = applied.kind === 'applied' ? applied.commit : null;
  if (made !== null) await handOutAttestation(made, context);
  const head = made && ({ number, sha: made.sha, action: 'synchronize' } as const);
  return { reason: describeApplied(applied), head };
}

function describeApplied(applied: Applied): string {
  if (applied.kind === 'applied') return `${countOf(applied.count, 'suggestion')} became a commit`;
  const why = applied.kind === 'refused' ? applied.reason : 'none that is open fits the head';
  return `no suggestion was applied: ${why}`;
}

/** Applies the suggestions; a refusal by GitHub or git becomes a reason. */
async function tryApply(
  authorized: EventRequest,
  runs: readonly string[],
  context: ApplyContext,
): Promise<Applied> {
  if (authorized.configError !== null)
    return { kind: 'refused', reason: `The configuration cannot be used. ${authorized.configError.message}` };
  const plan = planOf(authorized, runs.at(-1) ?? '', context);
  const folder = path.join(context.checkoutsFolder, plan.run_id);
  try {
    // An attempt that died may have left files.
    await removeTree(folder);
    return await applySuggestions(runs, plan, await applyPorts(plan, authorized.config, folder, context));
  } catch (error) {
    const failure = readApiFailure(error);
    if (!context.lastAttempt || (failure === null && !(error instanceof RunStopped))) throw error;
    return { kind: 'refused', reason: failure?.message ?? (error as RunStopped).message };
  } finally {
    await removeTree(folder);
  }
}

/**
 * Makes the plan of a fix by the user who ticked the box. The plan determines where they may push.
 */
function planOf(authorized: EventRequest, runId: string, { host, sandbox }: ApplyContext): RunPlan {
  const { trigger, facts, authorization, config, configSource } = authorized;
  return makePlan({
    trigger,
    source: { kind: host, delivery_id: null },
    repository: facts.repository,
    baseBranch: facts.baseBranch,
    baseHead: facts.baseHead,
    pull: facts.pull,
    title: facts.title,
    requester: authorization.requester,
    ...{ config, configSource, sandbox, prompt: '', threadContext: '', attachments: [], waiting: null },
    ids: { runId: applyingRun(runId), sessionId: applyingRun(runId) },
    now: new Date(trigger.at),
  });
}

async function applyPorts(
  plan: RunPlan,
  config: Config,
  folder: string,
  context: ApplyContext,
): Promise<ApplyPorts> {
  const { github, store, ownLogin, log, mirrorsFolder, signal, lastAttempt, staged } = context;
  const octokit = github.writer;
  const remote = { url: plan.repository.clone_url, token: await writerToken(context)() };
  let made: OwnGit | null = null;
  const gitWith = async (sha: string): Promise<OwnGit> => {
    const ref = `refs/heads/${plan.push.kind === 'branch' ? plan.push.branch : ''}`;
    const mirror = await fetchIntoMirror(mirrorsFolder, remote, { refs: [ref], commits: [sha] }, signal);
    made ??= makeOwnGit({ directory: mirror, common: mirror }, path.join(folder, 'apply.git'));
    return made;
  };
  const sign = chooseSigner(plan, config, context);
  return {
    ...{ octokit, store, ownLogin, log, triedAgain: !lastAttempt },
    config: commitConfig({ config, staged }),
    ...(sign === null
      ? {}
      : { attest: async (change) => attestWith(sign, plan, null, await gitWith(change.onto))(change) }),
    async filesAt(sha, paths) {
      try {
        return await filesAt(await gitWith(sha), sha, paths);
      } catch (error) {
        if (!(error instanceof RunStopped) || signal.aborted) throw error;
        return null;
      }
    },
    changesBy: async (sha, texts) => changesByTexts(await gitWith(sha), sha, texts),
    pushCommit: async ({ branch, expectedSha, message, patch }) => {
      if (staged !== undefined) return staged.push({ branch, message, patch });
      const { data: bot } = await octokit.rest.users.getByUsername({ username: ownLogin });
      const author = { name: ownLogin, email: `${bot.id}+${ownLogin}@users.noreply.github.com` };
      const git = await gitWith(expectedSha);
      return pushCommit({ git, remote, branch, expectedSha, message, patch, author, committer: author });
    },
  };
}
