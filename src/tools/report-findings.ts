import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import { Finding } from '../contract/findings.ts';
import { integer } from './input/integer.ts';
import { list } from './input/list.ts';
import { checkFinding } from './review/check-finding.ts';
import { diffLines, notInDiff } from './review/diff-lines.ts';
import { toJson } from './text/to-json.ts';
import { defineTool, type ToolContext } from './tool.ts';

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
 * States what a review found; the report turns it into inline comments. The newest list counts. Findings whose
 * place does not exist are refused by a `ToolError` that names each; the others are kept all the same, since a
 * run may end before it tries again.
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
    const good: Finding[] = [];
    const bad: string[] = [];
    for (const finding of args.findings) {
      const problem = await checkFinding(context.workspace, finding);
      const path = problem === null ? context.workspace.files.relative(finding.path) : finding.path;
      if (problem === null) good.push({ ...finding, path });
      else bad.push(`- ${path}:${finding.line} "${finding.title}": ${problem}`);
    }
    if (bad.length > 0) {
      const kept = good.length === 0 ? '' : ` ${await keep(good, context)}`;
      throw new ToolError(
        'invalid_input',
        `${bad.length} of ${counted(args.findings.length)} refused:\n${bad.join('\n')}\nReport the whole list again, corrected.${kept}`,
      );
    }
    return { content: await keep(good, context), data: toJson({ ...args, findings: good }) };
  },
});

/** What other reviewers call the same, and words in another case. */
function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { file, file_path, description, message, ...rest }: Record<string, unknown> = { ...value };
  const folded = (word: unknown, to: 'toLowerCase' | 'toUpperCase') =>
    typeof word === 'string' ? word.trim()[to]() : (word ?? undefined);
  return {
    ...rest,
    path: rest.path ?? file ?? file_path,
    body: rest.body ?? description ?? message,
    severity: folded(rest.severity, 'toLowerCase'),
    side: folded(rest.side, 'toUpperCase'),
  };
}

/** Makes a list the one that counts, and says what became of the one before. */
async function keep(findings: Finding[], context: ToolContext): Promise<string> {
  const before = context.state.findings.length;
  context.state.findings = findings;
  context.record({ type: 'findings', findings });
  if (findings.length === 0) {
    return before === 0
      ? 'Recorded: nothing found.'
      : `Recorded: nothing found. The ${before} reported before ${before === 1 ? 'is' : 'are'} withdrawn.`;
  }
  const replaced = before === 0 ? '' : `; replaces the ${before} reported before`;
  return `${counted(findings.length)} recorded${replaced}.${await besideTheDiff(findings, context)}`;
}

/** A defect may show where nothing changed; but a line that was only misread should be told of again, rightly. */
async function besideTheDiff(findings: readonly Finding[], context: ToolContext): Promise<string> {
  const shown = await diffLines(context.state.reviewed ?? '');
  if (shown === null) return '';
  const beside = findings.flatMap((finding) => {
    const why = notInDiff(shown, finding);
    return why === null ? [] : [`\n- ${finding.path}:${finding.line} "${finding.title}": ${why}`];
  });
  if (beside.length === 0) return '';
  return ` On no line of the diff, so told in the text of the review and not at a line:${beside.join('')}\nIf another line was meant, report the whole list again.`;
}

function counted(count: number): string {
  return `${count} finding${count === 1 ? '' : 's'}`;
}
