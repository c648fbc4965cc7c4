import { workOf } from '../../contract/work-of.ts';
import { isUncommitted, successWord } from '../report/success-word.ts';
import { countOf, cutText, oneLine } from '../text/markdown.ts';
import { tokensOf } from './fold-story.ts';
import { brief, type Html, html } from './html.ts';
import { costText, formatCount, type PageContext, timeText } from './page-context.ts';
import { clipText, fitClip } from './render-text.ts';
import { reportLink } from './report-link.ts';

/** Returns the conclusion as text, with its CSS class. */
export function conclusionText({
  outcome,
  plan,
  published,
}: Pick<PageContext, 'outcome' | 'plan' | 'published'>): {
  readonly word: string;
  readonly tone: string;
} {
  switch (outcome.conclusion) {
    case 'success':
      if (plan === null) return { word: 'Done', tone: 'good' };
      return {
        word: successWord(outcome, plan, published),
        tone: isUncommitted(outcome, plan, published) ? 'warning' : 'good',
      };
    case 'failure':
      return { word: 'Failed', tone: 'bad' };
    case 'limit':
      return { word: 'Stopped at a limit', tone: 'warning' };
    case 'waiting':
      return {
        word: outcome.pending_approval === undefined ? 'Waiting for an answer' : 'Waiting for approval',
        tone: 'warning',
      };
    case 'cancelled':
      return { word: 'Cancelled', tone: 'plain' };
  }
}

/** The label of work whose request is our own text: its subject is the thread. */
const workTitles: Readonly<Record<string, string>> = {
  review: 'Review',
  plan: 'Plan',
  describe: 'Description',
  improve: 'Improvements',
  implement: 'Implementation',
  triage: 'Triage',
};

/** Returns the request on one line. */
export function requestLine(context: PageContext, length: number): string {
  const { lead, text } = headingOf(context);
  return cutText(oneLine(`${lead}${text}`), length, '…') || 'A run';
}

const promptOf = ({ story, plan, chain }: PageContext): string =>
  chain?.request ?? story.started?.prompt ?? plan?.prompt ?? '';

/** Returns the heading and its prefix. */
function headingOf(context: PageContext): { readonly lead: string; readonly text: string } {
  const { story, plan } = context;
  const word = plan?.thread == null ? undefined : workTitles[workOf(plan)];
  if (word !== undefined) return { lead: `${word}: `, text: plan?.thread?.title ?? '' };
  const text = promptOf(context);
  // A resumed session has only the answer as its prompt, which says little.
  const goesOn = story.started?.before !== undefined && text.trim() !== '' && context.chain?.request == null;
  return { lead: goesOn ? 'Goes on: ' : '', text };
}

/** Returns the request if it says more than its heading; else null. */
function fullRequest(context: PageContext, request: string): string | null {
  const prompt = promptOf(context);
  const { lead, text } = headingOf(context);
  const isHeading = oneLine(text) === oneLine(prompt) && request === oneLine(`${lead}${text}`);
  return prompt.trim() === '' || (isHeading && !prompt.trim().includes('\n')) ? null : prompt;
}

/** Renders the top of the page: conclusion, request, requester, place and cost. */
export function renderHead(context: PageContext): Html {
  const { outcome } = context;
  const { word, tone } = endText(context);
  const request = requestLine(context, 220);
  const full = fullRequest(context, request);
  const stop = outcome.stop === null || outcome.conclusion === 'waiting' ? null : outcome.stop.message;
  return html`<header class="top"><div class="wrap">
<p class="brand"><span class="logo" aria-hidden="true">&gt;_</span> Anode CI <span class="dim">run report</span></p>
<p class="pill ${tone}">${word}</p>
<h1>${request}</h1>
<p class="by">${byline(context)}</p>
${stop === null ? null : html`<p class="stop ${tone}">${brief(stop, 600)}</p>`}
${full === null ? null : html`<details class="ask"><summary>The whole request</summary><div class="plain md">${fitClip(clipText(full), 30_000).text}</div></details>`}${renderChain(context)}
<dl class="facts">${facts(context)}</dl>
${renderLinks(context)}
</div></header>`;
}

/** The same; a run that waited and was answered waits no more. */
function endText(context: PageContext): ReturnType<typeof conclusionText> {
  const { outcome, chain } = context;
  if (outcome.conclusion !== 'waiting' || chain?.later == null) return conclusionText(context);
  return { word: 'Answered', tone: 'plain' };
}

/** The runs of the session before and after this one, with question and answer. */
function renderChain({ chain, story }: PageContext): Html | null {
  const { earlier = null, later = null } = chain ?? {};
  const rows = [
    ...(earlier === null
      ? []
      : [
          html`<p>Goes on from <code>${brief(earlier.run_id, 80)}</code>.</p>`,
          ...(earlier.question === null ? [] : [html`<p>Question: ${brief(earlier.question, 2_000)}</p>`]),
          html`<p>${earlier.question === null ? 'It was told' : 'Answer'}: ${brief(story.started?.prompt ?? '', 2_000)}</p>`,
        ]),
    ...(later === null
      ? []
      : [
          html`<p><code>${brief(later.run_id, 80)}</code> went on from this run, and was told: ${brief(later.text, 2_000)}</p>`,
        ]),
  ];
  return rows.length === 0 ? null : html`<div class="chain">${rows}</div>`;
}

function byline({ plan, story, places }: PageContext): Html {
  const { startedAt } = story;
  const when = startedAt === '' ? null : html` · <time datetime="${startedAt}">${dateText(startedAt)}</time>`;
  if (plan === null) return html`On this machine, by the operator${when}`;
  const { repository, thread, requester } = plan;
  const site = repository.clone_url.replace(/\.git$/, '');
  const repositoryName = html`${brief(repository.owner, 100)}/${brief(repository.name, 100)}`;
  const where =
    thread === null
      ? reportLink(repositoryName, site, places)
      : html`${reportLink(html`${repositoryName}#${thread.number}`, `${site}/${thread.kind === 'issue' ? 'issues' : 'pull'}/${thread.number}`, places)} <span class="dim">${brief(thread.title, 160)}</span>`;
  return html`Asked by <strong>${brief(requester.login, 100)}</strong> on ${where}${when}`;
}

/** `22 November 2026, 04:17 UTC`. */
function dateText(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
  return `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

function facts({ outcome, story, plan }: PageContext): Html[] {
  const { started } = story;
  const { usage } = outcome;
  const most = started?.max_turns == null ? null : started.max_turns + (started.before?.turns ?? 0);
  const cached = usage.cache_read === 0 ? '' : `${formatCount(usage.cache_read)} from the cache`;
  const verb = plan === null || plan.verb === 'task' ? '' : plan.verb;
  return [
    fact('Model', outcome.model),
    fact('Profile', outcome.profile, verb === outcome.profile ? '' : verb),
    fact('Preset', outcome.preset, sandboxText(started?.sandbox)),
    fact('Time', timeText(outcome.duration_ms)),
    fact('Cost', costText(outcome.cost_usd)),
    fact('Tokens', formatCount(tokensOf(usage)), cached),
    fact(
      'Turns',
      formatCount(outcome.turns),
      [...(most === null ? [] : [`of ${formatCount(most)}`]), ...earlierTurns(started?.before?.turns)].join(
        ', ',
      ),
    ),
    fact('Tool calls', formatCount(outcome.tool_calls)),
  ];
}

const earlierTurns = (turns = 0): string[] => (turns === 0 ? [] : [`${formatCount(turns)} in earlier runs`]);

function sandboxText(sandbox: string | undefined): string {
  if (sandbox === undefined) return '';
  if (sandbox === 'on') return 'sandboxed';
  return sandbox === 'off' ? 'no sandbox' : sandbox;
}

function fact(name: string, value: string, more = ''): Html {
  return html`<div><dt>${name}</dt><dd>${brief(value, 80)}${more === '' ? null : html` <small>${brief(more, 80)}</small>`}</dd></div>`;
}

/** Renders links to what the run published. */
function renderLinks({ published, runUrl, places }: PageContext): Html | null {
  const links = [...(published === null ? [] : publishedLinks(published))];
  if (runUrl !== null) links.push([html`The workflow’s run`, runUrl]);
  if (links.length === 0) return null;
  const rows = links.map(([text, url]) => html`<li>${reportLink(text, url, places)}</li>`);
  return html`<ul class="links" aria-label="What was published">${rows}</ul>`;
}

function publishedLinks(published: NonNullable<PageContext['published']>): [words: Html, url: string][] {
  const { commit, pull_request: pull, review, question, approval, issues, comment } = published;
  const link = <T extends { readonly url: string }>(
    target: T | undefined,
    text: (target: T) => Html,
  ): [Html, string][] => (target === undefined ? [] : [[text(target), target.url]]);
  return [
    ...link(pull, ({ number }) => html`Pull request #${number}`),
    ...link(
      commit,
      ({ sha, branch }) => html`Commit <code>${sha.slice(0, 7)}</code> on <code>${brief(branch, 80)}</code>`,
    ),
    ...link(review, ({ comments }) => html`Review with ${countOf(comments, 'comment')}`),
    ...link(question, () => html`The question`),
    ...link(approval, () => html`The request for approval`),
    ...issues.slice(0, 20).flatMap((issue) => link(issue, ({ number }) => html`Issue #${number}`)),
    ...link(comment, () => html`The comment on the thread`),
  ];
}
