import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findReport, visible } from '../test/support/find-report.ts';
import { tasks } from './scripted-answers.ts';
import { openForkPullRequest, type Stage } from './stage.ts';
import type { Timeline } from './timeline.ts';

const run = promisify(execFile);
const projectRoot = path.resolve(import.meta.dirname, '..');

/** The pull request that most scenes play on. */
export interface Scenery {
  readonly pullRequest: number;
}

/** Waits for a predicate, long enough for a real model. */
async function until(stage: Stage, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  await stage.github.waitFor(holds, { timeoutMs: stage.model.scripted ? 90_000 : 900_000, what });
}

/** The App's newest comment on a thread once it is a report, not progress. */
async function report(stage: Stage, number: number, after: number): Promise<string> {
  const finished = () => findReport(stage.repository, stage.bot, number, after);
  await until(stage, 'a report', () => finished() !== undefined);
  return visible(finished()?.body ?? '');
}

/** Text of GitHub as a line of plain words: without links, marks and figures. */
function plain(body: string): string {
  return visible(body)
    .replaceAll(/<sub>.*?<\/sub>|<\/?details>|<summary>.*?<\/summary>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .trim();
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const lineWith = (text: string, words: string): string =>
  text.split('\n').find((line) => line.includes(words)) ?? '';

/** Use 2: a pull request is opened and reviewed. */
export async function automatedReview(stage: Stage, timeline: Timeline): Promise<Scenery> {
  const { repository, sample } = stage;
  const { branch, title, body, files } = sample.pullRequest;
  timeline.scene('1. Somebody opens a pull request');
  await repository.commit(branch, { files, message: title, author: 'maintainer' });
  const { number } = await repository.openPullRequest({ title, body, head: branch, author: 'maintainer' });
  timeline.say('maintainer', `opens pull request #${number}: ${title}`);
  const text = await report(stage, number, 0);
  const [review] = repository.reviews(number);
  const comments = repository.reviewComments(number);
  if (review === undefined) timeline.missing('a review was posted');
  for (const comment of comments) {
    const [headline = '', , explained = ''] = plain(comment.body).split('\n');
    timeline.say(stage.bot, `reviews it unasked, and comments on ${comment.path}:${comment.line}`, headline);
    timeline.say(stage.bot, 'says why', explained);
  }
  if (comments.some((comment) => comment.body.includes('```suggestion')))
    timeline.say(stage.bot, 'suggests the corrected line, which one click applies');
  else timeline.missing('the review has a suggested change');
  timeline.say(stage.bot, 'sums up in one comment, which it edits from now on', firstLine(plain(text)));
  const link = /\[last review\]\((\S+)\)/.exec(text)?.[1];
  if (link !== undefined && (await isServed(link)))
    timeline.say(stage.bot, 'links to a page with every step and cost of its run');
  else timeline.missing('the comment links to a report of its run');
  return { pullRequest: number };
}

/** Waits for the report of a run, which is written once its comment stands. */
async function isServed(link: string): Promise<boolean> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await fetch(link)).status === 200) return true;
    await setTimeout(100);
  }
  return false;
}

/** Use 1: a comment triggers a task; the first mapping: the ledger becomes a commit. */
export async function commentTask(stage: Stage, { pullRequest }: Scenery, timeline: Timeline): Promise<void> {
  const { repository, sample, github } = stage;
  const { branch } = sample.pullRequest;
  timeline.scene('2. A comment asks for a fix');
  const stranger = repository.comment(pullRequest, { body: `@anode ${tasks.fix}`, author: 'passer-by' });
  timeline.say('passer-by', `comments: @anode ${tasks.fix}`);
  timeline.say(stage.bot, 'does nothing, as passer-by may not write to this repository');
  const before = await repository.head(branch);
  const comment = repository.comment(pullRequest, { body: `@anode ${tasks.fix}`, author: 'maintainer' });
  timeline.say('maintainer', 'comments the same, and may write');
  await until(stage, '👀 on the comment', () =>
    repository.reactions(comment).some((one) => one.content === 'eyes'),
  );
  timeline.say(stage.bot, 'reacts with 👀: it has seen the comment');
  let edits = 0;
  const stopWatching = github.onRequest(() => {
    const own = repository.comments(pullRequest).filter(({ id }) => id > comment.id);
    if (edits > 0 || !own.some(({ body }) => /^\*\*Working/.test(visible(body)))) return;
    edits += 1;
    timeline.say(stage.bot, 'shows its progress in a comment while it works');
  });
  const text = await report(stage, pullRequest, comment.id);
  stopWatching();
  const after = await repository.head(branch);
  if (after === null || after === before) return timeline.missing('a commit landed on the branch');
  const message = await repository.git('show', '-s', '--format=%B', after);
  timeline.say(stage.bot, 'commits to the branch of the pull request', firstLine(message));
  if (/Co-authored-by: .*maintainer/.test(message)) timeline.say(stage.bot, 'names maintainer as co-author');
  else timeline.missing('the requester is co-author');
  const tested = await testsPass(stage, after);
  if (tested) timeline.say('demo', 'runs the tests: they pass now, and failed before');
  else timeline.missing(`${sample.testCommand} passes on the commit`);
  timeline.say(stage.bot, 'turns its progress into a report', plain(text).split('\n').slice(2, 3).join(''));
  if (repository.reactions(stranger).length > 0) timeline.missing('the passer-by got nothing');
  const open = () => repository.reviewThreads(pullRequest).filter(({ resolvedBy }) => resolvedBy === null);
  await until(stage, 'the conversations of what the commit fixed to be resolved', () => open().length === 0);
  timeline.say(stage.bot, 'resolves the conversation of the finding that this fixed');
  const isNews = () => summary(stage, pullRequest).includes(after.slice(0, 7));
  await until(stage, 'the summary to name the commit', isNews);
  timeline.say(stage.bot, 'edits its summary', firstLine(plain(summary(stage, pullRequest))));
}

/** The body of the one summary on a pull request; '' before there is one. */
function summary({ repository }: Stage, number: number): string {
  return repository.comments(number).find(({ body }) => body.startsWith('<!-- anode:summary '))?.body ?? '';
}

/** A person pushes: only what is new is reviewed, and the summary is edited. */
export async function pushAndMerge(
  stage: Stage,
  { pullRequest }: Scenery,
  timeline: Timeline,
): Promise<void> {
  const { repository, sample } = stage;
  const { branch } = sample.pullRequest;
  timeline.scene('4. A push, and the merge');
  const count = () => repository.comments(pullRequest).length;
  const before = count();
  const readme = await repository.git('show', `${branch}:README.md`);
  const files = { 'README.md': `${readme}\n\nRanges that touch become one.\n` };
  const sha = await repository.commit(branch, { files, message: 'Describe it', author: 'maintainer' });
  timeline.say('maintainer', 'pushes a commit: Describe it');
  await until(stage, 'the summary to name the push', () =>
    summary(stage, pullRequest).includes(sha.slice(0, 7)),
  );
  const told = plain(summary(stage, pullRequest));
  timeline.say(stage.bot, 'reviews only what is new, and edits its summary', lineWith(told, 'Since '));
  if (count() === before) timeline.say(stage.bot, 'adds no comment for the push');
  else timeline.missing('no comment was added for the push');
  await repository.merge(pullRequest, { actor: 'maintainer' });
  timeline.say('maintainer', `merges #${pullRequest}`);
}

/** The mappings of `ask_user` and `handoff`. */
export async function questionAndHandoff(
  stage: Stage,
  { pullRequest }: Scenery,
  timeline: Timeline,
): Promise<void> {
  const { repository, sample } = stage;
  const { branch } = sample.pullRequest;
  timeline.scene('3. A task that only a person can decide');
  const issuesBefore = repository.issues().length;
  const before = await repository.head(branch);
  const { id } = repository.comment(pullRequest, { body: `@anode ${tasks.ask}`, author: 'maintainer' });
  timeline.say('maintainer', `comments: @anode ${tasks.ask}`);
  const asked = () =>
    repository.comments(pullRequest).find((one) => one.id > id && one.body.includes('anode:question'));
  await until(stage, 'a question', () => asked() !== undefined);
  timeline.say(
    stage.bot,
    'asks, and stops until somebody answers',
    lineWith(plain(asked()?.body ?? ''), '?'),
  );
  await report(stage, pullRequest, id);
  const requests = stage.github.requests.length;
  repository.comment(pullRequest, { body: '@anode throw', author: 'passer-by' });
  timeline.say('passer-by', 'answers: @anode throw');
  await stage.github.settled();
  timeline.say(stage.bot, 'does nothing, as passer-by may not decide this');
  const reply = repository.comment(pullRequest, { body: 'throw', author: 'maintainer' });
  timeline.say('maintainer', 'answers: throw');
  await report(stage, pullRequest, reply.id);
  const after = await repository.head(branch);
  if (after === null || after === before) timeline.missing('the resumed run committed');
  else {
    const headline = await repository.git('show', '-s', '--format=%s', after);
    timeline.say(stage.bot, 'goes on where it stopped, and commits', headline);
  }
  const runs = stage.github.requests
    .slice(requests)
    .filter((one) => one.method === 'POST' && one.path.endsWith(`/issues/${pullRequest}/comments`));
  if (runs.length !== 1) timeline.missing(`only the maintainer's reply resumed the run (${runs.length} did)`);
  const issue = repository.issues().slice(issuesBefore)[0];
  if (issue === undefined) timeline.missing('an issue was opened for the handoff');
  else timeline.say(stage.bot, `opens issue #${issue.number} for what is left to do`, issue.title);
}

/** Use 4: an issue becomes a pull request. */
export async function issueToPullRequest(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository, sample } = stage;
  timeline.scene('5. An issue becomes a pull request');
  const { title, body } = sample.issue;
  const issue = await repository.openIssue({ title, body, author: 'passer-by' });
  timeline.say('passer-by', `opens issue #${issue.number}: ${title}`);
  repository.addLabel(issue.number, 'anode:implement', { actor: 'maintainer' });
  timeline.say('maintainer', 'gives it the label anode:implement');
  await report(stage, issue.number, 0);
  const pull = repository.pulls().find((one) => repository.closingIssues(one.number).includes(issue.number));
  if (pull === undefined) return timeline.missing('a pull request that closes the issue');
  timeline.say(stage.bot, `opens pull request #${pull.number}, which closes the issue`, pull.title);
  if (await testsPass(stage, pull.headSha)) timeline.say('demo', 'runs the tests: they pass');
  else timeline.missing('the tests pass on that branch');
}

/** The mapping for what may not be pushed: suggestions, and a patch for the rest. */
export async function forkSuggestions(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository } = stage;
  timeline.scene('6. On a fork, nothing is pushed');
  const number = await openForkPullRequest(stage);
  timeline.say('passer-by', `opens pull request #${number} from a fork`);
  await report(stage, number, 0);
  timeline.say(stage.bot, 'reviews it, without any secret within reach');
  const reviewed = repository.reviewComments(number).length;
  const { id } = repository.comment(number, { body: `@anode ${tasks.fork}`, author: 'maintainer' });
  timeline.say('maintainer', `comments: @anode ${tasks.fork}`);
  const text = await report(stage, number, id);
  const suggested = repository.reviewComments(number).slice(reviewed);
  for (const one of suggested)
    timeline.say(stage.bot, `suggests the fix as a change on ${one.path}:${one.line}`);
  if (!suggested.some((one) => one.body.includes('```suggestion'))) timeline.missing('a suggested change');
  if (text.includes('```diff') && text.includes('CHANGELOG.md'))
    timeline.say(stage.bot, 'leaves the new file as a patch in its report');
  else timeline.missing('a patch in the report');
}

/** Use 3: the Action as a step of a workflow, on the job's own checkout. */
export async function actionStep(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository, github, folder, model } = stage;
  timeline.scene('7. A step of a workflow');
  const job = path.join(folder, 'job');
  const temporary = path.join(folder, 'runner-temp');
  await mkdir(temporary, { recursive: true });
  await run('git', ['clone', '-q', repository.cloneUrl, job]);
  const files = { event: 'event.json', output: 'output', summary: 'summary.md' };
  const file = (name: keyof typeof files) => path.join(temporary, files[name]);
  await Promise.all([
    writeFile(file('event'), JSON.stringify(github.lastEventPayload('push'))),
    writeFile(file('output'), ''),
    writeFile(file('summary'), ''),
  ]);
  timeline.say('workflow', `runs the Action with a prompt: ${tasks.step}`);
  const { stdout: sha } = await run('git', ['-C', job, 'rev-parse', 'HEAD']);
  await run(process.execPath, [path.join(projectRoot, 'action/main.ts')], {
    cwd: job,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: file('event'),
      GITHUB_OUTPUT: file('output'),
      GITHUB_STEP_SUMMARY: file('summary'),
      GITHUB_REPOSITORY: repository.fullName,
      GITHUB_WORKSPACE: job,
      GITHUB_ACTOR: 'maintainer',
      GITHUB_SHA: sha.trim(),
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: '1',
      GITHUB_API_URL: github.apiUrl,
      GITHUB_SERVER_URL: github.url,
      RUNNER_TEMP: temporary,
      INPUT_PROMPT: tasks.step,
      INPUT_MODEL: model.name ?? '',
      INPUT_PRESET: 'careful',
      INPUT_SANDBOX: 'preferred',
      INPUT_GITHUB_TOKEN: github.createToken({
        actor: 'github-actions[bot]',
        permissions: { contents: 'read' },
        repositories: [repository.fullName],
      }),
      ...model.environment,
    },
  });
  const status = await run('git', ['-C', job, 'status', '--short']);
  if (status.stdout.includes('CONTRIBUTING.md'))
    timeline.say('the Action', 'leaves CONTRIBUTING.md in the checkout, for the steps after it');
  else timeline.missing('the step wrote CONTRIBUTING.md');
  const summaryText = await readFile(file('summary'), 'utf8');
  if (summaryText.trim() === '') timeline.missing('a job summary');
  else timeline.say('the Action', 'writes its answer into the summary of the job');
  const outputs = await readFile(file('output'), 'utf8');
  const names = [...outputs.matchAll(/^(\w+)<</gm)].map((match) => match[1]);
  if (names.includes('conclusion'))
    timeline.say('the Action', `sets ${names.length} outputs for later steps`);
  else timeline.missing('outputs');
}

/** Whether the sample's tests pass on a commit, in a checkout of their own. */
async function testsPass(stage: Stage, sha: string): Promise<boolean> {
  const { repository, folder } = stage;
  const checkout = path.join(folder, `check-${sha.slice(0, 12)}`);
  await run('git', ['clone', '-q', repository.cloneUrl, checkout]);
  await run('git', ['-C', checkout, 'checkout', '-q', sha]);
  try {
    await run(process.execPath, ['--test'], { cwd: checkout, env: { PATH: process.env.PATH } });
    return true;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 1) return false;
    throw error;
  }
}
