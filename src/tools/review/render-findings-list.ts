import type { CheckResult } from '../../contract/checks.ts';
import type { Finding } from '../../contract/findings.ts';

/** The result of one reviewer. */
export interface ReviewerResult {
  /** The described check; null for the change as a whole. */
  readonly name: string | null;
  /** Null for a reviewer that never reported: nothing is known about the change. */
  readonly findings: readonly Finding[] | null;
  readonly childRunId: string | null;
  readonly conclusion: string;
  readonly answer: string;
}

/** Renders a review for the model. */
export function renderReview(review: {
  readonly findings: readonly Finding[];
  readonly alone: CheckResult;
  readonly reviewed: readonly ReviewerResult[];
  readonly notes: readonly string[];
  readonly checksOnly: boolean;
}): string {
  const { findings, alone, reviewed, notes, checksOnly } = review;
  const whole = reviewed.find(({ name }) => name === null);
  return [
    summary(findings, whole),
    ...findings.map(rendered),
    ...checkLines(alone, reviewed),
    ...notes.map((note) => `[${note}]`),
    ...(findings.length === 0 ? [] : [followUp]),
    ...(whole === undefined || checksOnly || whole.answer === '' ? [] : ['', whole.answer]),
  ].join('\n');
}

const followUp =
  '[A finding counts as fixed once you change its lines; any other stands open in the report. The same review again replaces this one.]';

function summary(findings: readonly Finding[], whole: ReviewerResult | undefined): string {
  const ending =
    whole === undefined || whole.conclusion === 'success'
      ? ''
      : ` The review ended early (${whole.conclusion}).`;
  if (whole?.findings === null) {
    const others = findings.length === 0 ? '' : ` Of the checks: ${counted(findings.length)}`;
    return `The reviewer reported no findings.${ending}${others}`;
  }
  if (findings.length === 0)
    return `The ${whole === undefined ? 'checks' : 'review'} found nothing.${ending}`;
  return `${counted(findings.length)}${ending}`;
}

const counted = (count: number): string => `${count} finding${count === 1 ? '' : 's'}.`;

function rendered({ path, line, severity, title, body, suggestion, check }: Finding): string {
  const by = check === undefined ? '' : ` (${check})`;
  const suggested = suggestion === undefined ? '' : `\n  Suggested:\n${suggestion}`;
  return `- ${path}:${line} [${severity}] ${title}: ${body}${by}${suggested}`;
}

/** Lists the checks that ran, and those without a result. */
function checkLines({ ran }: CheckResult, reviewed: readonly ReviewerResult[]): string[] {
  const described = reviewed.filter(({ name }) => name !== null);
  const looked = [...ran, ...described.flatMap(({ name, findings }) => (findings === null ? [] : [name]))];
  const failed = described.filter(({ findings }) => findings === null);
  return [
    ...(looked.length === 0 ? [] : [`Checks that ran: ${looked.join(', ')}.`]),
    ...failed.map(({ name, conclusion, answer }) =>
      `Check without a result: ${name} (${conclusion}) ${answer}`.trimEnd(),
    ),
  ];
}
