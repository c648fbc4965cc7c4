import type { Config } from '../../../src/config/schema.ts';
import type { Finding } from '../../../src/contract/findings.ts';
import type { Outcome } from '../../../src/contract/outcome.ts';
import type { StateStore } from '../../../src/contract/state-store.ts';
import type { ReviewPorts } from '../../../src/reporting/posting/ports.ts';
import { publish } from '../../../src/reporting/publish.ts';
import { sampleOutcome } from '../samples.ts';
import type { Scene } from '../scene.ts';

/** What a review of the pull request's newest head comes to. */
export async function reviewHead(
  store: StateStore,
  { repository, plan, ports, base }: Scene,
  run: string,
  findings: readonly Finding[],
  more: {
    readonly config?: Config;
    readonly fork?: boolean;
    readonly conclusion?: 'success' | 'limit';
    readonly ports?: object;
    readonly review?: Partial<ReviewPorts>;
    readonly closed?: Outcome['closed_findings'];
  } = {},
) {
  const head = (await repository.git('rev-parse', 'refs/pull/1/head')).trim();
  const planned = plan({
    ...{ run_id: run, verb: 'review', profile: 'review', trigger_comment: null },
    checkout: {
      ref: 'refs/pull/1/head',
      sha: head,
      base_ref: 'main',
      base_sha: base,
      fork: more.fork ?? false,
    },
    push: { kind: 'none', reason: 'A review only reads.' },
  });
  const lookup: ReviewPorts = {
    ...{ store, reviewed: { head, base }, renamed: new Map(), asked: null, nothingNew: false },
    readText: async (path, sha) =>
      repository.git('show', `${sha}:${path}`).then(
        (content) => `${content}\n`,
        () => null,
      ),
    commitsOf: async (paths) =>
      (await repository.git('log', '--format=%H %P', `${base}..${head}`, '--', ...paths))
        .split('\n')
        .map((line) => line.split(' '))
        .map(([sha = '', ...parents]) => ({ sha, parents })),
    ...more.review,
  };
  const outcome = sampleOutcome({
    run_id: run,
    findings: [...findings],
    conclusion: more.conclusion ?? 'success',
    closed_findings: more.closed,
  });
  const published = await publish(outcome, planned, {
    ...(await ports({ config: more.config ?? {} })),
    review: lookup,
    ...more.ports,
  });
  const [first = ''] = published.report.split('\n');
  return { report: first.replace(/\[Summary\]\(.*?\)/u, 'Summary'), failures: published.failures };
}

/** What stands of our reviews on GitHub. */
export const states = ({ repository }: Scene) => ({
  reviews: repository.reviews(1).map(({ state }) => state),
  comments: repository.reviewComments(1).map(({ line, body }) => `${line}: ${body.split('\n')[1]}`),
  resolved: repository.reviewThreads(1).map(({ resolvedBy }) => resolvedBy),
});
