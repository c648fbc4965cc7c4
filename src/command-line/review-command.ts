import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { configFiles, limitsOf, presetOf } from '../config/defaults.ts';
import { mergeConfig } from '../config/merge-config.ts';
import { parseRepositoryConfig } from '../config/parse-repository-config.ts';
import type { Config } from '../config/schema.ts';
import { type Finding, Severity, severityRank } from '../contract/findings.ts';
import { SandboxMode } from '../contract/levels.ts';
import type { Outcome } from '../contract/outcome.ts';
import { reviewSarif } from '../pipeline/publish/review-sarif.ts';
import { splitPatch } from '../reporting/diff/git-patch.ts';
import { createHunkMap } from '../reporting/diff/hunk-map.ts';
import { reportableFindings, reviewedPaths } from '../reporting/findings/reportable-findings.ts';
import { renderReviewRequest } from '../reporting/findings/review-notes.ts';
import {
  renderReviewMarkdown,
  renderReviewText,
  worstFirst,
} from '../reporting/review/render-review-file.ts';
import { localPlan } from '../run/policy/local-plan.ts';
import { newRunId, type RunInput } from '../run/records/run-context.ts';
import { type LocalRange, localRange, writeTree } from '../workspace/changes/local-range.ts';
import { readFileAt } from '../workspace/git/files-at.ts';
import { headlinesBetween } from '../workspace/git/review-history.ts';
import { diffTrees } from '../workspace/git/tree-diff.ts';
import { trustedTreeAt } from '../workspace/git/trusted-tree.ts';
import { findCheckout } from './find-checkout.ts';
import { localConfig, userSkillsFolder } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { oneOf, parseArguments, refuseWords, usageError, wholeNumber } from './parse-arguments.ts';
import { runLocally } from './run-locally.ts';
import { unwritable } from './user-files.ts';
import { eventWriter } from './write-output.ts';

const options = {
  base: { type: 'string' },
  head: { type: 'string' },
  'checks-only': { type: 'boolean' },
  format: { type: 'string' },
  threshold: { type: 'string' },
  output: { type: 'string' },
  cwd: { type: 'string' },
  config: { type: 'string' },
  model: { type: 'string' },
  sandbox: { type: 'string' },
  'max-turns': { type: 'string' },
} as const;

const formats = ['text', 'json', 'sarif', 'markdown'] as const;
/** Default threshold: notes and warnings of linters alone fail nothing. */
const standardThreshold: Severity = 'medium';

/**
 * Runs `anode review`: reviews a local change by checks and a model, or by checks alone. Returns
 * the exit code.
 */
export async function reviewCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const chosen = readOptions(args);
  const { root } = await findCheckout('review', chosen.cwd);
  const temporary = await realpath(await mkdtemp(path.join(os.tmpdir(), 'anode-review-')));
  try {
    const range = await localRange(root, path.join(temporary, 'review.git'), chosen);
    if ('problem' in range) throw usageError('review', range.problem);
    const config = mergeConfig(
      await localConfig(chosen.config, context.environment),
      await reviewConfigAt(range),
    );
    const { patch: diff } = await diffTrees(range.git, range.from, range.to);
    const tree = range.checkedOut ? root : path.join(temporary, 'tree');
    if (!range.checkedOut) await writeTree(range.git, range.to, tree);
    const request = { ...(await reviewOf(range, diff, config)), ...settingsOf(chosen, config), root: tree };
    const { outcome } = await runLocally(
      { ...request, plan: localPlan(request) },
      {
        userSkills: userSkillsFolder(context.environment),
        config,
        store: null,
        environment: context.environment,
        listen: eventWriter('text', context.writeError),
        signal: context.signal,
      },
    );
    const findings = reportableFindings(outcome.findings, config.review ?? {}, createHunkMap(diff));
    const threshold = chosen.threshold ?? config.review?.minSeverity ?? standardThreshold;
    const report = await render(chosen.format, { outcome, findings, range, diff, config, threshold });
    await printReport(report, chosen.output, context);
    const { diagnostics, unreported } = outcome;
    const lost = `The model reported nothing with ${unreported}: what it found, if anything, stands in its words alone.`;
    for (const note of [...(unreported === undefined ? [] : [lost]), ...diagnostics])
      context.writeError(`! ${logLine(note)}\n`);
    return exitCodeOf(outcome, findings, threshold);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments('review', args, options);
  refuseWords('review', positionals);
  const text = (name: keyof typeof options) => (typeof values[name] === 'string' ? values[name] : undefined);
  const format = oneOf(['review', 'format'], values.format, formats, 'text');
  const sandbox = oneOf(['review', 'sandbox'], values.sandbox, SandboxMode.options, 'preferred');
  const threshold = oneOf(['review', 'threshold'], values.threshold, [...Severity.options, 'none'], 'none');
  const maxTurns = wholeNumber('review', 'max-turns', values['max-turns']);
  const base = text('base');
  if (base === undefined)
    throw usageError('review', '--base is missing: the branch or commit to compare with.');
  return {
    base,
    format,
    maxTurns,
    head: text('head') ?? null,
    config: text('config'),
    model: text('model') ?? null,
    output: text('output'),
    cwd: values.cwd,
    checksOnly: values['checks-only'] === true,
    sandbox: values.sandbox === undefined ? undefined : sandbox,
    threshold: values.threshold === undefined ? undefined : threshold,
  };
}

/** The parts of a run that follow from options and configuration. */
function settingsOf(chosen: ReturnType<typeof readOptions>, config: Config) {
  const { maxTurns, model } = chosen;
  const limits = limitsOf(config);
  return {
    runId: newRunId('run'),
    sessionId: newRunId('sess'),
    checksOnly: chosen.checksOnly || config.review?.checksOnly === true,
    threadContext: '',
    profile: 'review',
    preset: presetOf(config),
    readOnly: true,
    sandbox: chosen.sandbox ?? config.sandbox ?? 'preferred',
    model,
    limits: maxTurns === null ? limits : { ...limits, max_turns: maxTurns },
    canAsk: false,
    resume: null,
    secrets: [],
  } satisfies Partial<RunInput>;
}

/** The parts of a run that follow from the change. */
async function reviewOf(range: LocalRange, diff: string, config: Config) {
  const isReviewed = reviewedPaths(config.review ?? {});
  const shown = splitPatch(diff).filter(({ newPath, oldPath }) => isReviewed(newPath ?? oldPath ?? ''));
  return {
    task: renderReviewRequest('Review this change.', {
      settings: config.review ?? {},
      paths: shown.map(({ newPath, oldPath }) => newPath ?? oldPath ?? ''),
      commits: await headlinesBetween(range.git, range.from, range.sha ?? 'HEAD'),
      ...{ since: null, overview: null, omitted: [], suppressed: [], requested: [] },
    }),
    reviewDiff: shown.map((section) => section.text).join(''),
    range,
    // Only the base controls the review, also for a change by others.
    trustedTree: trustedTreeAt(range.git, range.base),
  } satisfies Partial<RunInput>;
}

async function printReport(report: string, file: string | undefined, context: CommandContext): Promise<void> {
  if (file === undefined) return context.write(report);
  await writeFile(path.resolve(file), report).catch((cause: unknown) => {
    // The report was paid for, so it is printed if the file cannot be written.
    context.write(report);
    throw unwritable(file, cause);
  });
}

/** Reads only the review settings of the base: a clone must not control this machine. */
async function reviewConfigAt({ git, base }: LocalRange): Promise<Config> {
  for (const name of configFiles) {
    const text = await readFileAt(git, base, name);
    if (text === null) continue;
    const { review } = parseRepositoryConfig(text, name, 'cli');
    return review === undefined ? {} : { review };
  }
  return {};
}

interface Reviewed {
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  readonly range: LocalRange;
  readonly diff: string;
  readonly config: Config;
  readonly threshold: Severity | 'none';
}

async function render(format: (typeof formats)[number], reviewed: Reviewed): Promise<string> {
  const { outcome, findings, range, diff, config, threshold } = reviewed;
  switch (format) {
    case 'text':
      return renderReviewText(findings, answerOf(outcome));
    case 'markdown':
      return renderReviewMarkdown(findings, answerOf(outcome));
    case 'json': {
      const { conclusion, answer, run_id, diagnostics } = outcome;
      const object = {
        conclusion,
        answer,
        run_id,
        threshold,
        findings: worstFirst(findings),
        notes: diagnostics,
      };
      return `${JSON.stringify(object, null, 2)}\n`;
    }
    case 'sarif': {
      const change = { diff, git: range.git, to: range.to, config };
      const about = { sha: range.sha, repository: null, forUpload: false };
      return `${JSON.stringify(await reviewSarif(outcome, change, about), null, 2)}\n`;
    }
  }
}

/**
 * Returns the model's answer; '' if only checks ran, which have nothing to add to their findings.
 */
const answerOf = ({ turns, answer }: Outcome): string => (turns === 0 ? '' : answer);

function exitCodeOf(
  { conclusion, unreported }: Outcome,
  findings: readonly Finding[],
  threshold: Severity | 'none',
): number {
  const least = threshold === 'none' ? Number.POSITIVE_INFINITY : severityRank(threshold);
  if (findings.some(({ severity }) => severityRank(severity) >= least)) return 1;
  return conclusion === 'success' && unreported === undefined ? 0 : 3;
}
