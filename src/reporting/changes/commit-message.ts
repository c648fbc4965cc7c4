import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { workOf } from '../../contract/work-of.ts';
import { oneLine } from '../text/markdown.ts';
import { publicBehind, publicLine } from '../text/public-text.ts';
import { commitBody } from './commit-body.ts';
import { type CommitStyle, plainStyle } from './commit-style.ts';
import { styleHeadline, withoutTag } from './headline.ts';

/** A commit's message as `createCommitOnBranch` takes it. */
export interface CommitMessage {
  readonly headline: string;
  readonly body: string;
}

/** The wording of a run's commit. */
export interface MessageSettings {
  readonly style: CommitStyle;
  /** True to name the requester as co-author. */
  readonly coAuthor: boolean;
}

const plainSettings: MessageSettings = { style: plainStyle, coAuthor: true };

/**
 * Builds the message of the run's commit, in the repository's style. The headline comes from the
 * answer, else from the task or the issue's title. The body has the reason, the
 * co-author and the trailer that finds the commit again. See GitHub Docs, "Creating a commit with
 * multiple authors".
 */
export function commitMessage(
  outcome: Outcome,
  plan: RunPlan,
  { style, coAuthor }: MessageSettings = plainSettings,
): CommitMessage {
  const trailers = trailersOf(plan, coAuthor);
  const headline = headlineOf(outcome, plan, style);
  const reason = publicBehind(
    `${headline}\n\n`,
    commitBody(withoutHeadline(outcome.answer, style), headline),
  );
  return { headline, body: [...(reason === '' ? [] : [reason]), trailers.join('\n')].join('\n\n') };
}

/**
 * Returns the last lines of a commit message: the co-author, if wanted, and the run. Whoever starts
 * a workflow is no author.
 */
export function trailersOf(
  { requester, run_id, workflow }: Pick<RunPlan, 'requester' | 'run_id' | 'workflow'>,
  coAuthor: boolean,
): string[] {
  const { login, id, type } = requester;
  const named =
    coAuthor && type === 'User' && workflow === undefined
      ? [`Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`]
      : [];
  return [...named, runTrailer(run_id)];
}

/** The line that names the run in a commit's message. */
export function runTrailer(runId: string): string {
  return `Anode-Run: ${runId}`;
}

/** The facts that a headline is made from. */
export interface DescribedWork {
  readonly answer: string;
  readonly changes: { readonly files: readonly { readonly path: string }[] };
}

/** Returns one line of at most 72 characters for commits and pull requests, in a style. */
export function headlineOf(
  outcome: DescribedWork,
  plan: Pick<RunPlan, 'verb' | 'work' | 'prompt' | 'thread' | 'push'>,
  style: CommitStyle = plainStyle,
): string {
  const prompt = plan.verb === 'task' || plan.verb === 'step' ? plan.prompt : '';
  // The names of images in it have a meaning only in the run.
  const task = prompt.replaceAll(/[ \t]*\[image-\d+, attached\]/g, '');
  const title = plan.thread?.title ?? '';
  const stated = statedHeadline(outcome.answer, style) ?? '';
  const bare = withoutTag(title);
  const rest = workOf(plan) === 'implement' ? [bare, outcome.answer] : [task, outcome.answer, bare];
  const candidates = [stated, ...rest];
  const lines = candidates.map((text) => plainText(text.trim().split('\n')[0] ?? ''));
  // A single word ("yes", "2") is an answer or an order, not a description.
  const line = lines.find((text) => text.includes(' ')) ?? 'Apply the changes of a run';
  const branch = plan.push.kind === 'none' ? '' : plan.push.branch;
  const work = {
    text: publicLine(line),
    files: outcome.changes.files.map(({ path }) => path),
    implements: workOf(plan) === 'implement',
    sources: [title, branch, task],
  };
  return styleHeadline(work, style);
}

/** An answer without the headline it begins with. */
export function withoutHeadline(answer: string, style: CommitStyle = plainStyle): string {
  const text = answer.trim();
  return statedHeadline(text, style) === null ? text : text.slice(text.indexOf('\n')).trim();
}

/** The prefixes that histories begin a headline with: `[Tests] `, `KEY-1: `, `fix(cli): `. */
const prefixes =
  /^(?:\[[^\][]{1,40}\]:? +|[A-Z][A-Z0-9]{1,14}-\d+(?::| -)? +|`?[\w.*@/{},-]{1,60}`?(?:\([^()]{1,40}\))?!?: +)+/u;

/** The first words of an answer that is no headline. */
const opensAnswer =
  /^(?:(?:answer|changes?|conclusion|done|finished|fixed|note|ok(?:ay)?|results?|summary|yes|no):|(?:i|we|i['’]\w+|we['’]\w+|here|here['’]s)\s)/iu;

/**
 * Returns the first line of an answer if it reads like a headline that fits into the style's length
 * and a blank line follows; else null.
 */
function statedHeadline(answer: string, { length, stop }: CommitStyle): string | null {
  const [line = '', next = '', ...rest] = answer.trim().split('\n');
  const text = plainText(line);
  if (text.length > length || next.trim() !== '' || rest.length === 0) return null;
  if (opensAnswer.test(text)) return null;
  const words = text.replace(prefixes, '').replaceAll(/`[^`]*`/gu, '``');
  const clause = stop ? words.replace(/(?<!\.)\.$/u, '') : words;
  return clause.includes(' ') && !/[.!?](?: |$)|:$/u.test(clause) ? text : null;
}

/** Code, which stays as it is, or a pair of marks around words: `**words**`. */
const codeOrStrong =
  /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(?<![\p{L}\p{N}_*/])(\*\*|__)(?=[\p{L}\p{N}`"'(])((?:`[^`]*`|[^`])*?[^\s`]|(?:`[^`]*`|[^`])*?`[^`]*`)\2(?![\p{L}\p{N}_*/])/gu;

/** Characters of a line that can become a headline. */
const readCharacters = 500;

/**
 * Removes Markdown's marks at the start of a line and in pairs around words; returns one line. A
 * name such as `__Host-` or `__init__` keeps its underscores.
 */
function plainText(text: string): string {
  const bare = text.slice(0, readCharacters).replace(/^\s*(?:#{1,6}\s+|[-*+>]\s+|\d+\.\s+)/u, '');
  return oneLine(
    bare.replace(codeOrStrong, (all: string, _ticks, mark?: string, words?: string) =>
      words === undefined || (mark === '__' && /^\w+$/u.test(words)) ? all : words,
    ),
  );
}
