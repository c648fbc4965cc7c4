import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Octokit } from '@octokit/rest';
import { type CheckName, checkRules } from '../../contract/checks.ts';
import type { Finding, ToldFinding } from '../../contract/findings.ts';
import { normaliseWords } from '../../contract/normalise-words.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { fingerprintFinding } from '../findings/fingerprint.ts';
import type { LineSource } from '../findings/line-context.ts';
import { openFindings } from '../review/fold-findings.ts';

/** The content of a SARIF file besides the findings. */
interface SarifContext {
  /** The lines of findings, for their fingerprints. */
  readonly source: LineSource;
  /** The reviewed commit; null for a work tree. */
  readonly sha: string | null;
  /** The repository's address for people; null where it has none. */
  readonly repository: string | null;
  /** False where a model that was to look did not come to its end. */
  readonly complete: boolean;
  /**
   * True for a file that is uploaded directly. Code scanning matches results by a hash that the
   * `upload-sarif` action computes itself. See GitHub Docs, "SARIF support for code scanning",
   * "Providing data to track alerts".
   */
  readonly forUpload: boolean;
  /** Ids of findings that were reported before, or that comments carry. Default: none. */
  readonly ids?: ReadonlyMap<Finding, string>;
  /** Why a finding is dismissed. Default: none is. */
  readonly dismissed?: ReadonlyMap<Finding, string>;
}

const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const;
/**
 * Over 9.0 is critical, from 7.0 high, from 4.0 medium. See GitHub Docs, "SARIF support for code
 * scanning".
 */
const scores = { critical: '9.5', high: '8.0', medium: '5.0', low: '2.0', info: '1.0' } as const;

/**
 * Renders a SARIF 2.1.0 log (OASIS) with one run: a rule per check and category, a result per
 * finding.
 */
export function renderSarif(findings: readonly Finding[], context: SarifContext) {
  const ruleIds = [...new Set(findings.map(ruleIdOf))].toSorted();
  const seen = new Map<string, number>();
  const results = findings.map((finding) => {
    const fingerprint = context.ids?.get(finding) ?? fingerprintFinding(finding, context.source);
    const before = seen.get(fingerprint) ?? 0;
    seen.set(fingerprint, before + 1);
    const result = resultOf(finding, `${fingerprint}:${before + 1}`, ruleIds, context.forUpload);
    const justification = context.dismissed?.get(finding);
    if (justification === undefined) return result;
    return { ...result, suppressions: [{ kind: 'external', status: 'accepted', justification }] };
  });
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0' as const,
    runs: [
      {
        tool: { driver: { name: 'Anode CI', rules: ruleIds.map((id) => ruleOf(id, findings)) } },
        automationDetails: { id: 'anode-ci/review/' },
        columnKind: 'utf16CodeUnits' as const,
        invocations: [{ executionSuccessful: context.complete }],
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the checkout.' } } },
        versionControlProvenance:
          context.repository === null || context.sha === null
            ? undefined
            : [{ repositoryUri: context.repository, revisionId: context.sha }],
        results,
      },
    ],
  };
}

/**
 * Renders all findings of a reviewed pull request, carried ones included. Code scanning closes what
 * an upload omits, so dismissed ones are only in a file, as suppressed.
 */
export function toldSarif(
  told: readonly ToldFinding[],
  { repository, checkout }: Pick<RunPlan, 'repository' | 'checkout'>,
  { complete, forUpload }: Pick<SarifContext, 'complete' | 'forUpload'>,
) {
  const dismissed = forUpload ? [] : told.filter(({ state }) => state === 'dismissed');
  const all = [...openFindings(told), ...dismissed];
  return renderSarif(
    all.map(({ finding }) => finding),
    {
      // Each has an id, so no line is looked up.
      source: { lines: () => null },
      sha: checkout.sha,
      repository: repository.clone_url.replace(/\.git$/, ''),
      ...{ complete, forUpload },
      ids: new Map(all.map(({ id, finding }) => [finding, id])),
      dismissed: new Map(
        dismissed.map(({ finding, by }) => [finding, `Dismissed by ${by ?? 'a user'} on the pull request.`]),
      ),
    },
  );
}

/** `check/secrets`, or `review/bug` for what a model found, by its category. */
function ruleIdOf({ check, category }: Finding): string {
  const name = isCheck(check)
    ? `check/${check}`
    : `review/${normaliseWords(category).replaceAll(' ', '-') || 'other'}`;
  return name.slice(0, 200);
}

function isCheck(name: string | undefined): name is CheckName {
  return name !== undefined && Object.hasOwn(checkRules, name);
}

function ruleOf(id: string, findings: readonly Finding[]) {
  const own = findings.filter((finding) => ruleIdOf(finding) === id);
  const check = own[0]?.check;
  const { title, help } = isCheck(check)
    ? checkRules[check]
    : {
        title: `Review: ${id.replace('review/', '').replaceAll('-', ' ')}`,
        help: 'A reviewing model says this, and it may be wrong. Read the code it is about; dismiss what does not hold.',
      };
  const worst =
    (['critical', 'high', 'medium', 'low'] as const).find((severity) =>
      own.some((finding) => finding.severity === severity),
    ) ?? 'info';
  const security = own.some(({ category }) => normaliseWords(category) === 'security');
  return {
    id,
    name: id.split(/[/-]/).map(capitalised).join(''),
    shortDescription: { text: title },
    fullDescription: { text: title },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: levels[worst] },
    properties: {
      tags: [...(security ? ['security'] : []), isCheck(check) ? 'check' : 'review'],
      precision: isCheck(check) ? 'high' : 'medium',
      'security-severity': security ? scores[worst] : undefined,
    },
  };
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function resultOf(finding: Finding, fingerprint: string, ruleIds: readonly string[], forUpload: boolean) {
  const { path, side, line, start_line, severity, title, body, suggestion } = finding;
  const ruleId = ruleIdOf(finding);
  const uri = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const artifactLocation = { uri, uriBaseId: 'SRCROOT' };
  const region = {
    startLine: Math.min(start_line ?? line, line),
    endLine: Math.max(start_line ?? line, line),
  };
  // A deleted line is in no file, so its findings are reported on the file.
  const deleted = side === 'LEFT' ? ` (of line ${line} before the change)` : '';
  return {
    ruleId,
    ruleIndex: ruleIds.indexOf(ruleId),
    level: levels[severity],
    message: { text: `${title}${deleted}\n\n${body}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
          region: side === 'LEFT' ? { startLine: 1, endLine: 1 } : region,
        },
      },
    ],
    partialFingerprints: forUpload
      ? { 'anodeFinding/v1': fingerprint, primaryLocationLineHash: fingerprint }
      : { 'anodeFinding/v1': fingerprint },
    properties: { severity },
    ...(suggestion === undefined || side === 'LEFT'
      ? {}
      : {
          fixes: [
            {
              description: { text: 'What the reviewer suggests for these lines.' },
              artifactChanges: [
                {
                  artifactLocation,
                  replacements: [
                    {
                      deletedRegion: { ...region, endLine: region.endLine + 1, startColumn: 1, endColumn: 1 },
                      insertedContent: { text: suggestion.endsWith('\n') ? suggestion : `${suggestion}\n` },
                    },
                  ],
                },
              ],
            },
          ],
        }),
  };
}

/**
 * Uploads a SARIF file to code scanning, for the run's commit and ref. It replaces an earlier file
 * for the same commit. Throws Octokit's errors: 403 if code scanning is off or the token may not
 * write.
 */
export async function uploadSarif(
  log: object,
  plan: Pick<RunPlan, 'repository' | 'checkout' | 'triggered_at'>,
  octokit: Octokit,
): Promise<{ readonly id: string | null }> {
  const compressed = await promisify(gzip)(JSON.stringify(log));
  const { data } = await octokit.rest.codeScanning.uploadSarif({
    ...repoOf(plan),
    commit_sha: plan.checkout.sha,
    ref: plan.checkout.ref,
    sarif: compressed.toString('base64'),
    started_at: plan.triggered_at,
    tool_name: 'Anode CI',
  });
  return { id: data.id ?? null };
}
