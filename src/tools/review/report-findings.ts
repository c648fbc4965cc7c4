import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { ClosedFinding, Finding } from '../../contract/findings.ts';
import { isAboutTests } from '../../contract/is-about-tests.ts';
import { smallest } from '../../contract/lists.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { integer, list, severityWord } from '../input/lenient.ts';
import { defineTool, type ToolContext, toJson } from '../tool.ts';
import { type DiffFiles, diffLines, notInDiff, spansParts, withoutPrefix } from './diff-lines.ts';
import { readWalkthrough, statedWalkthrough } from './read-walkthrough.ts';

const input = z.object({
  findings: list(
    z.array(
      z.preprocess(
        renamed,
        Finding.extend({
          line: integer(Finding.shape.line),
          start_line: integer(z.int().positive()).optional(),
          side: Finding.shape.side,
          suggestion: Finding.shape.suggestion.describe('new text for these lines'),
          check: Finding.shape.check.meta({ hidden: true }),
        }),
      ),
    ),
  ),
  walkthrough: statedWalkthrough(),
  closed: list(z.array(z.object({ id: z.string(), reason: z.string() })))
    .optional()
    // The request of a later review describes it, where there is something to close.
    .meta({ hidden: true }),
  summary: z.string().optional().meta({ hidden: true }),
});

/**
 * Records the findings of a review, which the report turns into inline comments. The newest list
 * counts. Findings at a missing location are refused by a `ToolError` that names each. The others
 * are recorded anyway, since the run may end before it tries again.
 */
export const reportFindings = defineTool({
  name: 'report_findings',
  description: 'State all your review found, [] if nothing; again to replace it. side LEFT: deleted lines.',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: counted(args.findings.length) }),
  async execute(args, context) {
    const diff = await diffLines(context.state.reviewed ?? '');
    const walkthrough = readWalkthrough(args.walkthrough, (file) => withoutPrefix(diff, file.trim()));
    if (walkthrough !== null) context.record({ type: 'walkthrough', walkthrough });
    const closed = args.closed?.flatMap((one) => readClosed(one) ?? []);
    if (closed !== undefined) context.record({ type: 'closed_findings', closed });
    const placeable: Finding[] = [];
    const bad: string[] = [];
    const suggestions: string[] = [];
    for (const given of args.findings) {
      const finding = { ...given, path: withoutPrefix(diff, given.path) };
      const named = `${finding.path}:${finding.line} "${finding.title}"`;
      const problem = await checkFinding(context.workspace, finding);
      if (problem !== null) {
        bad.push(`- ${named}: ${problem}`);
        continue;
      }
      const placed = { ...finding, path: context.workspace.files.relative(finding.path) };
      const currentLines = await findingLines(context.workspace, placed);
      const normalised = normaliseSuggestion(placed, currentLines, spansParts(diff, placed));
      placeable.push(normalised.finding);
      if (normalised.note !== null) suggestions.push(`\n- ${named}: ${normalised.note}`);
    }
    const [good, without] = await withoutNeedlessTests(placeable, context);
    const suggestionNotes = suggestions.length === 0 ? '' : `\nOf suggestions:${suggestions.join('')}`;
    const notes = `${without}${suggestionNotes}`;
    if (bad.length > 0) {
      const recorded = good.length === 0 ? '' : ` ${await recordFindings(good, diff, context)}${notes}`;
      throw invalidInput(
        `${bad.length} of ${counted(args.findings.length)} refused:\n${bad.join('\n')}\nReport the whole list again, corrected.${recorded}`,
      );
    }
    const closings =
      closed === undefined
        ? ''
        : `\n${closed.length} of ${counted(args.closed?.length ?? 0)} to close noted; each needs id and reason.`;
    const content = `${await recordFindings(good, diff, context)}${notes}${closings}`;
    return { content, data: toJson({ ...args, findings: good }) };
  },
});

/** Bounds one closed finding; null without a usable id or a reason. */
function readClosed({ id, reason }: { readonly id: string; readonly reason: string }): ClosedFinding | null {
  const text = reason.trim().slice(0, 300).toWellFormed();
  return ClosedFinding.safeParse({ id: id.trim().toLowerCase(), reason: text }).data ?? null;
}

/** Maps field names and spellings of other reviewers. */
function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { file, file_path, description, message, ...rest }: Record<string, unknown> = { ...value };
  return {
    ...rest,
    path: rest.path ?? file ?? file_path,
    body: rest.body ?? description ?? message,
    severity: severityWord(rest.severity),
    side: typeof rest.side === 'string' ? rest.side.trim().toUpperCase() : (rest.side ?? undefined),
  };
}

/** Leaves out findings that demand tests for comments or prose, with a note for the model. */
async function withoutNeedlessTests(
  findings: Finding[],
  context: ToolContext,
): Promise<readonly [Finding[], string]> {
  if (!findings.some(isAboutTests)) return [findings, ''];
  const { untestedComments } = await import('./untested-comments.ts');
  const left = await untestedComments(findings, context.state.reviewed ?? '', context);
  if (left.size === 0) return [findings, ''];
  const named = [...left].map(({ path, line, title }) => `${path}:${line} "${title}"`).join(', ');
  const note = `\nLeft out, as only comments or prose changed there, which need no tests: ${named}.`;
  return [findings.filter((finding) => !left.has(finding)), note];
}

/** Stores a list as the current one, and reports on the list it replaces. */
async function recordFindings(
  findings: Finding[],
  diff: DiffFiles | null,
  context: ToolContext,
): Promise<string> {
  const before = context.state.findings.length;
  context.state.findings = findings;
  context.record({ type: 'findings', findings });
  if (findings.length === 0) {
    return before === 0
      ? 'Recorded: nothing found.'
      : `Recorded: nothing found. The ${before} reported before ${before === 1 ? 'is' : 'are'} withdrawn.`;
  }
  const replaced = before === 0 ? '' : `; replaces the ${before} reported before`;
  return `${counted(findings.length)} recorded${replaced}.${besideTheDiff(findings, diff)}`;
}

/** Lists findings beside the diff. Some are valid; misread ones should be reported again. */
function besideTheDiff(findings: readonly Finding[], diff: DiffFiles | null): string {
  if (diff === null) return '';
  const beside = findings.flatMap((finding) => {
    const why = notInDiff(diff, finding);
    return why === null ? [] : [`\n- ${finding.path}:${finding.line} "${finding.title}": ${why}`];
  });
  if (beside.length === 0) return '';
  return ` Not on a line of the diff, so posted at a line of it within ten, else only in the summary:${beside.join('')}\nIf another line was intended, report the whole list again.`;
}

function counted(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`;
}

/**
 * Returns the problem with a finding's location for the model, or null. A line of the new side must
 * exist in its current file; the old side cannot be verified here.
 */
export async function checkFinding(workspace: Workspace, finding: Finding): Promise<string | null> {
  const { path, line, start_line, side } = finding;
  if (start_line !== undefined && start_line > line) {
    return `start_line ${start_line} comes after line ${line}; give the first line and the last one.`;
  }
  try {
    const relative = workspace.files.relative(path);
    if (side === 'LEFT') return null;
    const lines = await countLines(workspace, relative);
    // An empty file has no line, but may still be the problem.
    if (line <= Math.max(1, lines)) return null;
    const legal = lines === 0 ? 'has no lines' : `has the lines 1 to ${lines}`;
    return `${relative} ${legal}; for a deleted line give side LEFT and its old number.`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.kind === 'not_found'
      ? `${error.message} For a file that the change deletes, give side LEFT.`
      : error.message;
  }
}

/** Returns the current lines of the new side that a finding refers to; null if unreadable. */
export async function findingLines(
  workspace: Workspace,
  { path, line, start_line, side }: Finding,
): Promise<string[] | null> {
  if (side === 'LEFT' || (await workspace.files.stat(path))?.kind !== 'file') return null;
  const { bytes } = await workspace.files.read(path);
  return bytes
    .toString('utf8')
    .split(/\r?\n/)
    .slice((start_line ?? line) - 1, line);
}

/** Counts the lines of a file as a diff does. A link has one line: its target. */
async function countLines(workspace: Workspace, path: string): Promise<number> {
  if ((await workspace.files.stat(path))?.kind === 'symlink') return 1;
  const { bytes } = await workspace.files.read(path);
  let lines = 0;
  let end = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, end)) {
    lines += 1;
    end = at + 1;
  }
  return end < bytes.length ? lines + 1 : lines;
}

/** A finding with its final suggestion, and a note for the model. */
interface NormalisedFinding {
  readonly finding: Finding;
  /** Null if there is nothing to say. */
  readonly note: string | null;
}

/**
 * Normalises a suggestion: the lines inside a fence if it is only a fence; none for a deleted line,
 * or if it equals the existing lines. `currentLines`: the lines it replaces, null if unknown.
 * `apart`: the diff does not show all of them, and GitHub accepts suggestions for shown lines only.
 */
export function normaliseSuggestion(
  finding: Finding,
  currentLines: readonly string[] | null,
  apart: boolean,
): NormalisedFinding {
  const { suggestion, ...rest } = finding;
  if (suggestion === undefined) return { finding, note: null };
  if (finding.side === 'LEFT')
    return { finding: rest, note: 'its suggestion is left out: a deleted line cannot be replaced' };
  const text = unfenced(suggestion, finding.path);
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (currentLines !== null && lines.join('\n') === currentLines.join('\n'))
    return { finding: rest, note: 'its suggestion is left out: it is what these lines say already' };
  const note = apart
    ? 'its lines are not all in one part of the diff, so its suggestion can only be shown; take lines of one part'
    : currentLines && shiftOf(lines, currentLines);
  return { finding: { ...finding, suggestion: text }, note };
}

/** Returns the text inside a surrounding fence; in Markdown only GitHub's suggestion fence. */
function unfenced(text: string, path: string): string {
  const [, fence = '', info = '', inner = ''] =
    /^\s*?(`{3,}|~{3,})([^\n`]*)\r?\n([\s\S]*?)\r?\n?[ \t]*\1[ \t]*\s*$/.exec(text) ?? [];
  if (fence === '' || inner.includes(fence)) return text;
  return /\.(md|mdx|markdown)$/i.test(path) && info.trim() !== 'suggestion' ? text : inner;
}

/** Warns about lost indentation, which is rarely intended: a suggestion replaces whole lines. */
function shiftOf(lines: readonly string[], currentLines: readonly string[]): string | null {
  const [now, before] = [least(lines), least(currentLines)];
  if (now !== 0 || before === 0 || before === null) return null;
  return `its suggestion replaces whole lines: it is not indented, and they are by ${before}. If that is not intended, report the whole list again`;
}

/** Returns the common indentation of non-blank lines; null without any. */
function least(lines: readonly string[]): number | null {
  const widths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  return widths.length === 0 ? null : smallest(widths);
}
