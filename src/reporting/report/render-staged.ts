import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { type StagedWrite, withoutStagedIds } from '../../github/staged-writes.ts';
import { closedMarkdown, codeBlock, codeSpan, countOf, cutText, listed } from '../text/markdown.ts';
import { cutBytes } from './render-summary.ts';

/** Room for the writes in a summary of 1 MiB, besides the report. */
const maximumBytes = 500_000;
/** In characters; a patch may be as long as the changes. */
const maximumPatch = 200_000;
const maximumNames = 1_000;

/**
 * Renders what a staged run would have written to GitHub, in the order of the first write of each,
 * as Markdown for the job's summary.
 */
export function renderStaged(writes: readonly StagedWrite[]): string {
  const start =
    writes.length === 0
      ? 'This run was staged. It would have written nothing to GitHub.'
      : `This run was staged: nothing was written to GitHub. Without \`staged\` it would have made ${countOf(writes.length, 'write')}:`;
  const parts = writes.map((write) => {
    const { title, body } = write.kind === 'push' ? renderPush(write) : renderRequest(write);
    return body === '' ? `#### ${title}` : `#### ${title}\n\n${closedMarkdown(body)}`;
  });
  const text = withoutStagedIds(['## Staged', start, ...parts].join('\n\n'));
  return `${cutBytes(text, maximumBytes)}\n\n---\n\n`;
}

/** A write for people: a heading, and Markdown below it. */
interface Shown {
  readonly title: string;
  readonly body: string;
}

type Push = Extract<StagedWrite, { kind: 'push' }>;
type Request = Extract<StagedWrite, { kind: 'request' }>;

const renderPush = ({ branch, message, patch }: Push): Shown => ({
  title: `Commit on ${codeSpan(branch)}`,
  body: [codeBlock(message.trim()), codeBlock(cutText(patch, maximumPatch, '\n[cut]'), 'diff')].join('\n\n'),
});

/** Renders a request by its path; `number` is that of the thread in it. */
type Render = (body: JsonObject, number: string, path: string) => Shown;

const textIn = (body: JsonObject, name: string): string => {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const namesIn = (body: JsonObject, ...keys: readonly string[]): string =>
  listed(
    keys.flatMap((key) => {
      const value = body[key];
      return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
    }),
    maximumNames,
  );

/** GitHub Docs, "REST API endpoints for reactions". */
const signs = new Map([
  ['eyes', '👀'],
  ['heart', '❤️'],
  ['+1', '👍'],
  ['-1', '👎'],
]);
const signOf = (content: string): string => signs.get(content) ?? codeSpan(content);

const said =
  (title: (number: string) => string): Render =>
  (body, number) => ({ title: title(number), body: textIn(body, 'body') });

/** A path below a repository, and what a request to it does. The first match counts. */
const requests: readonly (readonly [RegExp, Render])[] = [
  [/^POST issues\/(\d+)\/comments$/, said((number) => `Comment on #${number}`)],
  [/^PATCH issues\/comments\/(\d+)$/, said(() => 'New text of a comment')],
  [/^POST pulls\/(\d+)\/comments\/\d+\/replies$/, said((number) => `Reply in a review thread of #${number}`)],
  [/^POST pulls\/(\d+)\/reviews$/, renderReview],
  [/^PUT pulls\/(\d+)\/reviews\/\d+\/dismissals$/, (body, number) => dismissed(body, number)],
  [/^POST (?:pulls|issues)$/, renderThread],
  [/^PATCH (?:pulls|issues)\/(\d+)$/, renderThreadEdit],
  [/^POST issues\/(\d+)\/labels$/, (body, number) => line(`Labels on #${number}`, namesIn(body, 'labels'))],
  [
    /^POST issues\/(\d+)\/assignees$/,
    (body, number) => line(`Assignees of #${number}`, namesIn(body, 'assignees')),
  ],
  [
    /^POST pulls\/(\d+)\/requested_reviewers$/,
    (body, number) => line(`Reviewers of #${number}`, namesIn(body, 'reviewers', 'team_reviewers')),
  ],
  [
    /^POST (?:issues|pulls)\/comments\/\d+\/reactions$/,
    (body) => ({ title: `${signOf(textIn(body, 'content'))} on the comment`, body: '' }),
  ],
  [/^POST git\/refs$/, (body) => line('Branch', codeSpan(textIn(body, 'ref').replace(/^refs\/heads\//, '')))],
  [/^(?:POST check-runs|PATCH check-runs\/\d+)$/, renderCheck],
  [/^POST statuses\/\w+$/, (body) => line('Commit status', codeSpan(textIn(body, 'description')))],
  [/^DELETE (.+)$/, (_, path) => line('Deletion', codeSpan(path))],
];

const line = (title: string, value: string): Shown => ({ title: `${title}: ${value}`, body: '' });

function renderRequest({ method, path, body }: Request): Shown {
  const place = `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+\//, '')}`;
  for (const [pattern, render] of requests) {
    const match = pattern.exec(place);
    if (match !== null) return render(body, match[1] ?? '', path);
  }
  if (path === '/graphql/resolveReviewThread') return line('Resolved thread', codeSpan(textIn(body, 'id')));
  return { title: codeSpan(`${method} ${path}`), body: codeBlock(JSON.stringify(body, null, 2), 'json') };
}

function renderReview(body: JsonObject, number: string): Shown {
  const comments = (Array.isArray(body.comments) ? body.comments : []).filter(isJsonObject);
  const verdict = textIn(body, 'event').toLowerCase().replaceAll('_', ' ');
  return {
    title: `Review of #${number}: ${verdict}, ${countOf(comments.length, 'line comment')}`,
    body: [textIn(body, 'body'), ...comments.map(renderLineComment)].join('\n\n'),
  };
}

function renderLineComment(comment: JsonObject): string {
  const [path, first, last] = ['path', 'start_line', 'line'].map((name) => textIn(comment, name));
  const lines = first === '' ? last : `${first}-${last}`;
  return `**${codeSpan(`${path}:${lines}`)}**\n\n${closedMarkdown(textIn(comment, 'body'))}`;
}

const dismissed = (body: JsonObject, number: string): Shown => ({
  title: `Dismissal of a review of #${number}`,
  body: textIn(body, 'message'),
});

function renderThread(body: JsonObject, _: string, path: string): Shown {
  const isPull = path.endsWith('/pulls');
  const draft = body.draft === true ? ' as a draft' : '';
  const facts = [
    isPull ? `From ${codeSpan(textIn(body, 'head'))} into ${codeSpan(textIn(body, 'base'))}${draft}.` : '',
    namesIn(body, 'labels') === '' ? '' : `Labels: ${namesIn(body, 'labels')}.`,
    namesIn(body, 'assignees') === '' ? '' : `Assignees: ${namesIn(body, 'assignees')}.`,
  ].filter((fact) => fact !== '');
  return {
    title: `${isPull ? 'Pull request' : 'Issue'}: ${codeSpan(textIn(body, 'title'))}`,
    body: [...facts, textIn(body, 'body')].join('\n\n'),
  };
}

function renderThreadEdit(body: JsonObject, number: string): Shown {
  const title = textIn(body, 'title');
  const named = title === '' ? '' : `Title: ${codeSpan(title)}\n\n`;
  return { title: `New description of #${number}`, body: `${named}${textIn(body, 'body')}` };
}

function renderCheck(body: JsonObject): Shown {
  const output: Json | undefined = body.output;
  const shown = isJsonObject(output) ? output : {};
  const name = textIn(body, 'name');
  const end = textIn(body, 'conclusion') || textIn(body, 'status');
  return {
    title: `Check ${codeSpan(name)}: ${end}`.replace(' :', ':'),
    body: [textIn(shown, 'title'), textIn(shown, 'summary')].filter((text) => text !== '').join('\n\n'),
  };
}
