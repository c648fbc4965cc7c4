import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { workOf } from '../../contract/work-of.ts';
import { pullOf } from '../../github/api-target.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { cutMarkdown, maximumBody } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';
import { hostsOf, publicLine, publicText } from '../text/public-text.ts';

const begin = writeMarker('description', {});
const end = writeMarker('description-end', {});

/**
 * Writes a run's description into the pull request, between two hidden lines; the title only if
 * configured. The author's text stays. Writes nothing if it is up to date. True if the pull request
 * has it; null without a proposal.
 */
export async function publishDescription(
  outcome: Outcome,
  plan: RunPlan,
  { octokit, config }: Pick<PublishPorts, 'octokit' | 'config'>,
): Promise<true | null> {
  const { description } = outcome;
  if (workOf(plan) !== 'describe' || plan.thread?.kind !== 'pull_request' || description === undefined)
    return null;
  const target = pullOf(plan);
  const { data: pull } = await octokit.rest.pulls.get(target);
  const text = publicText(description.body.trim(), hostsOf(plan));
  const body = withOwnPart(pull.body ?? '', text, config.describe?.place ?? 'below');
  const title =
    config.describe?.title === true && description.title !== undefined
      ? publicLine(description.title).slice(0, 256)
      : pull.title;
  if (body !== (pull.body ?? '') || title !== pull.title)
    await octokit.rest.pulls.update({ ...target, ...(title === pull.title ? { body } : { body, title }) });
  return true;
}

/**
 * Returns a description with our part: in its old place, else above or below. Only our part is cut
 * to GitHub's limit. Pure.
 */
export function withOwnPart(body: string, own: string, position: 'above' | 'below'): string {
  const text = body.replaceAll('\r\n', '\n');
  const from = text.indexOf(begin);
  const to = from === -1 ? -1 : text.indexOf(end, from + begin.length);
  const around = position === 'above' ? (['', text] as const) : ([text, ''] as const);
  const [before, after] = to === -1 ? around : [text.slice(0, from), text.slice(to + end.length)];
  const budget = maximumBody - before.length - after.length - begin.length - end.length - 10;
  const fitting = own.length <= budget - 100 ? own : cutMarkdown(own, Math.max(0, budget - 200), '\n\n[cut]');
  const part = `${begin}\n${fitting}\n${end}`;
  if (to !== -1) return `${before}${part}${after}`;
  return [before.trimEnd(), part, after.trimStart()].filter((one) => one !== '').join('\n\n');
}
