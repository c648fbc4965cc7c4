import type { Config } from '../../config/schema.ts';
import type { FileChange } from '../../contract/change.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { permissionRemedy } from '../../github/missing-permission.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { codeSpan, countOf, sentence } from '../text/markdown.ts';

/** The facts besides outcome and plan. */
export interface OutletFacts {
  /** Globs of `protected.allow`. */
  readonly protectedAllow: readonly string[];
  /** True if a git push is available. */
  readonly canPush: boolean;
  /** True if the pull request's diff is known, so that suggestions can be placed. */
  readonly hasDiff: boolean;
  /** `commit` of the configuration. */
  readonly settings?: NonNullable<Config['commit']>;
}

/** Changes that need an outlet. */
export interface OutletRequest {
  readonly outcome: Pick<Outcome, 'changes' | 'conclusion'>;
  readonly plan: RunPlan;
  readonly facts: OutletFacts;
}

/** Returns the facts that a publisher knows. */
export function outletFacts(
  { config, pushCommit }: Pick<PublishPorts, 'config' | 'pushCommit'>,
  pullRequestDiff: string | null,
): OutletFacts {
  return {
    protectedAllow: config.protected?.allow ?? [],
    canPush: pushCommit !== undefined,
    hasDiff: pullRequestDiff !== null,
    settings: config.commit ?? {},
  };
}

/** Git's file mode for a commit of another repository. */
const submodule = '160000';
const ordinary = '100644';

/** A `createCommitOnBranch` takes no more additions either. */
const mostFiles = 100;
const mostBytes = 4_000_000;
/** Larger files make GraphQL requests that GitHub times out on. */
const mostBytesByApi = 2_000_000;
/** Maximum characters of a patch in a report. A longer one would have to omit files. */
const mostInReport = 40_000;

/** Returns why the changes cannot be committed, as a sentence; null if they can. */
export const refuseCommit = (request: OutletRequest): string | null => refusal(request)?.reason ?? null;

/** Returns why the changes cannot be suggested on the pull request; null if they can. */
export function refuseSuggestions(request: OutletRequest): string | null {
  const refused = refusal(request);
  if (refused?.onlyPatch === true) return refused.reason;
  const canSuggest = request.plan.thread?.kind === 'pull_request' && request.facts.hasDiff;
  return canSuggest ? null : 'Not suggested, as there is no diff of a pull request.';
}

/** Returns who makes the commit: GitHub, which signs it, or our git push. */
export function commitVia(files: readonly FileChange[], { settings, canPush }: OutletFacts): 'api' | 'push' {
  return (settings?.via === 'push' && canPush) || pushOnlyFile(files) !== undefined ? 'push' : 'api';
}

interface Refusal {
  readonly reason: string;
  /** True if the reason applies to suggestions, too. */
  readonly onlyPatch: boolean;
}

/**
 * Decides against a commit. It needs a successful run, no protected path, at most 100 files and
 * 4 MB.
 */
function refusal({ outcome, plan, facts }: OutletRequest): Refusal | null {
  const { files } = outcome.changes;
  if (outcome.conclusion !== 'success')
    return { reason: 'Not committed, as the run did not finish.', onlyPatch: true };
  if (plan.push.kind === 'none')
    return { reason: `Not committed: ${sentence(plan.push.reason)}`, onlyPatch: false };
  if (plan.read_only) return { reason: 'Not committed, as the run may only read.', onlyPatch: false };
  const strongest = facts.settings?.outlet ?? 'commit';
  if (strongest !== 'commit') {
    const reason = `Not committed, as the configuration asks for ${strongest} (${codeSpan('commit.outlet')}).`;
    return { reason, onlyPatch: strongest === 'patch' };
  }
  const reason =
    protectedReason(files, facts.protectedAllow) ?? submoduleReason(files) ?? workflowReason(files, plan);
  if (reason !== null) return { reason, onlyPatch: false };
  const tooLarge = sizeReason(files);
  if (tooLarge !== null) return { reason: tooLarge, onlyPatch: true };
  const pushOnly = facts.canPush ? undefined : pushOnlyFile(files);
  if (pushOnly === undefined) return null;
  const path = codeSpan(pushOnly.path);
  const needsPush = `Not committed, as the mode, size or place of ${path} needs a git push, which is not available.`;
  return { reason: needsPush, onlyPatch: false };
}

function protectedReason(files: readonly FileChange[], allow: readonly string[]): string | null {
  for (const path of files.flatMap((file) => [file.path, file.old_path ?? []].flat())) {
    const reason = isProtected(path, allow);
    if (reason !== null) return `Not committed, as ${codeSpan(path)} is protected: ${reason}.`;
  }
  return null;
}

function submoduleReason(files: readonly FileChange[]): string | null {
  const module = files.find((file) => file.mode === submodule);
  if (module === undefined) return null;
  return `Not committed, as ${codeSpan(module.path)} is a submodule, whose commit may exist nowhere else.`;
}

/** The App's tokens leave out the permission, and GitHub's refusal would name another one. */
function workflowReason(files: readonly FileChange[], { source }: RunPlan): string | null {
  const isWorkflow = files.some(({ path }) => path.startsWith('.github/workflows/'));
  return isWorkflow && source.kind === 'app'
    ? `Not committed: ${permissionRemedy('workflows: write', source.kind)}`
    : null;
}

function sizeReason(files: readonly FileChange[]): string | null {
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (files.length <= mostFiles && bytes <= mostBytes) return null;
  const size = `${countOf(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB`;
  return `Not committed, as the changes are too large (${size}; at most ${mostFiles} files and 4 MB).`;
}

function sizeOf(file: FileChange): number {
  return file.content === null ? 0 : Buffer.byteLength(file.content, 'base64');
}

/** The first file that GitHub's API cannot commit; undefined for none. */
export const pushOnlyFile = (files: readonly FileChange[]): FileChange | undefined =>
  files.find((file) => needsPush(file, files));

/**
 * True if `createCommitOnBranch` cannot write the file. It writes ordinary files only: no execute
 * bits, no symbolic links. If a file replaces a folder, or the reverse, the order of its steps
 * would matter.
 */
function needsPush(file: FileChange, all: readonly FileChange[]): boolean {
  if (file.kind === 'delete') return file.old_mode === submodule;
  if (file.mode !== ordinary || sizeOf(file) > mostBytesByApi) return true;
  // A former program or link may keep its mode under the new text.
  if (file.kind !== 'rename' && file.old_mode !== null && file.old_mode !== ordinary) return true;
  const gone = all.flatMap((one) => (one.kind === 'delete' ? [one.path] : (one.old_path ?? [])));
  return gone.some((path) => path.startsWith(`${file.path}/`) || file.path.startsWith(`${path}/`));
}

/** The place of a patch that is neither committed nor suggested. */
export type PatchTarget = { readonly kind: 'report' } | { readonly kind: 'issue'; readonly reason: string };

/**
 * Decides where the remaining patch goes: into the report, or into an issue if there is no thread
 * or the report is too small. No issue is made for a run ended by a person or the provider, nor
 * for a step, whose job has the changes.
 */
export function decidePatchTarget(
  patch: string,
  outcome: Pick<Outcome, 'conclusion'> & Partial<Pick<Outcome, 'stop'>>,
  plan: Pick<RunPlan, 'thread' | 'verb'>,
): PatchTarget {
  const isWorthAnIssue =
    outcome.conclusion === 'success' ||
    outcome.conclusion === 'limit' ||
    outcome.stop?.kind === 'internal_error';
  if (patch === '' || !isWorthAnIssue || plan.verb === 'step') return { kind: 'report' };
  if (plan.thread === null) return { kind: 'issue', reason: 'there is no thread to report on' };
  if (patch.length <= mostInReport) return { kind: 'report' };
  const size = `${Math.ceil(patch.length / 1000)},000 characters`;
  return { kind: 'issue', reason: `the patch is too long for a report (${size})` };
}
