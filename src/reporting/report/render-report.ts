import type { Finding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { HiddenFinding } from '../../contract/thread.ts';
import { isReview, workOf } from '../../contract/work-of.ts';
import { diffCounts, splitPatch } from '../diff/git-patch.ts';
import { renderCost, renderTodoChecklist } from '../progress/render-progress.ts';
import { renderDecided } from '../questions/render-approval.ts';
import { renderQuestion } from '../questions/render-question.ts';
import { renderFindingLine } from '../review/render-finding.ts';
import {
  codeBlock,
  codeSpan,
  countOf,
  cutList,
  cutMarkdown,
  cutText,
  foldedSection,
  listed,
  maximumBody,
  oneLine,
  sentence,
} from '../text/markdown.ts';
import { markdownDisplay } from '../text/markdown-display.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';
import { requestUrl } from '../text/request-url.ts';
import type { ReportContext } from './published.ts';
import { renderConclusion } from './render-conclusion.ts';
import { renderNextStep } from './render-next-step.ts';
import { renderProof } from './render-proof.ts';
import { reasonAtOnce } from './success-word.ts';
import { unsaidPart } from './unsaid-part.ts';

const mostFiles = 30;
const mostRefusals = 30;
/** Characters that what the run showed may take. */
const budgetOfDisplay = 12_000;
/** Characters reserved for the hidden marker above the report. */
const markerBudget = 200;

/**
 * Renders the final comment of a run: conclusion, answer, what failed and why, the rest folded. The
 * model's text is neutralised. At most `limit` characters: the answer is cut first, and a patch
 * that does not fit omits whole files by name.
 */
export function renderReport(
  outcome: Outcome,
  context: ReportContext,
  limit = maximumBody - markerBudget,
): string {
  const { plan, published } = context;
  const { answered } = published;
  const before = [
    renderConclusion(outcome, context),
    renderProof(outcome),
    ...(answered === undefined
      ? []
      : [`Answered in [${plan.finding ? 'the thread of the finding' : 'the thread'}](${answered.url}).`]),
  ].filter((part) => part !== '');
  const said = reasonAtOnce(outcome, plan, published);
  const downgrades = published.downgrades.filter((text) => text !== said);
  const after = renderRunNotes(outcome, { ...context, published: { ...published, downgrades } });
  const footer = renderFooter(outcome, context);

  const fixed = [...before, ...after, footer].join('\n\n').length + 8;
  const isElsewhere = published.plan !== undefined || published.answered !== undefined;
  // Praise is left out.
  const own = foundNothing(outcome, context) ? unsaidPart(outcome) : outcome.answer;
  const answerText = isElsewhere ? '' : own;
  const answer = renderAnswer(answerText, plan, Math.min(30_000, Math.max(0, limit - fixed)));
  const body = [...before, answer, ...after].filter((part) => part !== '').join('\n\n');
  const patch = renderPatch(published.patch, limit - body.length - footer.length - 8);
  const report = [body, patch, footer].filter((part) => part !== '').join('\n\n');
  return report.length <= limit ? report : cutMarkdown(report, limit - 100, '\n\n[cut]');
}

/** True if the last paragraph of an answer ends in a list. */
function endsWithList(answer: string): boolean {
  const [last = ''] = answer
    .trim()
    .split(/\n\s*\n/u)
    .slice(-1);
  return /^\s*(?:[-*+]|\d{1,9}[.)])\s/mu.test(last);
}

/** Renders what a run left besides its answer: what failed, lists, and folded sections. */
export function renderRunNotes(outcome: Outcome, context: ReportContext): string[] {
  const { plan, published } = context;
  const notes = [bullets(published.downgrades), bullets(published.failures)]
    .filter((part) => part !== '')
    .join('\n');
  const todos = outcome.todos.length === 0 ? '' : renderTodoChecklist(outcome.todos);
  return [
    markdownDisplay(outcome.shown ?? [], budgetOfDisplay, hostsOf(plan)),
    renderNextStep(outcome, plan, context.mention ?? null),
    notes,
    // Markdown joins two adjacent lists into one.
    todos === '' || (notes === '' && !endsWithList(outcome.answer)) ? '' : 'Its list:',
    todos,
    ...(published.handoffs ?? []).map((text) => foldedSection('Handoff without an issue', text)),
    renderFindings(context),
    outcome.question === null || published.question !== undefined ? '' : renderQuestion(outcome.question),
    renderFiles(outcome),
    renderDecided(outcome),
    renderRefusals(outcome),
    renderDiagnostics(outcome),
    renderHiddenText(plan.hidden_text ?? []),
  ].filter((part) => part !== '');
}

export function renderAnswer(answer: string, plan: RunPlan, budget: number): string {
  if (budget < 200) return '';
  const note = '\n\n[cut: the whole answer is in the run’s record]';
  return publicCut(answer.trim(), budget - 100, note, hostsOf(plan));
}

export function foundNothing(outcome: Outcome, { plan }: Pick<ReportContext, 'plan'>): boolean {
  const review = workOf(plan) === 'review' && outcome.conclusion === 'success';
  return review && outcome.unreported === undefined && outcome.findings.length === 0;
}

function bullets(sentences: readonly string[]): string {
  return sentences
    .slice(0, 20)
    .map((line) => `- ${cutText(oneLine(line), 600, '…')}`)
    .join('\n');
}

function renderFindings({ findings, plan }: ReportContext): string {
  if (findings.length === 0) return '';
  const render = (finding: Finding) => renderFindingLine(finding, plan);
  return `${countOf(findings.length, 'finding')}:\n\n${cutList(findings, 50, render, ' in the run’s record')}`;
}

function renderFiles(outcome: Outcome): string {
  const { files } = outcome.changes;
  if (files.length === 0) return '';
  const verbs = { add: 'added', modify: 'changed', delete: 'deleted', rename: 'renamed' };
  const list = cutList(files, mostFiles, (file) => {
    const from = file.kind === 'rename' && file.old_path ? ` from ${codeSpan(file.old_path)}` : '';
    return `- ${codeSpan(file.path)} ${verbs[file.kind]}${from}${lineCounts(file.diff)}`;
  });
  return foldedSection(`${countOf(files.length, 'file')} changed`, list);
}

function lineCounts(diff: string): string {
  const { added, removed } = diffCounts(diff);
  return added + removed === 0 ? '' : ` (+${added} −${removed})`;
}

function renderRefusals(outcome: Outcome): string {
  const proposed = new Set(outcome.approvals.map(({ call_id: id }) => id));
  const refusals = outcome.refusals.filter(({ call_id: id }) => !proposed.has(id));
  const calls = [...refusals, ...outcome.approvals];
  if (calls.length === 0) return '';
  const list = cutList(calls, mostRefusals, (call) => {
    const what = codeSpan(cutText(oneLine(`${call.tool} ${call.what}`), 200, '…'));
    return `- ${what}: ${publicCut(oneLine(call.reason), 400, '…')}`;
  });
  const refused = refusals.length;
  const waiting = outcome.approvals.length;
  const summary = [
    ...(refused > 0 ? [`${countOf(refused, 'call')} refused`] : []),
    ...(waiting > 0 ? [`${countOf(waiting, 'call')} not made without approval`] : []),
  ].join(', ');
  return foldedSection(summary, list);
}

function renderDiagnostics({ diagnostics }: Outcome): string {
  if (diagnostics.length === 0) return '';
  const render = (message: string) => `- ${publicCut(sentence(oneLine(message)), 400, '…')}`;
  return foldedSection(countOf(diagnostics.length, 'note'), cutList(diagnostics, 20, render));
}

/** The patch in a folded block of at most `budget` characters; '' when there is none. */
export function renderPatch(patch: string, budget: number): string {
  if (patch === '') return '';
  const frame = 300;
  const included: string[] = [];
  const omitted: string[] = [];
  let size = frame;
  for (const section of splitPatch(patch)) {
    // Budget for the section itself, or at least for its name.
    if (size + section.text.length <= budget - 1000) {
      included.push(section.text);
      size += section.text.length;
    } else omitted.push(section.newPath ?? section.oldPath ?? 'a file');
  }
  const names = listed(omitted, 800);
  const missing = omitted.length === 0 ? '' : `Too long to show here, complete in the run’s record: ${names}`;
  const block = included.length === 0 ? '' : codeBlock(included.join(''), 'diff');
  const inside = [block, missing].filter((part) => part !== '').join('\n\n');
  return foldedSection('The patch (save it and run <code>git apply</code>)', inside);
}

function renderFooter(outcome: Outcome, { plan, runUrl }: ReportContext): string {
  const { usage } = outcome;
  const tokens = usage.input + usage.output + usage.cache_read + usage.cache_write;
  const facts = [
    countOf(outcome.turns, 'turn'),
    countOf(outcome.tool_calls, 'tool call'),
    ...(outcome.summarised === undefined ? [] : [summarisedText(outcome.summarised)]),
    `${tokens.toLocaleString('en-US')} tokens`,
    ...costOf(outcome.cost_usd, tokens),
    renderDuration(outcome.duration_ms),
    codeSpan(outcome.model),
    ...(runUrl === null ? [] : [`[run](${runUrl})`]),
    ...requestedBy(plan),
  ];
  return `<sub>${facts.join(' · ')}</sub>`;
}

/** Names who asked for a run or had it continue, with a link to the comment. */
function requestedBy(plan: RunPlan): string[] {
  const { resume, requester, thread, trigger_comment } = plan;
  const isUnrequested = resume === null && trigger_comment === null && isReview(plan);
  const login = resume?.answered_by ?? requester.login;
  if (thread === null || isUnrequested || login === '') return [];
  const isAnswer = resume !== null && resume.stopped !== true && resume.approval === undefined;
  const continued = isAnswer ? 'answered' : 'continued';
  const url = requestUrl(plan);
  return [`${resume === null ? 'asked' : continued} by ${url === null ? login : `[${login}](${url})`}`];
}

function summarisedText(times: number): string {
  return `older turns summarised ${times === 1 ? 'once' : `${times} times`}`;
}

/** Names an unknown cost. Without it, a run would seem free. */
function costOf(dollars: number | null, tokens: number): string[] {
  if (dollars !== null) return [renderCost(dollars)];
  return tokens === 0 ? [] : ['cost unknown'];
}

/** Renders milliseconds: `4 s`, `2 min 5 s`, `1 h 3 min`. */
function renderDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const mostParts = 20;

/**
 * Renders text that was hidden from readers and the model, for maintainers. It is folded, with
 * suspicious parts first and a short excerpt as code. '' if there is none.
 */
export function renderHiddenText(hidden: readonly HiddenFinding[]): string {
  if (hidden.length === 0) return '';
  // Bots mark their comments so to find them again, as we do ourselves.
  const usual = hidden.filter(
    ({ kind, bot, alarming: odd }) => bot === true && kind === 'HTML comment' && !odd,
  );
  const unusual = hidden.filter((found) => !usual.includes(found));
  const alarming = unusual.filter((found) => found.alarming);
  const all = [...alarming, ...unusual.filter((found) => !found.alarming)];
  const list = cutList(all, mostParts, (found) => {
    const author = codeSpan(cutText(oneLine(found.author), 60, '…'));
    const excerpt = codeSpan(cutText(oneLine(found.excerpt), 80, '…').replaceAll('<!--', '<! --'));
    const size = countOf(found.length, 'character');
    return `- ${found.kind} in ${codeSpan(cutText(found.where, 120, '…'))} by ${author}, ${size}: ${excerpt}`;
  });
  const lines = list === '' ? [] : [list];
  if (usual.length > 0) {
    const bots = [...new Set(usual.map(({ author }) => codeSpan(cutText(oneLine(author), 60, '…'))))];
    const more = bots.length > 5 ? ' and more' : '';
    lines.push(
      `- ${countOf(usual.length, 'HTML comment')} as bots leave them, by ${bots.slice(0, 5).join(', ')}${more}`,
    );
  }
  const note = 'Readers of this page do not see it, and the model did not get it.';
  const what = all.length === 0 ? 'Hidden text of bots' : `Hidden text in ${countOf(all.length, 'place')}`;
  const summary = alarming.length === 0 ? what : `⚠️ ${what}, ${alarming.length} of them unusual`;
  return foldedSection(summary, [note, '', ...lines].join('\n'));
}
