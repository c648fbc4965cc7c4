import { defaultMention } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { Approval } from '../../contract/decision.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { describePermission } from '../../permissions/policy/describe-permission.ts';
import { spellOutInvisible } from '../../untrusted-text/invisible.ts';
import { codeBlock, codeSpan, countOf, cutList, cutText, foldedSection, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** Longer lines are scrolled to the side on the page, where their end is easily missed. */
const longLine = 160;
const mostParts = 40;
const mostFiles = 30;

/**
 * Renders a request to approve a call, or permissions for the session: exactly what would happen,
 * with nothing invisible or cut. A call too long for that is never requested.
 */
export function renderApproval(approval: Approval, outcome: Outcome, plan: RunPlan, config: Config): string {
  const mention = config.triggers?.mention ?? defaultMention;
  const request =
    approval.permissions === undefined
      ? renderCall(approval)
      : renderPermissions(approval.permissions, approval.reason);
  return [
    '**Approval needed before this can go on**',
    ...request,
    changesSoFar(outcome),
    how(approval, plan, mention),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function renderCall(approval: Approval): string[] {
  const { tool, reason, commands = [], parts = [], paths = [], urls = [], input, diff } = approval;
  const list = cutList(parts, mostParts, (part) => `- ${codeSpan(spellOutInvisible(part))}`);
  const written = paths.filter(({ access }) => access === 'write');
  return [
    `The agent wants to call ${codeSpan(tool)}:`,
    ...commands.map((command) => exactBlock(command, 'sh')),
    parts.length > 1 ? `These are ${countOf(parts.length, 'part')}:\n\n${list}` : '',
    diff === undefined ? '' : exactBlock(diff, 'diff'),
    input === undefined
      ? ''
      : `${commands.length > 0 ? 'Called with' : 'Its arguments'}:\n\n${exactBlock(input, 'json')}`,
    written.length === 0 ? '' : `Files written: ${listOf(written.map(({ path }) => path))}`,
    urls.length === 0 ? '' : `Addresses: ${listOf(urls)}`,
    `Why it asks: ${inline(reason)}`,
  ];
}

function renderPermissions(permissions: NonNullable<Approval['permissions']>, reason: string): string[] {
  const rules = permissions.map((rule) => `- ${codeSpan(spellOutInvisible(describePermission(rule)))}`);
  return [
    'The agent asks for permissions. Until its session ends, these calls would be made without asking again:',
    rules.join('\n'),
    `As rules:\n\n${exactBlock(JSON.stringify(permissions, null, 2), 'json')}`,
    `Why, in its own words: ${inline(reason)}`,
    'What is refused outright (by a rule, for protected files and credentials, outside the workspace) stays refused.',
  ];
}

/** Displays the run's changes so far: a script may be one that the run wrote itself. */
function changesSoFar({ changes }: Outcome): string {
  const { files, patch } = changes;
  if (files.length === 0) return '';
  const names = files.slice(0, mostFiles).map(({ path }) => path);
  const rest = files.length - names.length;
  const list = `${listOf(names)}${rest > 0 ? ` and ${rest} more` : ''}`;
  const budget = 12_000;
  const block = spellOutInvisible(patch).length > budget ? '' : exactBlock(patch, 'diff');
  const inside = block === '' ? `${list}\n\nThe patch is too long to be shown here.` : block;
  return [
    `What the run has changed so far, unpublished: ${list}`,
    foldedSection('The patch so far', inside),
  ].join('\n\n');
}

function how({ hash, permissions }: Approval, plan: RunPlan, mention: string): string {
  const what = permissions === undefined ? 'this one call, once' : 'this session';
  return [
    `Approve: ${codeSpan(`/${mention} approve ${hash}`)}`,
    `Deny: ${codeSpan(`/${mention} deny ${hash} [reason]`)}`,
    `<sub>As a comment of its own, by a person with write permission to this repository. It holds for ${what}, on commit ${codeSpan(plan.checkout.sha.slice(0, 12))}, and lapses when the branch moves.</sub>`,
  ].join('\n\n');
}

/**
 * Renders a text in a block that it cannot leave. Spells out invisible characters and names long
 * lines.
 */
function exactBlock(text: string, info: string): string {
  const visible = spellOutInvisible(text);
  const long = visible.split('\n').flatMap((line, index) => (line.length > longLine ? [index + 1] : []));
  const note = long.length === 0 ? '' : `\n\n(${longLines(long)}: scroll to the end.)`;
  return `${codeBlock(visible, info)}${note}`;
}

function longLines(numbers: readonly number[]): string {
  const [first] = numbers;
  return numbers.length === 1
    ? `Line ${first} is long`
    : `${numbers.length} lines are long, the first is ${first}`;
}

const listOf = (names: readonly string[]): string =>
  names.map((name) => codeSpan(spellOutInvisible(name).replaceAll('\n', '<U+000A>'))).join(', ');

/** A line of the model's that cannot fold or hide the text below it. */
const inline = (text: string): string =>
  publicCut(oneLine(spellOutInvisible(text)), 990, '…').replace(/<(?=[a-z/!?])/gi, '&lt;');

/** Renders the session's approvals for the report: request, decision, grant; '' if none. */
export function renderDecided({ decided = [], grants = [] }: Outcome): string {
  if (decided.length === 0) return '';
  const lines = decided.map(({ hash, tool, what, verdict, by, note }) => {
    const call = codeSpan(cutText(oneLine(spellOutInvisible(`${tool} ${what}`)), 200, '…'));
    const rules = {
      approved: grants.some((grant) => grant.hash === hash)
        ? `granted by ${codeSpan(by)} for this session`
        : `approved by ${codeSpan(by)}`,
      denied: `denied by ${codeSpan(by)}`,
      lapsed: `approved by ${codeSpan(by)}, but not done`,
    }[verdict];
    const why = note === '' ? '' : `: ${inline(note)}`;
    return `- ${call} (${codeSpan(hash)}): ${rules}${why}`;
  });
  return foldedSection(countOf(decided.length, 'approval'), lines.join('\n'));
}
