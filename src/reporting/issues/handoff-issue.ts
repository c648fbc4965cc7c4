import { triggerDefaults } from '../../config/defaults.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Handoff } from '../../contract/run-results.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { type Autorun, deepestAutorun } from '../../contract/thread-records.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { readTemplate } from '../posting/read-template.ts';
import { fillTemplate } from '../text/fill-template.ts';
import { codeSpan, cutList, cutWords, oneLine } from '../text/markdown.ts';
import { writeMarker } from '../text/marker.ts';
import { hostsOf, publicCut, publicLine, publicText } from '../text/public-text.ts';
import { type IssuePorts, type OwnIssue, postIssue } from './post-issue.ts';

export interface HandoffIssue {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** True where a run was started on it. */
  readonly started?: boolean | undefined;
  /** True if readers of the report are sent there. */
  readonly follow?: boolean | undefined;
}

type Ports = IssuePorts & Pick<PublishPorts, 'runUrl' | 'config' | 'readBaseFile' | 'log'>;

/**
 * Creates the issue of a handoff, or finds the one of an earlier attempt. Starts a run on it if
 * configured and the target is the next thread.
 */
export async function postHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  ports: Ports,
): Promise<HandoffIssue> {
  const settings = ports.config.handoff ?? {};
  const { template, problem } = await readTemplate('handoff', settings.template, ports);
  if (problem !== null) ports.log.warn({ run: plan.run_id }, problem);
  const rendered = renderHandoff(handoff, index, plan, {
    ...{ runUrl: ports.runUrl, template, mention: people(settings.mention, plan) },
  });
  const { title, body } = rendered;
  const issue = await postIssue(
    {
      ...{ kind: 'handoff', n: String(index), title, body },
      labels: [...new Set([...(settings.labels ?? []), ...rendered.labels])],
      assignees: people(settings.assignees, plan),
    },
    plan,
    ports,
  );
  const started =
    handoff.target === 'next_thread' && settings.autorun ? await startRun(issue, plan, ports) : false;
  const { number, url } = issue;
  return {
    ...{ number, url, title: issue.title },
    started: started || undefined,
    follow: handoff.follow || undefined,
  };
}

/**
 * Adds the label that starts an implementation, as a person would. First stores that our own label
 * counts. False if there is no requester, or runs started one another too often.
 */
async function startRun(issue: OwnIssue, plan: RunPlan, { octokit, store, config }: Ports): Promise<boolean> {
  const { owner, name } = plan.repository;
  const depth = (plan.autorun_depth ?? 0) + 1;
  if (depth > deepestAutorun || plan.source.kind !== 'app') return false;
  const { label } = triggerDefaults(config);
  if (label === '') return false;
  if (issue.labels.includes(label)) return true;
  const { login, id, type } = plan.requester;
  const autorun: Autorun = { run_id: plan.run_id, requester: { login, id, type }, depth };
  await store.set(stateKeys.autorun(issue.number), JSON.stringify(autorun));
  await octokit.rest.issues.addLabels({ owner, repo: name, issue_number: issue.number, labels: [label] });
  return true;
}

/** The context of a handoff. */
interface HandoffSettings {
  readonly runUrl: string | null;
  /** The repository's template for such issues, from the base branch. */
  readonly template?: string | null;
  /** Logins and teams to notify. Default: none. */
  readonly mention?: readonly string[];
}

/** GitHub's limit for a title. */
const longestTitle = 256;

/** Names of the configuration, with the requester's login for `@requester`. */
function people(names: readonly string[] = [], { requester }: RunPlan): readonly string[] {
  const isPerson = requester.type === 'User';
  const logins = names.flatMap((name) => {
    if (name.toLowerCase() === '@requester') return isPerson ? [requester.login] : [];
    return [name.replace(/^@/u, '')];
  });
  return [...new Set(logins)];
}

/**
 * Splits a handoff into a title and the rest of its summary: the goal, else the first sentence,
 * which then is not repeated.
 */
function titleOf({ goal, summary }: Handoff): { readonly title: string; readonly summary: string } {
  if (goal !== undefined) return { title: oneLine(goal), summary: summary.trim() };
  const first = /^[^\n]+?[.!?](?=\s|$)/u.exec(summary.trim())?.[0] ?? summary.trim().split('\n')[0] ?? '';
  const rest = summary.trim().slice(first.length).trim();
  const title = oneLine(first).replace(/\.$/u, '');
  return title.length <= longestTitle ? { title, summary: rest } : { title, summary: summary.trim() };
}

/**
 * Renders title, body and labels of a handoff's issue. `index` distinguishes the handoffs of one
 * run. The issue names the run's thread.
 */
export function renderHandoff(
  handoff: Handoff,
  index: number,
  plan: RunPlan,
  { runUrl, template = null, mention = [] }: HandoffSettings,
): { title: string; body: string; labels: readonly string[] } {
  const front = readFront(template ?? '');
  const own = titleOf(handoff);
  const title = `${front.title}${own.title}`;
  const from = plan.thread === null ? '' : ` on #${plan.thread.number}`;
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const isTemplated = front.body.trim() !== '';
  const summary = publicCut(
    isTemplated ? handoff.summary.trim() : own.summary,
    20_000,
    '\n\n[cut]',
    hostsOf(plan),
  );
  const steps = section('Next steps', handoff.recommended_next_steps, (item) => `- [ ] ${line(item)}`);
  const rest = [
    handoff.reason === undefined ? '' : `Why it is handed over: ${line(handoff.reason)}`,
    title.length <= longestTitle || handoff.goal === undefined ? '' : `**Goal**: ${line(handoff.goal)}`,
    section('Done', handoff.completed, (item) => `- [x] ${line(item)}`),
    section('Open questions', handoff.open_questions, (item) => `- ${line(item)}`),
    steps,
    section('Files to open first', handoff.relevant_files, (item) => `- ${codeSpan(item)}`),
    section('Further material', handoff.artifacts, (item) => `- ${codeSpan(item)}`),
  ].filter((part) => part !== '');
  const notified = mention.map((name) => `@${name}`).join(', ');
  const footer = `${notified === '' ? '' : `For ${notified}\n\n`}<sub>Handed over by an Anode ${run}${from} for ${plan.requester.login}.</sub>`;
  const material = {
    summary: [summary, ...rest.filter((part) => part !== steps)].filter((part) => part !== '').join('\n\n'),
    steps,
    issue: plan.thread === null ? '' : `From #${plan.thread.number}`,
    title: publicText(own.title),
    requester: plan.requester.login,
    run,
  };
  const parts = isTemplated ? [fillTemplate(front.body, material)] : [summary, ...rest];
  const mark = writeMarker('handoff', { run: plan.run_id, n: String(index) });
  return {
    title: cutWords(publicLine(title), longestTitle),
    body: `${mark}\n${[...parts, footer].filter((part) => part !== '').join('\n\n')}`,
    labels: front.labels,
  };
}

/**
 * Reads title and labels from the front matter of an issue template. See GitHub Docs, "About issue
 * and pull request templates".
 */
function readFront(template: string): { title: string; labels: string[]; body: string } {
  const text = template.replaceAll(/\r\n?/gu, '\n');
  const found = /^---\n([\s\S]*?)\n---\n?/u.exec(text);
  if (found === null) return { title: '', labels: [], body: text };
  const field = (name: string): string =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'mu').exec(found[1] ?? '')?.[1]?.trim() ?? '';
  const labels = field('labels')
    .replaceAll(/^\[|\]$/gu, '')
    .split(',')
    .map(unquoted)
    .filter((label) => label !== '');
  const title = unquoted(field('title'));
  return { title: title === '' ? '' : `${title} `, labels, body: text.slice(found[0].length) };
}

const unquoted = (text: string): string =>
  text
    .trim()
    .replaceAll(/^["']+|["']+$/gu, '')
    .trim();

function section(title: string, items: readonly string[], render: (item: string) => string): string {
  if (items.length === 0) return '';
  return `**${title}**\n\n${cutList(items, 20, render)}`;
}

function line(text: string): string {
  return publicCut(oneLine(text), 400, '…');
}
