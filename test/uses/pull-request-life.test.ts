import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppProcess, appPermissions } from '../support/app-process.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import type { ScriptedRequest } from '../support/model/script.ts';
import { allTextOf, call, lastResults } from './support/conversation.ts';
import {
  baseFiles,
  type Defect,
  defects,
  findingsIn,
  ranges,
  rangesFile,
} from './support/days-repository.ts';
import { projectRoot } from './support/run-program.ts';
import { type Part, type Stage, startStage } from './support/start-app.ts';
import { readToldFindings } from './support/told-findings.ts';
import { createTranscript, type Transcript } from './support/transcript.ts';

const page = path.join(projectRoot, 'docs/pull-request.md');
const introduction = `# A pull request from open to merge

What a maintainer sees on one pull request, event by event. The test
\`test/uses/pull-request-life.test.ts\` plays it on the built App and compares this page, so it is what
the App does. The model is scripted; git, sandbox, queue and database are real. Each section shows
everything that is new or different on GitHub after the event, whole.`;

let stage: Stage;
let days: RepositoryHandle;
let transcript: Transcript;
/** Plays the reviewer while it is set. */
let heldReview: Part | null = null;
const servers: AppProcess[] = [];

beforeAll(async () => {
  stage = await startStage(
    {},
    { ...appPermissions, actions: 'read', checks: 'write', security_events: 'write' },
  );
  servers.push(stage.server());
  days = await stage.github.createRepository('acme/days', { files: baseFiles });
  for (const login of ['ada', 'bob']) days.setPermission(login, 'write');
  days.setPermission('rex', 'read');
});
afterAll(() => stage.close());

/** Ids of the deliveries with a line of the App's log. */
const logged = (message: string) =>
  new Set(
    servers
      .flatMap(({ lines }) => [...lines])
      .filter((line) => line.startsWith('{'))
      .map((line): { msg?: string; delivery?: string } => JSON.parse(line))
      .flatMap(({ msg, delivery }) => (msg === message && delivery !== undefined ? [delivery] : [])),
  );

/** Waits until the App has handled all events and their consequences. */
async function idle(): Promise<void> {
  for (let queued = -1; queued !== logged('Queued.').size; ) {
    await stage.github.settled();
    queued = logged('Queued.').size;
    await stage.server().untilLogged(() => [...logged('Queued.')].every((id) => logged('Handled.').has(id)));
    await stage.github.settled();
  }
}

/** Plays one event to its end and writes down what it left on GitHub. */
async function step(title: string, act: () => unknown): Promise<void> {
  stage.passTime();
  await act();
  await idle();
  await transcript.event(title);
  const { told, agreed } = readToldFindings(days, 1, stage.app.login);
  expect({ after: title, ...told }).toEqual({ after: title, ...agreed });
}

const head = async () => (await days.head('ranges')) ?? '';
const current = async () => days.git('show', `${await head()}:${rangesFile}`).then((text) => `${text}\n`);
const say = (author: string, body: string) => days.comment(1, { author, body });
const push = async (message: string, edit: (text: string) => string) =>
  days.commit('ranges', { files: { [rangesFile]: edit(await current()) }, message, author: 'ada' });

/** The comment that begins the newest conversation about a defect. */
function conversation({ title }: Defect): number {
  const found = days
    .reviewComments(1)
    .findLast(({ body, inReplyTo }) => inReplyTo === null && body.includes(title));
  if (found === undefined) throw new Error(`No conversation is about: ${title}`);
  return found.id;
}
const replyTo = (defect: Defect, author: string, body: string) =>
  days.replyToReviewComment(conversation(defect), { author, body });

/** The part of a request that lists the earlier findings below a headline. */
const listed = (request: ScriptedRequest, headline: string) =>
  allTextOf(request).split(headline)[1]?.split('</earlier_findings>')[0] ?? '';

/**
 * A reviewer who reports each defect in the file, except for those that must not be reported again.
 */
const reviewer: Part = async (turn, request) => {
  if (turn > 1) return { text: 'See the lines.' };
  const known = listed(request, 'Do not report these again');
  const findings = findingsIn(await current()).filter(({ title }) => !known.includes(title));
  return { calls: [call('report_findings', { findings })] };
};

/** Does something while the review of a push works, which must not come to its end. */
async function duringReview(begin: () => unknown, then: () => unknown): Promise<void> {
  const held = holding(reviewer);
  heldReview = held.part;
  await begin();
  await held.reached;
  heldReview = null;
  stage.passTime();
  await then();
  await idle();
  held.release();
}

/** The id of the smaller finding, as the summary shows it. */
function shownId(): string {
  const id = /\*\*info\*\*[^`\n]*`([0-9a-f]{7,16})`/.exec(days.comments(1)[0]?.body ?? '')?.[1];
  if (id === undefined) throw new Error('The summary shows no id of a smaller finding.');
  return id;
}

/** A model that repairs these defects, and then ends with the text. */
const repairing =
  (of: readonly Defect[], text: string): Part =>
  (turn) =>
    turn === 1 && of.length > 0
      ? {
          calls: of.map(({ code, repair }) =>
            call('edit_file', { path: rangesFile, old_str: code, new_str: repair }),
          ),
        }
      : { text };

/** A model that waits in its first turn until it is let go. */
function holding(part: Part) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held: Part = async (turn, request) => {
    reached.resolve();
    await released.promise;
    return part(turn, request);
  };
  return { part: held, reached: reached.promise, release: () => released.resolve() };
}

/** Ticks the box of our newest comment that has one with these words. */
function tick(author: string, words: string): void {
  const found = days.comments(1).findLast(({ body }) => body.includes(`- [ ] ${words}`));
  if (found === undefined) throw new Error(`No box says: ${words}`);
  days.editComment(found.id, { author, body: found.body.replace(`- [ ] ${words}`, `- [x] ${words}`) });
}

/** Makes the branch one commit on a base, as `git rebase` or a squash and a forced push do. */
async function rebase(onto: string, message: string, edit = (text: string) => text): Promise<void> {
  const text = edit(await current());
  await days.git('update-ref', 'refs/heads/rebased', onto);
  const sha = await days.commit('rebased', { files: { [rangesFile]: text }, message, author: 'ada' });
  await days.forcePush('ranges', sha, 'ada');
  await days.git('update-ref', '-d', 'refs/heads/rebased');
}

/** Brings back two repaired defects, and a line of debugging. */
const broken = (text: string) =>
  [defects.lastDay, defects.unchecked].reduce(
    (sum, { code, repair }) => sum.replace(repair, code),
    debug(text),
  );

const debug = (text: string) =>
  text.replace('  const days = [];', '  console.log(range);\n  const days = [];');

function learn(): void {
  stage.learn('Review the changes of this pull request', (turn, request) =>
    (heldReview ?? reviewer)(turn, request),
  );
  stage.learn('fix this, please', repairing([defects.lastDay], 'The loop now includes the last day.'));
  stage.learn('is that really so', () => ({ text: 'Yes: `2026-01-01` alone has no `..`.' }));
  stage.learn('what does overlaps do', () => ({ text: 'It tells if two ranges share a day.' }));
  stage.learn('name the file', (turn, request) =>
    turn === 1
      ? { calls: [call('ask_user', { question: 'Which name?', options: ['ranges', 'spans'] })] }
      : { text: `Nothing to rename. ${lastResults(request)}` },
  );
  stage.learn('Fix this pull request', async (turn, request) => {
    const text = await current();
    const open = Object.values<Defect>(defects).filter(
      ({ code, title }) => text.includes(code) && title !== defects.touching.title,
    );
    return repairing(open, 'Repaired what was open.')(turn, request);
  });
}

test('a pull request is looked after from its opening to its merge', { timeout: 400_000 }, async () => {
  transcript = createTranscript(days, 1, { introduction, bot: stage.app.login });
  learn();

  await step('ada opens the pull request', async () => {
    await days.commit('ranges', { files: { [rangesFile]: ranges }, message: 'Add ranges', author: 'ada' });
    await days.openPullRequest({
      title: 'Add ranges',
      head: 'ranges',
      author: 'ada',
      body: 'Ranges of days.',
    });
  });
  await step('rex, who may not write, asks for a fix', () => say('rex', '@anode fix'));
  await step('ada pushes: a line of debugging', () => push('Look at ranges', debug));
  await step('ada answers a finding: won’t fix', () =>
    replyTo(defects.touching, 'ada', "Won't fix: callers rely on it."),
  );
  await step('ada asks in a conversation, without a mention', () =>
    replyTo(defects.unchecked, 'ada', 'Is that really so?'),
  );
  await step('ada asks again, with a mention', () =>
    replyTo(defects.unchecked, 'ada', '@anode is that really so?'),
  );
  await step('ada asks for a fix in a conversation', () =>
    replyTo(defects.lastDay, 'ada', '@anode fix this, please'),
  );
  await step('ada misspells a command', () => say('ada', '@anode reveiw'));
  await step('ada asks for something that needs an answer', () => say('ada', '@anode name the file better'));
  await step('rex answers the question, but may not', () => say('rex', 'spans'));
  await step('ada answers the question', () => say('ada', 'spans'));
  await step('ada ticks the box that applies the suggestions', () => tick('ada', 'Apply all'));
  await step('main moves, and ada rebases', async () => {
    const base = await days.commit('main', {
      files: { 'README.md': '# Days\n' },
      message: 'Shorten',
      author: 'bob',
    });
    await rebase(base, 'Add ranges');
  });
  await step('ada force-pushes: the old loop is back', async () =>
    rebase((await days.head('main')) ?? '', 'Add ranges', (text) =>
      text.replace(defects.lastDay.repair, defects.lastDay.code),
    ),
  );
  await step('ada gives a finding a 👎', () =>
    days.react({ id: conversation(defects.constant) }, '-1', 'ada'),
  );
  await step('ada asks to fix what is open', () => say('ada', '/anode fix'));
  await step('bob asks for a fix with nothing left to fix', () => say('bob', '/anode fix'));
  await step('ada retargets it to another branch', async () => {
    await days.commit('next', { files: { 'NEXT.md': 'Next.\n' }, message: 'Begin next', author: 'bob' });
    await days.retarget(1, 'next', { actor: 'ada' });
  });
  await step('ada gives two commands in one comment', () =>
    say('ada', '/anode ask what does overlaps do?\n/anode review -i'),
  );
  await step('bob and ada ask for three things while a run works', async () => {
    const long = holding(repairing([], 'Looked at it.'));
    stage.learn('look around for long', long.part);
    stage.learn('second look', () => ({ text: 'Second.' }));
    stage.learn('third look', () => ({ text: 'Third.' }));
    stage.learn('fourth look', () => ({ text: 'Fourth.' }));
    say('ada', '@anode look around for long');
    await long.reached;
    for (const [author, which] of [
      ['bob', 'second'],
      ['ada', 'third'],
      ['bob', 'fourth'],
    ] as const) {
      stage.passTime();
      say(author, `@anode take a ${which} look`);
    }
    await stage.github.settled();
    long.release();
  });
  await step('ada stops a run', async () => {
    const long = holding(repairing([], 'Never said.'));
    stage.learn('work until stopped', long.part);
    say('ada', '@anode work until stopped');
    await long.reached;
    stage.passTime();
    say('ada', '/anode stop');
    await stage.github.settled();
    await idle();
    long.release();
  });
  await step('the machine of the App crashes during a run', async () => {
    const long = holding(() => ({ text: 'The answer, in spite of all.' }));
    stage.learn('survive a crash', long.part);
    say('ada', '@anode survive a crash');
    await long.reached;
    await stage.server().kill();
    long.release();
    await stage.restart();
    servers.push(stage.server());
  });
  await step('ada pushes two repaired defects and a line of debugging, and stops the review', () =>
    duringReview(
      () => push('Look at ranges again', broken),
      () => say('ada', '/anode stop'),
    ),
  );
  await step('ada pushes twice, the second time during the review', () =>
    duringReview(
      () => push('Begin a list', (text) => `${text}\n// To do: leap days\n`),
      () => push('Go on with the list', (text) => `${text}// To do: time zones\n`),
    ),
  );
  await step('ada dismisses a finding by its id', () =>
    say('ada', `/anode dismiss ${shownId()} while I look`),
  );
  await step('ada resolves a conversation by a command', () =>
    replyTo(defects.unchecked, 'ada', '/anode resolve'),
  );
  await step('ada merges', () => days.merge(1, { actor: 'ada' }));

  const written = transcript.page();
  if (process.env.ANODE_UPDATE_TRANSCRIPT === '1') await writeFile(page, written);
  expect(written).toBe(await readFile(page, 'utf8'));
});
