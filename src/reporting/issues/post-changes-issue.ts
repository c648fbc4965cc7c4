import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { headlineOf } from '../changes/commit-message.ts';
import { packPatch, splitPatch } from '../diff/git-patch.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { codeBlock, codeSpan, countOf, cutText, cutWords, foldedSection } from '../text/markdown.ts';
import { readMarker, writeMarker } from '../text/marker.ts';
import { type IssuePorts, type OwnIssue, postIssue } from './post-issue.ts';

/** Maximum characters of a patch per post. */
const budget = 55_000;
/** The issue itself and comments on it. */
const mostPosts = 6;

type Ports = IssuePorts & Pick<PublishPorts, 'runUrl'>;

interface ChangedRun {
  readonly outcome: Outcome;
  readonly plan: RunPlan;
  readonly ports: Ports;
}

/** The issue that holds a patch, and what of the patch did not fit. */
export interface ChangesIssue extends OwnIssue {
  readonly rest: string;
}

/**
 * Puts a patch into an issue, continued in comments if it is long. Never posts anything twice. Null
 * if not one file fits.
 */
export async function postChangesIssue(
  patch: string,
  reason: string,
  { outcome, plan, ports }: ChangedRun,
): Promise<ChangesIssue | null> {
  const { parts, rest } = packPatch(patch, budget, mostPosts);
  const [first, ...continuations] = parts;
  if (first === undefined) return null;
  const headline = headlineOf(outcome, plan);
  const issue = await postIssue(
    {
      kind: 'changes',
      n: '0',
      title: cutWords(`Changes to look at: ${headline}`, 256),
      body: `${mark(plan, 0)}\n${body({ first, reason, rest, more: continuations.length }, plan, ports)}`,
      labels: [],
      assignees: [],
    },
    plan,
    ports,
  );
  for (const [index, part] of continuations.entries())
    await continueIssue(issue.number, { part, n: index + 1 }, plan, ports);
  return { ...issue, rest };
}

const mark = (plan: RunPlan, n: number): string => writeMarker('changes', { run: plan.run_id, n: String(n) });

interface IssueText {
  readonly first: string;
  readonly reason: string;
  readonly rest: string;
  /** Number of comments that follow. */
  readonly more: number;
}

function body({ first, reason, rest, more }: IssueText, plan: RunPlan, { runUrl }: Ports): string {
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const from = plan.thread === null ? '' : ` on #${plan.thread.number}`;
  const names = splitPatch(rest).map(({ newPath, oldPath }) => codeSpan(newPath ?? oldPath ?? 'a file'));
  return [
    `An Anode ${run}${from} made changes that it could not commit, as ${reason}.`,
    `They are made on ${codeSpan(plan.checkout.sha)}. Save the patch and run \`git apply\` on it.${
      more === 0 ? '' : ` It goes on in ${countOf(more, 'comment')} below.`
    }`,
    names.length === 0
      ? ''
      : `Too long for a post, complete in the run’s record: ${cutText(names.join(', '), 2_000, '…')}`,
    codeBlock(first, 'diff'),
    `<sub>For ${plan.requester.login}.</sub>`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

async function continueIssue(
  issue_number: number,
  { part, n }: { readonly part: string; readonly n: number },
  plan: RunPlan,
  ports: Ports,
): Promise<void> {
  const { octokit, ownLogin } = ports;
  const target = { ...repoOf(plan), issue_number };
  const find = async (): Promise<true | null> => {
    const comments = await octokit.paginate(octokit.rest.issues.listComments, { ...target, per_page: 100 });
    const own = comments.some((comment) => {
      const found = comment.user?.login === ownLogin ? readMarker(comment.body, 'changes') : null;
      return found?.run === plan.run_id && found.n === String(n);
    });
    return own ? true : null;
  };
  const make = async (): Promise<true> => {
    const text = `${mark(plan, n)}\n${foldedSection(`Part ${n + 1} of the patch`, codeBlock(part, 'diff'))}`;
    await octokit.rest.issues.createComment({ ...target, body: text, request: withoutRetries });
    return true;
  };
  await postOnce(find, make, claimsOn(`changes-${n}`, plan, ports));
}
