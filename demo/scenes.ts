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

/** Use 2: a pull request is opened and reviewed. */
export async function automatedReview(stage: Stage, timeline: Timeline): Promise<Scenery> {
  const { repository, sample } = stage;
  const { branch, title, body, files } = sample.pullRequest;
  timeline.scene('Automated review of a pull request (signed webhook)');
  await repository.commit(branch, { files, message: title, author: 'maintainer' });
  const { number } = await repository.openPullRequest({ title, body, head: branch, author: 'maintainer' });
  timeline.say('maintainer', `opens #${number} “${title}”`);
  const text = await report(stage, number, 0);
  const [review] = repository.reviews(number);
  const comments = repository.reviewComments(number);
  if (review === undefined) timeline.missing('a review was posted');
  for (const comment of comments) {
    timeline.say(stage.bot, `reviews ${comment.path}:${comment.line}`, visible(comment.body));
  }
  if (!comments.some((comment) => comment.body.includes('```suggestion'))) {
    timeline.missing('the review has a suggested change');
  }
  timeline.say(stage.bot, 'closes its progress comment', text);
  const link = /\[(?:last )?run\]\((\S+)\)/.exec(text)?.[1];
  if (link === undefined || !(await isServed(link)))
    timeline.missing('the comment links to a report of its run');
  else timeline.say(stage.bot, 'keeps a report of the run, with every call', link);
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
  timeline.scene('A comment triggers a task, which ends as a commit (signed webhook)');
  const stranger = repository.comment(pullRequest, { body: `@anode ${tasks.fix}`, author: 'passer-by' });
  timeline.say('passer-by', `comments on #${pullRequest}: @anode ${tasks.fix}`);
  const before = await repository.head(branch);
  const comment = repository.comment(pullRequest, { body: `@anode ${tasks.fix}`, author: 'maintainer' });
  timeline.say('maintainer', `comments the same; only the maintainer may write here`);
  await until(stage, '👀 on the comment', () =>
    repository.reactions(comment).some((one) => one.content === 'eyes'),
  );
  timeline.say(stage.bot, 'reacts with 👀');
  const seen = new Set<string>();
  const stopWatching = github.onRequest(() => {
    for (const one of repository.comments(pullRequest)) {
      const text = visible(one.body);
      if (one.id <= comment.id || !/^\*\*Working/.test(text) || seen.has(text)) continue;
      seen.add(text);
      timeline.say(
        stage.bot,
        one.updatedAt === one.createdAt ? 'posts a progress comment' : 'edits it',
        text,
      );
    }
  });
  const text = await report(stage, pullRequest, comment.id);
  stopWatching();
  timeline.say(stage.bot, 'turns the progress comment into the report', text);
  const after = await repository.head(branch);
  if (after === null || after === before) return timeline.missing('a commit landed on the branch');
  timeline.say(
    'git',
    `the commit on ${branch}`,
    await repository.git('show', '--stat', '--format=%h %an%n%n%B', after),
  );
  const message = await repository.git('show', '-s', '--format=%B', after);
  if (!/Co-authored-by: .*maintainer/.test(message)) timeline.missing('the requester is co-author');
  const tested = await testsPass(stage, after);
  if (tested) timeline.say('demo', `${sample.testCommand} passes on that commit, and failed before`);
  else timeline.missing(`${sample.testCommand} passes on the commit`);
  if (repository.reactions(stranger).length > 0) timeline.missing('the passer-by got nothing');
  const open = () => repository.reviewThreads(pullRequest).filter(({ resolvedBy }) => resolvedBy === null);
  await until(stage, 'the conversations of what the commit fixed to be resolved', () => open().length === 0);
  const isSummary = ({ body }: { readonly body: string }) => body.startsWith('<!-- anode:summary ');
  const isNews = () =>
    repository.comments(pullRequest).some((one) => isSummary(one) && one.body.includes(after));
  await until(stage, 'the summary to name the commit', isNews);
  timeline.say(
    stage.bot,
    'reviews its own commit, resolves the finding, and edits its one summary',
    visible(repository.comments(pullRequest).find(isSummary)?.body ?? ''),
  );
}

/** The mappings of `ask_user` and `handoff`. */
export async function questionAndHandoff(
  stage: Stage,
  { pullRequest }: Scenery,
  timeline: Timeline,
): Promise<void> {
  const { repository, sample } = stage;
  const { branch } = sample.pullRequest;
  timeline.scene('ask_user becomes a question, the reply resumes the run, handoff becomes an issue');
  const issuesBefore = repository.issues().length;
  const before = await repository.head(branch);
  const { id } = repository.comment(pullRequest, { body: `@anode ${tasks.ask}`, author: 'maintainer' });
  timeline.say('maintainer', `comments: @anode ${tasks.ask}`);
  const asked = () =>
    repository.comments(pullRequest).find((one) => one.id > id && one.body.includes('anode:question'));
  await until(stage, 'a question', () => asked() !== undefined);
  timeline.say(stage.bot, 'asks, and the run ends as waiting', visible(asked()?.body ?? ''));
  await report(stage, pullRequest, id);
  const requests = stage.github.requests.length;
  repository.comment(pullRequest, { body: '@anode throw', author: 'passer-by' });
  timeline.say('passer-by', 'replies: @anode throw');
  await stage.github.settled();
  const reply = repository.comment(pullRequest, { body: 'throw', author: 'maintainer' });
  timeline.say('maintainer', 'replies: throw');
  const text = await report(stage, pullRequest, reply.id);
  timeline.say(stage.bot, 'goes on from where it was, with everything it knew', text);
  const after = await repository.head(branch);
  if (after === null || after === before) timeline.missing('the resumed run committed');
  else
    timeline.say(
      'git',
      'the commit of the resumed run',
      await repository.git('show', '--stat', '--format=%h %B', after),
    );
  const runs = stage.github.requests
    .slice(requests)
    .filter((one) => one.method === 'POST' && one.path.endsWith(`/issues/${pullRequest}/comments`));
  if (runs.length !== 1) timeline.missing(`only the maintainer's reply resumed the run (${runs.length} did)`);
  const issue = repository.issues().slice(issuesBefore)[0];
  if (issue === undefined) timeline.missing('an issue was opened for the handoff');
  else timeline.say(stage.bot, `hands over in #${issue.number} “${issue.title}”`, visible(issue.body ?? ''));
}

/** Use 4: an issue becomes a pull request. */
export async function issueToPullRequest(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository, sample } = stage;
  timeline.scene('An issue becomes a pull request (signed webhook, label)');
  const { title, body } = sample.issue;
  const issue = await repository.openIssue({ title, body, author: 'passer-by' });
  timeline.say('passer-by', `opens #${issue.number} “${title}”`);
  repository.addLabel(issue.number, 'anode:implement', { actor: 'maintainer' });
  timeline.say('maintainer', 'labels it anode:implement');
  timeline.say(stage.bot, 'comments on the issue', await report(stage, issue.number, 0));
  const pull = repository.pulls().find((one) => repository.closingIssues(one.number).includes(issue.number));
  if (pull === undefined) return timeline.missing('a pull request that closes the issue');
  timeline.say(
    stage.bot,
    `opens #${pull.number} “${pull.title}” from ${pull.head}, which closes #${issue.number}`,
    await repository.git('diff', '--stat', `${pull.baseSha}..${pull.headSha}`),
  );
  if (!(await testsPass(stage, pull.headSha))) timeline.missing('the tests pass on that branch');
}

/** The mapping for what may not be pushed: suggestions, and a patch for the rest. */
export async function forkSuggestions(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository } = stage;
  timeline.scene('On a fork nothing is pushed: suggested changes, and a patch in the report');
  const number = await openForkPullRequest(stage);
  timeline.say('passer-by', `opens #${number} from a fork`);
  await report(stage, number, 0);
  const reviewed = repository.reviewComments(number).length;
  const { id } = repository.comment(number, { body: `@anode ${tasks.fork}`, author: 'maintainer' });
  timeline.say('maintainer', `comments: @anode ${tasks.fork}`);
  const text = await report(stage, number, id);
  const suggested = repository.reviewComments(number).slice(reviewed);
  for (const one of suggested) {
    timeline.say(stage.bot, `suggests a change on ${one.path}:${one.line}`, visible(one.body));
  }
  if (!suggested.some((one) => one.body.includes('```suggestion'))) timeline.missing('a suggested change');
  if (!text.includes('```diff') && !text.includes('CHANGELOG.md')) timeline.missing('a patch in the report');
  timeline.say(stage.bot, 'reports', text);
}

/** Use 3: the Action as a step of a workflow, on the job's own checkout. */
export async function actionStep(stage: Stage, timeline: Timeline): Promise<void> {
  const { repository, github, folder, model } = stage;
  timeline.scene('The Action as a step in a workflow (event file)');
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
  timeline.say('workflow', `runs the Action with prompt: ${tasks.step}`);
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
  timeline.say('workflow', 'the checkout after the step', status.stdout);
  if (!status.stdout.includes('CONTRIBUTING.md')) timeline.missing('the step wrote CONTRIBUTING.md');
  const summary = await readFile(file('summary'), 'utf8');
  if (summary.trim() === '') timeline.missing('a job summary');
  timeline.say('workflow', 'the job summary', visible(summary));
  const outputs = await readFile(file('output'), 'utf8');
  const names = [...outputs.matchAll(/^(\w+)<</gm)].map((match) => match[1]);
  timeline.say('workflow', `outputs: ${names.join(', ')}`);
  if (!names.includes('conclusion')) timeline.missing('outputs');
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
