import * as z from 'zod';
import { CheckName, type CheckResult } from '../../contract/checks.ts';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Finding } from '../../contract/findings.ts';
import { nameMatcher } from '../../permissions/patterns/match-globs.ts';
import { flag, stringList, unlessNull } from '../input/lenient.ts';
import type { ChildRequest } from '../services/children.ts';
import type { ReviewCheck } from '../services/run-services.ts';
import { defineTool, type ToolContext, toJson } from '../tool.ts';
import { type ReviewerResult, renderReview } from './render-findings-list.ts';

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
 * Reviews a change by checks without a model and by read-only children: one for the whole change,
 * and one for each check of the base branch. Their findings become the review.
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
    const reviewers = reviewersOf(args, change, { selected, found: alone.findings });
    const reviewed = await askAll(reviewers, context);
    const notes = [...problems, ...selected.notes, ...alone.notes];
    const findings = unique([...alone.findings, ...reviewed.flatMap((one) => one.findings ?? [])]);
    const [whole] = reviewed.filter(({ name }) => name === null);
    return {
      content: renderReview({ findings, alone, reviewed, notes, checksOnly: args.checks_only }),
      data: toJson({
        findings,
        checks: [...alone.ran.map((name) => checkAlone(name, alone)), ...reviewed.flatMap(checkByAgent)],
        notes,
        // Identifies the review, so that a later one of the same files replaces it.
        reviewed: {
          files: args.files.toSorted(),
          check_filter: args.check_filter.toSorted(),
          checks_only: args.checks_only,
        },
        child_run_id: whole?.childRunId,
        conclusion: whole?.conclusion,
      }),
    };
  },
});

function checkAlone(name: string, { findings }: CheckResult) {
  const count = findings.filter(({ check }) => check === name).length;
  return { name, status: count > 0 ? 'findings' : 'passed', findings: count };
}

function checkByAgent({ name, findings, childRunId: child_run_id, conclusion }: ReviewerResult) {
  if (name === null) return [];
  if (findings === null) return [{ name, status: 'failed', findings: 0, child_run_id, conclusion }];
  const status = findings.length > 0 ? 'findings' : 'passed';
  return [{ name, status, findings: findings.length, child_run_id, conclusion }];
}

/** Lists the reviewers to start: one for the whole change, and one for each described check. */
function reviewersOf(
  args: z.output<typeof input>,
  change: ReviewedChange,
  { selected, found }: { readonly selected: SelectedChecks; readonly found: readonly Finding[] },
): Reviewer[] {
  const base = { profile: 'review', effort: efforts[args.thinking] };
  const reviewer: Reviewer = {
    name: null,
    request: { ...base, title: 'Code review', prompt: reviewPrompt(change, found) },
  };
  const described = selected.described.map(
    (check): Reviewer => ({
      name: check.name,
      request: {
        ...base,
        title: `Check: ${check.name}`,
        prompt: checkPrompt(change, check),
        toolsAllowed: check.tools ?? undefined,
      },
    }),
  );
  return args.checks_only ? described : [reviewer, ...described];
}

/** A reviewer to start: for one described check, or for the whole change. */
interface Reviewer {
  readonly name: string | null;
  readonly request: ChildRequest;
}

/**
 * Starts all reviewers; the run's profile limits how many run at once. A failure affects one only.
 */
async function askAll(reviewers: readonly Reviewer[], context: ToolContext): Promise<ReviewerResult[]> {
  const results = await Promise.allSettled(reviewers.map((one) => ask(one, context)));
  const failed = results.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function ask({ name, request }: Reviewer, context: ToolContext): Promise<ReviewerResult> {
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

/** Removes duplicate findings of several reviewers; the first remains. */
function unique(findings: readonly Finding[]): Finding[] {
  const keyOf = ({ path, side, line, title }: Finding) =>
    JSON.stringify([path, side, line, title.toLowerCase()]);
  const keys = findings.map(keyOf);
  return findings.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

/** The facts that all reviewers of a change are given. */
interface ReviewedChange {
  readonly description: string;
  readonly files: readonly string[];
  readonly instructions: string | null;
  /** `changes-only`, `all`, or free text; null for none. */
  readonly scope: string | null;
}

/** Maximum findings listed for a reviewer; of the others it gets the number. */
const mostListed = 50;

/** Builds the prompt for the reviewer of the whole change. `found`: findings without a model. */
export function reviewPrompt(change: ReviewedChange, found: readonly Finding[]): string {
  return [...about(change), ...alreadyFound(found), ending].join('\n\n');
}

/** Builds the prompt for the reviewer of one check. */
export function checkPrompt(change: ReviewedChange, check: ReviewCheck): string {
  const severity =
    check.severity === null
      ? ''
      : `\n\nSeverity of what you find, unless it clearly differs: ${check.severity}.`;
  return [
    `Carry out one check on a change, and report nothing else.\n\n# Check: ${check.name}\n${check.instructions}${severity}`,
    ...about(change),
    ending,
  ].join('\n\n');
}

const ending = 'State what you find with report_findings, then answer with a short summary.';

function about({ description, files, scope, instructions }: ReviewedChange): string[] {
  return [
    `The change:\n${description}`,
    ...(files.length === 0 ? [] : [`Files to look at first: ${files.join(', ')}`]),
    ...(scope === null ? [] : [scopeText(scope)]),
    ...(instructions === null ? [] : [instructions]),
  ];
}

function scopeText(scope: string): string {
  if (/^changes?[-_ ]only$/i.test(scope)) return 'Report only what the change itself brings in.';
  if (/^all$/i.test(scope))
    return 'Review the changed files as a whole, and the code that depends on them: also report earlier defects, and mark them as earlier.';
  return `Scope: ${scope}`;
}

function alreadyFound(found: readonly Finding[]): string[] {
  if (found.length === 0) return [];
  const lines = found
    .slice(0, mostListed)
    .map(({ path, line, title }) => `- ${JSON.stringify(path)}:${line} ${title.replaceAll(/\s+/g, ' ')}`);
  const more = found.length > mostListed ? [`- and ${found.length - mostListed} more`] : [];
  return [`Found already, do not report it again:\n${[...lines, ...more].join('\n')}`];
}

/** Maximum described checks at once: each is a child run. */
const mostChecks = 20;

/** The requested checks. */
interface SelectedChecks {
  /** Returns true for the name of a requested check without a model. */
  readonly wants: (name: string) => boolean;
  readonly described: readonly ReviewCheck[];
  readonly notes: readonly string[];
}

/**
 * Selects checks by name or glob; an empty filter means all. Throws `ToolError` with the known
 * names if nothing matches.
 */
export function selectChecks(filter: readonly string[], described: readonly ReviewCheck[]): SelectedChecks {
  const known = [...CheckName.options, ...described.map(({ name }) => name)];
  const fits = (pattern: string, name: string) => nameMatcher([pattern.toLowerCase()])(name.toLowerCase());
  const unknown = filter.find((pattern) => !known.some((name) => fits(pattern, name)));
  if (unknown !== undefined)
    throw invalidInput(`There is no check "${unknown}". Checks: ${known.join(', ')}.`);
  const wants = (name: string) => filter.length === 0 || filter.some((pattern) => fits(pattern, name));
  const wanted = described.filter(({ name }) => wants(name));
  const left = wanted.slice(mostChecks).map(({ name }) => name);
  return {
    wants,
    described: wanted.slice(0, mostChecks),
    notes:
      left.length === 0 ? [] : [`Not run, because at most ${mostChecks} run at once: ${left.join(', ')}.`],
  };
}

/** Returns the requested results of the checks without a model. */
export function wantedOnly(result: CheckResult, wants: (name: string) => boolean): CheckResult {
  return {
    ...result,
    ran: result.ran.filter((name) => wants(name) && result.idle?.includes(name) !== true),
    findings: result.findings.filter(({ check }) => check === undefined || wants(check)),
  };
}
