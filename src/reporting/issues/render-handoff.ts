import type { RunPlan } from '../../contract/plan.ts';
import type { Handoff } from '../../contract/run-results.ts';
import { fillTemplate } from '../text/fill-template.ts';
import { codeSpan, cutText, oneLine } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';
import { hostsOf, publicCut, publicLine, publicText } from '../text/public-text.ts';

/** What stands around a handoff. */
export interface HandoffSettings {
  readonly runUrl: string | null;
  /** The repository's template for such issues, from the base branch. */
  readonly template?: string | null;
}

/**
 * Title and body of the issue a handoff becomes, and the labels its template asks for; `index` tells the handoffs of one run
 * apart. The issue names the thread that the run was on.
 */
export function renderHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  { runUrl, template = null }: HandoffSettings,
): { title: string; body: string; labels: readonly string[] } {
  const front = readFront(template ?? '');
  const title = `${front.title}${oneLine(handoff.goal ?? handoff.summary)}`;
  const from = plan.thread === null ? '' : ` on #${plan.thread.number}`;
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const summary = publicCut(handoff.summary.trim(), 20_000, '\n\n[cut]', hostsOf(plan));
  const steps = section('Next steps', handoff.recommended_next_steps, (item) => `- [ ] ${line(item)}`);
  const rest = [
    handoff.reason === undefined ? '' : `Why it is handed over: ${line(handoff.reason)}`,
    handoff.goal === undefined ? '' : `**Goal**: ${line(handoff.goal)}`,
    section('Done', handoff.completed, (item) => `- [x] ${line(item)}`),
    section('Open questions', handoff.open_questions, (item) => `- ${line(item)}`),
    steps,
    section('Files to open first', handoff.relevant_files, (item) => `- ${codeSpan(item)}`),
    section('Further material', handoff.artifacts, (item) => `- ${codeSpan(item)}`),
  ].filter((part) => part !== '');
  const footer = `<sub>Handed over by an Anode ${run}${from} for ${plan.requester.login}.</sub>`;
  const material = {
    summary: [summary, ...rest.filter((part) => part !== steps)].join('\n\n'),
    steps,
    issue: plan.thread === null ? '' : `From #${plan.thread.number}`,
    title: publicText(oneLine(handoff.goal ?? handoff.summary)),
    requester: plan.requester.login,
    run,
  };
  const parts = front.body.trim() === '' ? [summary, ...rest] : [fillTemplate(front.body, material)];
  const mark = writeMarker('handoff', { run: plan.run_id, n: String(index) });
  return {
    title: cutText(publicLine(title), 120, '…'),
    body: `${mark}\n${[...parts, footer].join('\n\n')}`,
    labels: front.labels,
  };
}

/** The front matter of an issue template (GitHub Docs, "About issue and pull request templates"): title and labels. */
function readFront(template: string): { title: string; labels: string[]; body: string } {
  const text = template.replaceAll(/\r\n?/gu, '\n');
  const found = /^---\n([\s\S]*?)\n---\n?/u.exec(text);
  if (found === null) return { title: '', labels: [], body: text };
  const field = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'mu').exec(found[1] ?? '')?.[1]?.trim() ?? '';
  const labels = field('labels')
    .replaceAll(/^\[|\]$/gu, '')
    .split(',')
    .map(unquoted)
    .filter((label) => label !== '');
  const title = unquoted(field('title'));
  return { title: title === '' ? '' : `${title} `, labels, body: text.slice(found[0].length) };
}

const unquoted = (text: string): string =>
  text
    .trim()
    .replaceAll(/^["']+|["']+$/gu, '')
    .trim();

function section(title: string, items: readonly string[], render: (item: string) => string): string {
  if (items.length === 0) return '';
  const rest = items.length > 20 ? [`- … and ${items.length - 20} more`] : [];
  return [`**${title}**`, '', ...items.slice(0, 20).map(render), ...rest].join('\n');
}

function line(text: string): string {
  return publicCut(oneLine(text), 400, '…');
}
