import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { CheckResult } from '../../contract/checks.ts';
import type { Preset } from '../../contract/levels.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { ReviewCheck, ReviewServices } from '../../tools/services/run-services.ts';
import type { ReviewRange } from '../../workspace/changes/review-diff.ts';
import { type TrustedTree, trustedTreeIn } from '../../workspace/git/trusted-tree.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Inputs for the review of a run's own change. */
export interface ReviewedRun {
  readonly config: Config;
  readonly preset: Preset;
  readonly plan: { readonly checkout: { readonly fork: boolean } };
  readonly range?: ReviewRange | null;
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  readonly runFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The tree with described checks. Default: null, the checkout itself. */
  readonly checksFrom?: TrustedTree | null;
  readonly signal: AbortSignal;
}

const folder = '.agents/checks';
const mostFiles = 100;

/**
 * Makes the review services. Described checks are read once; checks without a model run each time,
 * as the tree changes.
 */
export function reviewServices(run: ReviewedRun): ReviewServices {
  const tree = run.checksFrom ?? trustedTreeIn(run.workspace.files);
  let read: ReturnType<ReviewServices['described']> | null = null;
  return {
    described: () => {
      read ??= describedChecks(tree);
      return read;
    },
    async withoutModel() {
      const [{ checkReview }, { reviewRange }] = await Promise.all([
        import('./check-review.ts'),
        import('../../workspace/changes/review-diff.ts'),
      ]);
      // The run's own change comes first, as the child that reviews it sees it.
      const own = (await run.workspace.finalChanges()).patch !== '';
      const given = own ? null : (run.range ?? null);
      const data = path.join(run.runFolder, `${randomBytes(4).toString('hex')}.git`);
      const range = given ?? (await reviewRange(run.workspace.root, data));
      if (range?.commit !== undefined) return nothingChanged(range.commit);
      return checkReview({
        ...run,
        range,
        fork: run.plan.checkout.fork,
        // The result of the call has the finding. The ledger's entry belongs to a review run.
        record: (_: RunEntry) => undefined,
      });
    },
  };
}

/** Returns a result without checks: the last commit is not the run's own change. */
function nothingChanged(commit: string): CheckResult {
  const note = `Nothing in the checkout is changed or uncommitted: no checks ran, and a reviewer was shown the last commit, ${commit}.`;
  return { ran: [], findings: [], notes: [note] };
}

/** Reads the described checks. Of two with the same name the first counts. */
async function describedChecks(tree: TrustedTree): ReturnType<ReviewServices['described']> {
  const files = (await tree.below(folder, 1, mostFiles)).filter(({ path }) => /\.md$/i.test(path));
  const contents = await tree.read(files.map(({ path }) => path));
  const checks = new Map<string, ReviewCheck>();
  const problems: string[] = [];
  if (files.length === 0) return { checks: [], problems };
  const { parseReviewCheck } = await import('../../tools/review/review-check.ts');
  for (const { path } of files) {
    const bytes = contents.get(path);
    if (bytes === undefined) {
      problems.push(`The check ${path} is left out: it is too large.`);
      continue;
    }
    const check = parseReviewCheck(path, bytes.toString('utf8'));
    if (typeof check === 'string') problems.push(check);
    else if (checks.has(check.name))
      problems.push(`The check ${path} is left out: there is another "${check.name}".`);
    else checks.set(check.name, check);
  }
  return { checks: [...checks.values()], problems };
}
