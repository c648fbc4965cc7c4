import * as z from 'zod';
import type { ChangeSet } from '../contract/change.ts';
import { DisplayItem } from '../contract/display-item.ts';
import { Finding } from '../contract/findings.ts';
import { Outcome } from '../contract/outcome.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import { closingEntry } from './counted-up.ts';
import { afterChange } from './findings/after-change.ts';
import { mergeClaims } from './findings/same-claim.ts';
import { provenCommands } from './proven-commands.ts';
import { displayExperiments } from './text/experiment-display.ts';
import { countOf, cutText, listed } from './text/markdown.ts';

const caps = {
  answer: 60_000,
  todos: 200,
  findings: 500,
  refusals: 200,
  approvals: 50,
  handoffs: 10,
  diagnostics: 50,
  shown: 20,
} as const;

type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

const ReviewData = z.object({
  findings: z.array(Finding),
  /** The key of a review: another one with the same key replaces it. */
  reviewed: z
    .object({ files: z.array(z.string()), check_filter: z.array(z.string()), checks_only: z.boolean() })
    .optional(),
});

/**
 * Folds a run ledger into one bounded, validated object. `changes` is the final diff of the work
 * tree. Lists are cut to their caps, the answer at 60,000 characters; `diagnostics` reports each
 * cut. Without `run.finished`, the run crashed: the result is a failure, counted from the other
 * entries. Throws without `run.started`.
 */
export function foldOutcome(lines: readonly RunLedgerLine[], changes: ChangeSet): Outcome {
  const entries = lines.map((line) => line.entry);
  const entriesOf = <Type extends RunEntry['type']>(type: Type) =>
    entries.filter((entry): entry is Entry<Type> => entry.type === type);
  const started = entriesOf('run.started')[0];
  if (started === undefined)
    throw new Error(`The run ledger of ${countOf(lines.length, 'line')} has no run.started entry.`);
  const finished = entriesOf('run.finished').at(-1);
  const { type: _, unreported, answer: last, ...end } = { type: '', ...(finished ?? closingEntry(lines)) };
  // A committed answer replaces the last message.
  const answer = committedAnswer(entriesOf('answer.committed')) ?? last;
  const notes = notesOf(answer, finished !== undefined, changes);
  const capped = <Item>(name: keyof typeof caps, items: readonly Item[]): Item[] => {
    const cap = caps[name];
    if (items.length > cap) notes.push(`Only ${cap} of ${items.length} ${name} are kept in the outcome.`);
    return items.slice(0, cap);
  };
  const asks = end.conclusion === 'waiting' && waitsFor(entries) === 'question';
  const { run_id, session_id, model, profile, preset, before } = started;
  const approvals = unique(entriesOf('approval.required').map((entry) => entry.approval));
  return Outcome.parse({
    version: 1,
    ...{ run_id, session_id, model, profile, preset, unreported, changes, ...end },
    answer: cutText(answer, caps.answer, '\n\n[cut]'),
    structured: end.conclusion === 'success' ? entriesOf('answer.structured').at(-1)?.value : undefined,
    tool_calls: entriesOf('tool.call').length + (before?.tool_calls ?? 0),
    summarised: summarised(entriesOf('compaction')),
    todos: capped('todos', entriesOf('todos').at(-1)?.todos ?? []),
    findings: capped('findings', collectFindings(entries)),
    closed_findings: entriesOf('closed_findings').at(-1)?.closed.slice(0, caps.findings),
    checks_whole: wholeChecks(entriesOf('checks').at(-1)),
    suggestion_checks: entriesOf('suggestion_checks').at(-1)?.checks.slice(0, caps.findings),
    refusals: capped('refusals', unique(entriesOf('refusal').map((entry) => entry.refusal))),
    approvals: capped(
      'approvals',
      approvals.filter(({ waits }) => waits !== true),
    ),
    ...approvalsOf(entries, end.conclusion),
    handoffs: capped('handoffs', unique(entriesOf('handoff').map((entry) => entry.handoff))),
    question: asks ? (entriesOf('question').at(-1)?.question ?? null) : null,
    shown: displayItems(entriesOf('tool.result'), entriesOf('experiment')),
    triage: entriesOf('triage').at(-1)?.triage,
    description: entriesOf('description').at(-1)?.description,
    walkthrough: entriesOf('walkthrough').at(-1)?.walkthrough,
    proven: provenBy(entries, changes),
    diagnostics: diagnosticsOf(entriesOf('diagnostic'), [
      ...entriesOf('checks').flatMap((entry) => entry.notes.slice(0, 20)),
      ...entriesOf('cut').map(({ message }) => message),
      ...notes,
    ]),
  });
}

/** Returns notes about what was cut or is missing. */
function notesOf(answer: string, isFinished: boolean, changes: ChangeSet): string[] {
  const { left_out: omitted = [] } = changes;
  return [
    ...(answer.length > caps.answer
      ? [`The answer was ${answer.length} characters long and was cut at ${caps.answer}.`]
      : []),
    ...(isFinished ? [] : ['The run ended without saying so: it crashed or was killed.']),
    ...(omitted.length > 0
      ? [
          `${countOf(omitted.length, 'file')} too large to be part of the changes, or with a name that is not UTF-8: ${listed(omitted, 300)}`,
        ]
      : []),
  ];
}

/**
 * Collects findings of checks, of the newest `report_findings`, and of child reviews, each once.
 * Those that say the same of the same lines are one.
 */
function collectFindings(entries: readonly RunEntry[]): Finding[] {
  const own = entries.findLast((entry) => entry.type === 'findings')?.findings ?? [];
  const checked = entries.flatMap((entry) => (entry.type === 'checks' ? entry.findings : []));
  return mergeClaims(unique([...checked, ...own, ...reviewFindings(entries)]));
}

/**
 * Returns open findings of reviews within the run. A review of the same files by the same checks
 * replaces the earlier one.
 */
function reviewFindings(entries: readonly RunEntry[]): Finding[] {
  const found = new Map<string, readonly Finding[]>();
  for (const entry of entries) {
    if (entry.type === 'change')
      for (const [key, findings] of found) found.set(key, afterChange(findings, entry.change));
    if (entry.type !== 'tool.result' || entry.tool !== 'code_review' || !entry.ok) continue;
    const { data } = ReviewData.safeParse(entry.data);
    if (data !== undefined) found.set(JSON.stringify(data.reviewed ?? entry.call_id), data.findings);
  }
  return [...found.values()].flat();
}

/** Collects experiments, each once, and results of `render` and `chart`. */
function displayItems(
  results: readonly Entry<'tool.result'>[],
  experiments: readonly Entry<'experiment'>[],
): DisplayItem[] | undefined {
  const items = results.flatMap(({ ok, tool, data }) => {
    const item = ok && (tool === 'render' || tool === 'chart') ? DisplayItem.safeParse(data).data : undefined;
    return item === undefined ? [] : [item];
  });
  const all = [...displayExperiments(experiments), ...items];
  return all.length === 0 ? undefined : all.slice(0, caps.shown);
}

/** The message that the run committed; null where it committed none. */
function committedAnswer(commits: readonly Entry<'answer.committed'>[]): string | null {
  return commits.reduce<string | null>(
    (whole, { mode, text }) => (mode === 'append' && whole !== null ? whole + text : text),
    null,
  );
}

/** Counts compactions with a summary. Without one, a reader loses nothing. */
function summarised(compactions: readonly Entry<'compaction'>[]): number | undefined {
  return compactions.filter(({ kept }) => kept !== undefined).length || undefined;
}

/** Returns the checks that reported all they found. */
function wholeChecks(last: Entry<'checks'> | undefined): string[] | undefined {
  return last?.ran.filter((name) => !last.cut?.includes(name));
}

/** Returns what a waiting run waits for: its newest request. */
function waitsFor(entries: readonly RunEntry[]): 'question' | 'approval' {
  const newest = entries.findLast(
    (entry) =>
      entry.type === 'question' || (entry.type === 'approval.required' && entry.approval.waits === true),
  );
  return newest?.type === 'approval.required' ? 'approval' : 'question';
}

/** Collects the approvals at the end: pending, decided (the latest verdict of each) and granted. */
function approvalsOf(entries: readonly RunEntry[], conclusion: Outcome['conclusion']) {
  const waiting = entries.flatMap((entry) =>
    entry.type === 'approval.required' && entry.approval.waits === true ? [entry.approval] : [],
  );
  const pending = conclusion === 'waiting' && waitsFor(entries) === 'approval' ? waiting.at(-1) : undefined;
  const all = entries.flatMap((entry) => (entry.type === 'approval.decided' ? [entry.decided] : []));
  // A lapsed approval has an earlier entry that approved it.
  const decided = all.filter(({ hash, verdict }, index) => {
    const later = all[index + 1];
    return !(verdict === 'approved' && later?.hash === hash && later.verdict === 'lapsed');
  });
  const grants = entries.flatMap((entry) => (entry.type === 'grant' ? [entry.grant] : []));
  return {
    pending_approval: pending,
    decided: decided.length === 0 ? undefined : decided.slice(-caps.approvals),
    grants: grants.length === 0 ? undefined : unique(grants).slice(-caps.approvals),
  };
}

/** Returns what proves the changes; undefined without changes or proof. */
function provenBy(entries: readonly RunEntry[], { files }: ChangeSet): Outcome['proven'] {
  const proven = files.length === 0 ? [] : provenCommands(entries);
  return proven.length === 0 ? undefined : proven;
}

function unique<Item>(items: readonly Item[]): Item[] {
  const seen = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...seen.values()];
}

/** Returns warnings and errors, then our notes, within the cap. */
function diagnosticsOf(diagnostics: readonly Entry<'diagnostic'>[], notes: readonly string[]): string[] {
  const messages = unique(
    diagnostics.filter((entry) => entry.level !== 'info').map((entry) => entry.message),
  );
  const budget = caps.diagnostics - notes.length;
  if (messages.length <= budget) return [...messages, ...notes];
  const dropped = `Only ${budget - 1} of ${messages.length} diagnostics are kept in the outcome.`;
  return [...messages.slice(0, budget - 1), dropped, ...notes];
}
