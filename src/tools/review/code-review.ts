import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Finding } from '../../contract/findings.ts';
import { flag } from '../input/flag.ts';
import { stringList } from '../input/list.ts';
import { unlessNull } from '../input/unless-null.ts';
import type { ChildRequest } from '../services/children.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { type Reviewed, renderReview } from './render-findings-list.ts';
import { checkPrompt, type ReviewedChange, reviewPrompt } from './review-prompts.ts';
import { selectChecks, wantedOnly } from './select-checks.ts';

const input = z.object({
  diff_description: z.string().min(1).describe('what changed and why'),
  files: stringList().default([]),
  instructions: unlessNull(z.string()),
  check_scope: unlessNull(z.string()).meta({ hidden: true }),
  check_filter: stringList().default([]).meta({ hidden: true }),
  checks_only: flag().default(false).meta({ hidden: true }),
  thinking: z.enum(['low', 'high']).default('low').meta({ hidden: true }),
});

const efforts = { low: 2, high: 4 } as const;

/**
 * Reviews a change: by checks without a model, by a read-only child for the whole change, and by
 * one more for each check that the base branch describes. Their findings become the review.
 */
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
    const change: ReviewedChange = {
      description: args.diff_description,
      files: args.files,
      instructions: args.instructions ?? null,
      scope: args.check_scope ?? null,
    };
    const { checks, problems } = await context.review.described();
    const selected = selectChecks(args.check_filter, checks);
    const alone = wantedOnly(await context.review.withoutModel(), selected.wants);
    const base = { profile: 'review', maxTurns: null, timeoutMs: null, effort: efforts[args.thinking] };
    const reviewer: Asked = {
      name: null,
      request: { ...base, title: 'Code review', prompt: reviewPrompt(change, alone.findings) },
    };
    const described = selected.described.map(
      (check): Asked => ({
        name: check.name,
        request: {
          ...base,
          title: `Check: ${check.name}`,
          prompt: checkPrompt(change, check),
          ...(check.tools === null ? {} : { toolsAllowed: check.tools }),
        },
      }),
    );
    const reviewed = await askAll([...(args.checks_only ? [] : [reviewer]), ...described], context);
    const notes = [...problems, ...selected.notes, ...alone.notes];
    const findings = unique([...alone.findings, ...reviewed.flatMap((one) => one.findings ?? [])]);
    const [whole] = reviewed.filter(({ name }) => name === null);
    return {
      content: renderReview({ findings, alone, reviewed, notes, checksOnly: args.checks_only }),
      data: toJson({
        findings,
        checks: [
          ...alone.ran.map((name) => ({
            name,
            status: alone.findings.some(({ check }) => check === name) ? 'findings' : 'passed',
            findings: alone.findings.filter(({ check }) => check === name).length,
          })),
          ...reviewed.flatMap(({ name, findings: found, childRunId, conclusion }) =>
            name === null
              ? []
              : [
                  {
                    name,
                    status: found === null ? 'failed' : found.length > 0 ? 'findings' : 'passed',
                    findings: found?.length ?? 0,
                    child_run_id: childRunId,
                    conclusion,
                  },
                ],
          ),
        ],
        notes,
        // Identifies the review, so that a later one of the same files replaces it.
        reviewed: {
          files: args.files.toSorted(),
          check_filter: args.check_filter.toSorted(),
          checks_only: args.checks_only,
        },
        ...(whole === undefined ? {} : { child_run_id: whole.childRunId, conclusion: whole.conclusion }),
      }),
    };
  },
});

/** A reviewer to start: for one described check, or for the whole change. */
interface Asked {
  readonly name: string | null;
  readonly request: ChildRequest;
}

/**
 * Starts all reviewers; the run's profile limits how many run at once. A failure affects one only.
 */
async function askAll(asked: readonly Asked[], context: ToolContext): Promise<Reviewed[]> {
  const settled = await Promise.allSettled(asked.map((one) => ask(one, context)));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function ask({ name, request }: Asked, context: ToolContext): Promise<Reviewed> {
  try {
    const { entries, childRunId, conclusion, answer } = await context.runChild(request);
    // The reviewer's newest list counts.
    const reported = entries.findLast((entry) => entry.type === 'findings')?.findings ?? null;
    const findings =
      reported?.map((finding) => (name === null ? finding : { ...finding, check: name })) ?? null;
    return { name, findings, childRunId, conclusion, answer };
  } catch (error) {
    if (!(error instanceof ToolError) || name === null) throw error;
    return { name, findings: null, childRunId: null, conclusion: error.kind, answer: error.message };
  }
}

/** Removes duplicate findings of several reviewers; the first is kept. */
function unique(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ path, side, line, title }: Finding) =>
    JSON.stringify([path, side, line, title.toLowerCase()]);
  const keys = findings.map(keyOf);
  return findings.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
