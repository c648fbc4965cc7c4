import path from 'node:path';
import { append } from '../contract/lists.ts';
import type { Outcome } from '../contract/outcome.ts';
import { describePermission } from '../permissions/policy/describe-permission.ts';
import { limitKeys } from '../reporting/report/limit-keys.ts';
import { countOf } from '../reporting/text/markdown.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';
import { plainText } from '../tools/text/plain-text.ts';
import { spellOutInvisible } from '../untrusted-text/invisible.ts';
import { keysOf, questionsOf } from './question-keys.ts';
import { renderForTerminal } from './read-answer.ts';
import { commandToGoOn, firstLine } from './write-output.ts';

/**
 * Describes the end of a run for a terminal. `goesOn` is true if it was stopped and its session is
 * stored.
 */
export function describeOutcome(outcome: Outcome, folder: string, goesOn = false): string {
  const waits = outcome.question !== null || outcome.pending_approval !== undefined;
  const answer = outcome.answer === '' && !waits ? '(no answer)' : outcome.answer;
  const lines = ['', answer, ''];
  if (!waits) append(lines, describeStop(outcome, folder, goesOn));
  append(lines, describeQuestion(outcome, folder));
  if (outcome.pending_approval !== undefined) append(lines, describeApproval(outcome, folder));
  for (const { tool, what, hash, verdict, by, note } of outcome.decided ?? [])
    lines.push(`${verdict} ${tool} ${firstLine(what)} (${hash}), by ${by}${note === '' ? '' : `: ${note}`}`);
  for (const file of outcome.changes.files) lines.push(`${file.kind} ${file.path}`);
  const proposed = new Set(outcome.approvals.map((approval) => approval.call_id));
  for (const refusal of outcome.refusals.filter(({ call_id }) => !proposed.has(call_id)))
    lines.push(`refused ${refusal.tool} ${firstLine(refusal.what)}: ${refusal.reason}`);
  append(lines, outcome.handoffs.flatMap(describeHandoff));
  for (const { tool, what, diff } of outcome.approvals)
    lines.push(`proposed, not done: ${tool} ${firstLine(what)}`, indent(diff ?? ''));
  append(lines, outcome.findings.flatMap(describeFinding));
  const { usage, turns, tool_calls, cost_usd, duration_ms } = outcome;
  const cost = cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(4)}`;
  const tokens = usage.input + usage.cache_read + usage.cache_write + usage.output;
  lines.push(
    '',
    `${outcome.conclusion}: ${countOf(turns, 'turn')}, ${countOf(tool_calls, 'tool call')}, ${tokens} tokens, ${cost}, ${(duration_ms / 1000).toFixed(1)} s`,
    `record: ${folder}`,
  );
  return plainText(`${lines.join('\n')}\n`);
}

function describeStop(outcome: Outcome, folder: string, goesOn: boolean): string[] {
  const { stop } = outcome;
  if (stop === null) return [];
  return [`Stopped: ${stop.detail ?? stop.message}`, ...describeGoingOn(outcome, folder, goesOn)];
}

function describeQuestion(outcome: Outcome, folder: string): string[] {
  const { question, pending_approval: _, ...others } = outcome;
  if (question === null) return [];
  const all = questionsOf(question);
  const keys = keysOf(all);
  const texts = all.map((one, index) => {
    const name = all.length === 1 ? 'Question' : `Question ${index + 1} of ${all.length} (${keys[index]})`;
    return renderForTerminal(one, name);
  });
  return [...texts, `Answer with: ${commandToGoOn({ ...others, question }, folder)}`];
}

function describeHandoff(handoff: Outcome['handoffs'][number]): string[] {
  const { goal, summary, reason } = handoff;
  return [
    `handoff to ${handoff.target}: ${goal ?? summary}`,
    ...(goal === undefined || goal === summary ? [] : [indent(summary)]),
    ...(reason === undefined ? [] : [`  why: ${reason}`]),
    ...handoff.completed.map((item) => `  done: ${item}`),
    ...handoff.open_questions.map((item) => `  open: ${item}`),
    ...handoff.recommended_next_steps.map((item) => `  next: ${item}`),
    ...handoff.relevant_files.map((file) => `  file: ${file}`),
    ...handoff.artifacts.map((item) => `  material: ${item}`),
    ...(handoff.follow ? ['  work goes on there'] : []),
  ];
}

function describeFinding(finding: Outcome['findings'][number]): string[] {
  const { severity, path, line, side, title, body, suggestion } = finding;
  const old = side === 'LEFT' ? ' (before the change)' : '';
  const lines = [`${severity} ${path}:${line}${old} ${title}`, indent(body)];
  return suggestion === undefined ? lines : [...lines, '  suggested:', indent(indent(suggestion))];
}

/**
 * Describes the pending call, in full and without invisible characters, and how to decide on it.
 */
function describeApproval(outcome: Outcome, folder: string): string[] {
  const { pending_approval: approval, run_id } = outcome;
  if (approval === undefined) return [];
  const { tool, hash, reason, commands = [], diff, input, permissions = [] } = approval;
  const shown = [...commands, diff, input].filter((text) => text !== undefined);
  const where = `--cwd ${quotedWord(path.resolve(folder, '../..'))}`;
  return [
    `Approval needed for ${tool} (${hash}):`,
    ...shown.map((text) => indent(spellOutInvisible(text))),
    ...permissions.map((rule) => `  until the session ends: ${spellOutInvisible(describePermission(rule))}`),
    `  because: ${reason}`,
    `Approve with: ${commandToGoOn(outcome, folder)}`,
    `Deny with:    anode resume ${run_id} deny "<reason>" ${where}`,
  ];
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ');
}

/**
 * Describes the options after a stopped run, one line each. `goesOn` is true if its session is
 * stored. `folder` is its record in the checkout.
 */
export function describeGoingOn(
  { stop, run_id, changes }: Pick<Outcome, 'stop' | 'run_id' | 'changes'>,
  folder: string,
  goesOn: boolean,
): string[] {
  const key = stop === null ? undefined : limitKeys[stop.kind];
  const option = stop?.kind === 'turn_limit' ? '--max-turns, or ' : '';
  const files = changes.files.length;
  return [
    ...(files === 0 ? [] : ['What it changed so far is in the checkout.']),
    ...(goesOn
      ? [
          `Go on from here, with limits of its own: anode resume ${run_id} --cwd ${quotedWord(path.resolve(folder, '../..'))}`,
        ]
      : []),
    ...(key === undefined
      ? []
      : [`For more in one run: raise ${option}${key} in the configuration (--config, or your own).`]),
  ];
}
