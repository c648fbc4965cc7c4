import type { Handoff } from '../contract/handoff.ts';
import type { RunPlan } from '../contract/plan.ts';
import { closedMarkdown, codeSpan, cutText, oneLine } from './markdown.ts';
import { writeMarker } from './marker.ts';
import { allowanceOf, publicLine, publicText } from './public-text.ts';

/** Title and body of the issue a handoff becomes; `index` tells the handoffs of one run apart. */
export function renderHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  runUrl: string | null,
): { title: string; body: string } {
  const title = oneLine(handoff.goal ?? handoff.summary);
  const from = plan.thread === null ? '' : ` on #${plan.thread.number}`;
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const parts = [
    closedMarkdown(cutText(publicText(handoff.summary.trim(), allowanceOf(plan)), 20_000, '\n\n[cut]')),
    handoff.reason === undefined ? '' : `Why it is handed over: ${line(handoff.reason)}`,
    handoff.goal === undefined ? '' : `**Goal**: ${line(handoff.goal)}`,
    section('Done', handoff.completed, (item) => `- [x] ${line(item)}`),
    section('Open questions', handoff.open_questions, (item) => `- ${line(item)}`),
    section('Next steps', handoff.recommended_next_steps, (item) => `- [ ] ${line(item)}`),
    section('Files to open first', handoff.relevant_files, (item) => `- ${codeSpan(item)}`),
    section('Further material', handoff.artifacts, (item) => `- ${codeSpan(item)}`),
    `<sub>Handed over by an Anode ${run}${from} for ${plan.requester.login}.</sub>`,
  ];
  const mark = writeMarker('handoff', { run: plan.run_id, n: String(index) });
  return {
    title: cutText(publicLine(title), 120, '…'),
    body: `${mark}\n${parts.filter((part) => part !== '').join('\n\n')}`,
  };
}

function section(title: string, items: readonly string[], render: (item: string) => string): string {
  if (items.length === 0) return '';
  const rest = items.length > 20 ? [`- … and ${items.length - 20} more`] : [];
  return [`**${title}**`, '', ...items.slice(0, 20).map(render), ...rest].join('\n');
}

function line(text: string): string {
  return cutText(publicText(oneLine(text)), 400, '…');
}
