import * as z from 'zod';
import type { Finding } from '../contract/findings.ts';
import { flag } from './input/flag.ts';
import { stringList } from './input/list.ts';
import { toJson } from './text/to-json.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  diff_description: z.string().min(1).describe('what changed and why'),
  files: stringList().default([]),
  instructions: z.string().optional(),
  check_scope: z.string().optional().meta({ hidden: true }),
  check_filter: stringList().default([]).meta({ hidden: true }),
  checks_only: flag().default(false).meta({ hidden: true }),
  thinking: z.enum(['low', 'high']).default('low').meta({ hidden: true }),
});

const efforts = { low: 2, high: 4 } as const;

/** Has a read-only child run review a change; what it finds becomes the review. */
export const codeReview = defineTool({
  name: 'code_review',
  description: 'Have a change reviewed by a second, read-only agent; returns its findings.',
  input,
  level: 'external_read',
  readOnly: false,
  targets: (args) => ({
    what: args.diff_description,
    paths: args.files.map((path) => ({ path, access: 'read' as const })),
  }),
  async execute(args, context) {
    const result = await context.runChild({
      title: 'Code review',
      profile: 'review',
      prompt: reviewPrompt(args),
      maxTurns: null,
      timeoutMs: null,
      effort: efforts[args.thinking],
    });
    // The newest list is what the reviewer stands by.
    const reported = result.entries.findLast((entry) => entry.type === 'findings');
    const findings = reported?.findings ?? [];
    return {
      content: [summary(result.conclusion, reported?.findings ?? null), result.answer]
        .filter((part) => part !== '')
        .join('\n\n'),
      data: toJson({ findings, child_run_id: result.childRunId, conclusion: result.conclusion }),
    };
  },
});

function reviewPrompt(args: z.output<typeof input>): string {
  const parts = [`Review this change:\n${args.diff_description}`];
  if (args.files.length > 0) parts.push(`Files to look at first: ${args.files.join(', ')}`);
  if (args.check_scope === 'changes-only') parts.push('Report only what the change itself brings in.');
  else if (args.check_scope !== undefined) parts.push(`Scope of the checks: ${args.check_scope}`);
  if (args.check_filter.length > 0) parts.push(`Run only these checks: ${args.check_filter.join(', ')}`);
  if (args.checks_only) parts.push('Report the results of the checks only, no other remarks.');
  if (args.instructions !== undefined) parts.push(args.instructions);
  parts.push('State what you find with report_findings, then answer with a short summary.');
  return parts.join('\n\n');
}

/** Null for a reviewer that never said what it found, which is no word on the change. */
function summary(conclusion: string, findings: readonly Finding[] | null): string {
  const ending = conclusion === 'success' ? '' : ` The review ended early (${conclusion}).`;
  if (findings === null) return `The reviewer reported no findings.${ending}`;
  if (findings.length === 0) return `The review found nothing.${ending}`;
  const lines = findings.map(
    (finding) =>
      `- ${finding.path}:${finding.line} [${finding.severity}] ${finding.title}: ${finding.body}${
        finding.suggestion === undefined ? '' : `\n  Suggested:\n${finding.suggestion}`
      }`,
  );
  return `${findings.length} finding${findings.length === 1 ? '' : 's'}.${ending}\n${lines.join('\n')}`;
}
