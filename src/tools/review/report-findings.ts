import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { Finding } from '../../contract/findings.ts';
import { integer } from '../input/integer.ts';
import { list } from '../input/list.ts';
import { severityWord } from '../input/severity-word.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { checkFinding, linesOf } from './check-finding.ts';
import { diffLines, notInDiff, type ShownFiles, spansParts, withoutPrefix } from './diff-lines.ts';
import { settleSuggestion } from './settle-suggestion.ts';

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
  readOnly: false,
  targets: (args) => ({ what: counted(args.findings.length) }),
  async execute(args, context) {
    const shown = await diffLines(context.state.reviewed ?? '');
    const good: Finding[] = [];
    const bad: string[] = [];
    const suggestions: string[] = [];
    for (const given of args.findings) {
      const finding = { ...given, path: withoutPrefix(shown, given.path) };
      const named = `${finding.path}:${finding.line} "${finding.title}"`;
      const problem = await checkFinding(context.workspace, finding);
      if (problem !== null) {
        bad.push(`- ${named}: ${problem}`);
        continue;
      }
      const placed = { ...finding, path: context.workspace.files.relative(finding.path) };
      const standing = await linesOf(context.workspace, placed);
      const settled = settleSuggestion(placed, standing, spansParts(shown, placed));
      good.push(settled.finding);
      if (settled.note !== null) suggestions.push(`\n- ${named}: ${settled.note}`);
    }
    const said = suggestions.length === 0 ? '' : `\nOf suggestions:${suggestions.join('')}`;
    if (bad.length > 0) {
      const kept = good.length === 0 ? '' : ` ${await keep(good, shown, context)}${said}`;
      throw new ToolError(
        'invalid_input',
        `${bad.length} of ${counted(args.findings.length)} refused:\n${bad.join('\n')}\nReport the whole list again, corrected.${kept}`,
      );
    }
    const content = `${await keep(good, shown, context)}${said}`;
    return { content, data: toJson({ ...args, findings: good }) };
  },
});

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

/** Stores a list as the current one, and reports on the list it replaces. */
async function keep(findings: Finding[], shown: ShownFiles | null, context: ToolContext): Promise<string> {
  const before = context.state.findings.length;
  context.state.findings = findings;
  context.record({ type: 'findings', findings });
  if (findings.length === 0) {
    return before === 0
      ? 'Recorded: nothing found.'
      : `Recorded: nothing found. The ${before} reported before ${before === 1 ? 'is' : 'are'} withdrawn.`;
  }
  const replaced = before === 0 ? '' : `; replaces the ${before} reported before`;
  return `${counted(findings.length)} recorded${replaced}.${besideTheDiff(findings, shown)}`;
}

/** Lists findings beside the diff. Some are valid; misread ones should be reported again. */
function besideTheDiff(findings: readonly Finding[], shown: ShownFiles | null): string {
  if (shown === null) return '';
  const beside = findings.flatMap((finding) => {
    const why = notInDiff(shown, finding);
    return why === null ? [] : [`\n- ${finding.path}:${finding.line} "${finding.title}": ${why}`];
  });
  if (beside.length === 0) return '';
  return ` On no line of the diff, so posted at the nearest line it shows, or in the text of the review:${beside.join('')}\nIf another line was meant, report the whole list again.`;
}

function counted(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`;
}
