import type { Config } from '../../config/schema.ts';
import type { FileChange } from '../../contract/change.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { isProtected } from '../../permissions/gate/protected-paths.ts';
import { codeSpan, countOf, sentence } from '../text/markdown.ts';

/**
 * The target of a run's changes. `via`: GitHub makes and signs the commit, or our git pushes it.
 */
export type Outlet =
  | { readonly kind: 'none' }
  | { readonly kind: 'commit'; readonly via: 'api' | 'push' }
  | { readonly kind: 'suggestions' }
  | { readonly kind: 'patch' };

/** The outlet, with the reason if it is weaker than a commit, as a sentence; else null. */
export interface OutletDecision {
  readonly outlet: Outlet;
  readonly reason: string | null;
}

/** The facts besides outcome and plan. */
export interface OutletFacts {
  /** Globs of `protected.allow`. */
  readonly protectedAllow: readonly string[];
  /** True when there is a git push to fall back to. */
  readonly canPush: boolean;
  /** True when the pull request's diff is known, so that suggestions can be placed. */
  readonly hasDiff: boolean;
  /** `commit` of the configuration. */
  readonly settings?: NonNullable<Config['commit']>;
}

/** Git's file mode for a commit of another repository. */
const submodule = '160000';
const ordinary = '100644';

/** No more additions go into one `createCommitOnBranch` either. */
const mostFiles = 100;
const mostBytes = 4_000_000;
/** Larger files make GraphQL requests that GitHub times out on. */
const mostBytesByApi = 2_000_000;
/** Beside everything else that a report says; a longer patch would have to leave files out. */
const mostInReport = 40_000;

/**
 * Decides where a run's changes go: a commit, else suggestions on the pull request, else a patch. A
 * commit needs a successful run, no protected path, and at most 100 files and 4 MB. A waiting run
 * publishes no changes: they stay in its saved session.
 */
export function decideOutlet(
  outcome: Pick<Outcome, 'changes' | 'conclusion'>,
  plan: RunPlan,
  facts: OutletFacts,
): OutletDecision {
  const { files } = outcome.changes;
  if (files.length === 0 || outcome.conclusion === 'waiting')
    return { outlet: { kind: 'none' }, reason: null };
  const weaker = (reason: string): OutletDecision => ({ outlet: weakerOutlet(plan, facts.hasDiff), reason });

  if (outcome.conclusion !== 'success') {
    return { outlet: { kind: 'patch' }, reason: 'Not committed, as the run did not finish.' };
  }
  if (plan.push.kind === 'none') return weaker(`Not committed: ${sentence(plan.push.reason)}`);
  if (plan.read_only) return weaker('Not committed, as the run may only read.');
  const { outlet: strongest, via } = facts.settings ?? {};
  const asked = `Not committed, as the configuration asks for ${strongest} (${codeSpan('commit.outlet')}).`;
  if (strongest === 'suggestions') return weaker(asked);
  if (strongest === 'patch') return { outlet: { kind: 'patch' }, reason: asked };
  const kept = protectedReason(files, facts.protectedAllow);
  if (kept !== null) return weaker(kept);
  const module = files.find((file) => file.mode === submodule);
  if (module !== undefined) {
    return weaker(
      `Not committed, as ${codeSpan(module.path)} is a submodule, whose commit may exist nowhere else.`,
    );
  }

  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (files.length > mostFiles || bytes > mostBytes) {
    const size = `${countOf(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB`;
    return {
      outlet: { kind: 'patch' },
      reason: `Not committed, as the changes are too large (${size}; at most ${mostFiles} files and 4 MB).`,
    };
  }
  const pushOnly = pushOnlyFile(files);
  if (via === 'push' && facts.canPush) return { outlet: { kind: 'commit', via: 'push' }, reason: null };
  if (pushOnly === undefined) return { outlet: { kind: 'commit', via: 'api' }, reason: null };
  if (facts.canPush) return { outlet: { kind: 'commit', via: 'push' }, reason: null };
  return weaker(
    `Not committed, as the mode, size or place of ${codeSpan(pushOnly.path)} needs a git push, which is not available.`,
  );
}

/** Suggestions where there is a diff to place them on, else the report. */
export function weakerOutlet(plan: RunPlan, hasDiff: boolean): Outlet {
  return { kind: plan.thread?.kind === 'pull_request' && hasDiff ? 'suggestions' : 'patch' };
}

function protectedReason(files: readonly FileChange[], allow: readonly string[]): string | null {
  for (const file of files) {
    for (const path of [file.path, ...(file.old_path === undefined ? [] : [file.old_path])]) {
      const reason = isProtected(path, allow);
      if (reason !== null) return `Not committed, as ${codeSpan(path)} is protected: ${reason}.`;
    }
  }
  return null;
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

/**
 * The place of a patch that is neither committed nor suggested. The reason completes a sentence.
 */
export type PatchPlace = { readonly kind: 'report' } | { readonly kind: 'issue'; readonly reason: string };

/**
 * Decides where the remaining patch goes: into the report, or into an issue if there is no thread
 * or the report is too small. No issue is made for a run ended by a person or the provider, nor for
 * a step, whose job has the changes.
 */
export function decidePatchPlace(
  patch: string,
  outcome: Pick<Outcome, 'conclusion'> & Partial<Pick<Outcome, 'stop'>>,
  plan: Pick<RunPlan, 'thread' | 'verb'>,
): PatchPlace {
  const worth =
    outcome.conclusion === 'success' ||
    outcome.conclusion === 'limit' ||
    outcome.stop?.kind === 'internal_error';
  if (patch === '' || !worth || plan.verb === 'step') return { kind: 'report' };
  if (plan.thread === null) return { kind: 'issue', reason: 'there is no thread to report on' };
  if (patch.length <= mostInReport) return { kind: 'report' };
  const size = `${Math.ceil(patch.length / 1000)},000 characters`;
  return { kind: 'issue', reason: `the patch is too long for a report (${size})` };
}
