import { expect, test } from 'vitest';
import type { EntryContext } from '../../../src/pipeline/context/broker-context.ts';
import { handleEvent } from '../../../src/pipeline/worker.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { latestEvent } from '../../support/latest-event.ts';
import { attempt, entryContext, github, login, startWorkerEdges } from '../../support/worker-fixture.ts';

const suggest = (line: number, suggestion: string) => ({
  ...{ path: 'a.js', line, severity: 'high', category: 'naming', title: `Line ${line}`, body: 'Better so.' },
  suggestion,
});
startWorkerEdges(({ messages }) => {
  const prompt = JSON.stringify(messages[0]);
  const second = { ...suggest(1, 'const five = 5;'), path: 'b.js' };
  const small = { ...suggest(2, 'const two = 2;'), severity: 'low' };
  if (prompt.includes('One small thing'))
    return messages.length === 1
      ? { calls: [{ name: 'report_findings', input: { findings: [small] } }] }
      : { text: 'See the summary.' };
  const findings = prompt.includes('One after another')
    ? [prompt.includes('b.js') ? second : suggest(2, 'const two = 2;')]
    : [suggest(2, 'const two = 2;'), suggest(3, '')];
  return messages.length === 1
    ? { calls: [{ name: 'report_findings', input: { findings } }] }
    : { text: 'See the lines.' };
});

const before = 'const one = 1;\nconst zwei = 2;\nconst drei = 3;\nconst four = 4;\n';

/** A workflow's job, whose state the workflow carries on; nobody can stop its runs from outside. */
const job = (): EntryContext => entryContext({ canAsk: true, host: 'action' });

/** A pull request that a run reviewed with two suggestions. */
async function reviewed(name: string, title = 'Work') {
  // As it goes where GitHub's own commits do not serve; the App's own way is tried in test/uses.
  const files = { 'a.js': 'const one = 1;\n', '.github/anode.yml': 'commit:\n  via: push\n' };
  const repository = await github.createRepository(name, { files });
  repository.setPermission('ada', 'write');
  repository.setPermission('rex', 'read');
  await repository.commit('work', { files: { 'a.js': before }, message: 'Work', author: 'ada' });
  await repository.openPullRequest({ title, head: 'work', author: 'ada' });
  await handleEvent(latestEvent(github, 'pull_request', 'opened', null), attempt(1), job());
  return repository;
}

const summaryOf = (repository: RepositoryHandle) =>
  repository.comments(1).find(({ body }) => body.startsWith('<!-- anode:summary '));
/** Lines of the summary below its costs. */
const shown = (repository: RepositoryHandle) =>
  (summaryOf(repository)?.body ?? '').split(/<sub>\d+ runs? so far[^\n]*\n*/u)[1] ?? '';

/** Somebody ticks the box, and the job that this starts comes to its end. */
async function tick(repository: RepositoryHandle, author: string): Promise<() => Promise<string>> {
  const { id = 0, body = '' } = summaryOf(repository) ?? {};
  repository.editComment(id, { author, body: body.replace('- [ ]', '- [x]') });
  const event = latestEvent(github, 'issue_comment', 'edited', null);
  const handle = async () => {
    const handled = await handleEvent(event, attempt(1), job());
    return handled.kind === 'none' ? handled.decision.reason : handled.kind;
  };
  return handle;
}

test('a ticked box commits the suggestions once, for users with write access only', async () => {
  const repository = await reviewed('acme/ticked');
  const offered = shown(repository);
  const refused = await (await tick(repository, 'rex'))();
  const again = shown(repository);
  await repository.close(1, { actor: 'ada' });
  const closed = [await (await tick(repository, 'ada'))(), shown(repository)];
  await repository.reopen(1, { actor: 'ada' });
  const press = await tick(repository, 'ada');
  // The process dies before the comment says it.
  github.failNext({ method: 'PATCH', path: /\/issues\/comments\//, status: 'reset' });
  const reasons = [refused, await press().catch(() => 'died'), await press(), await press()];
  const sha = (await repository.head('work')) ?? '';
  const links = repository
    .reviewComments(1)
    .map(({ id }, index) => `[\`a.js:${index + 2}\`](${repository.url}/pull/1#discussion_r${id})`);
  expect({
    offered: offered.split('\n')[0],
    unchanged: again === offered,
    closed,
    reasons,
    shown: shown(repository),
    log: (await repository.git('log', '--format=%an: %s', 'main..work')).split('\n'),
    text: await repository.git('show', 'work:a.js'),
    resolved: repository.reviewThreads(1).map(({ resolvedBy }) => resolvedBy),
  }).toEqual({
    offered: '- [ ] Apply all open suggestions in one commit',
    unchanged: true,
    closed: [
      'no suggestion was applied: The pull request is closed.',
      `**Nothing was applied.** The pull request is closed.\n\n${offered}`,
    ],
    reasons: [
      'rex has no write permission',
      'died',
      'what the box offered is done',
      'what the box offered is done',
    ],
    shown: `**Applied 2 suggestions** in [\`${sha.slice(0, 7)}\`](${repository.url}/commit/${sha}), as ada asked: ${links.join(', ')}.`,
    log: [`${login}: Apply 2 suggested changes`, 'ada: Work'],
    text: 'const one = 1;\nconst two = 2;\nconst four = 4;',
    resolved: [login, login],
  });
});

test('the box goes with the last open suggestion', async () => {
  const repository = await reviewed('acme/dismissed');
  const offered = shown(repository).split('\n')[0];
  for (const { id } of repository.reviewComments(1)) {
    repository.replyToReviewComment(id, { author: 'ada', body: "Won't fix: it is meant so." });
    const event = latestEvent(github, 'pull_request_review_comment', 'created', null);
    await handleEvent(event, attempt(1), job());
  }
  expect({ offered, after: shown(repository) }).toEqual({
    offered: '- [ ] Apply all open suggestions in one commit',
    after: '',
  });
});

test('a tick counts in a rewritten summary, but other edits do not', async () => {
  const repository = await reviewed('acme/raced');
  const comments = () => repository.comments(1).map(({ body }) => body.split(' ', 2)[1]);
  const press = await tick(repository, 'ada');
  const files = { 'b.js': 'const five = 5;\n' };
  await repository.commit('work', { files, message: 'More', author: 'ada' });
  await handleEvent(latestEvent(github, 'pull_request', 'synchronize', null), attempt(1), job());
  const anew = summaryOf(repository)?.body ?? '';
  const edit = async (body: string) => {
    repository.editComment(summaryOf(repository)?.id ?? 0, { author: 'ada', body });
    const event = latestEvent(github, 'issue_comment', 'edited', null);
    const handled = await handleEvent(event, attempt(1), job());
    return handled.kind === 'none' ? handled.decision.reason : handled.kind;
  };
  const reworded = anew.replace('See the lines.', 'Withdrawn.');
  const reasons = [await edit(reworded), await edit(reworded.replace('- [ ]', '- [x]'))];
  const undone = summaryOf(repository)?.body === anew;
  reasons.push(await press());
  expect({
    reasons,
    undone,
    offers: anew.includes('- [ ] Apply all open suggestions in one commit'),
    comments: comments(),
    shown: shown(repository).split(' in ')[0],
    log: (await repository.git('log', '--format=%an: %s', 'main..work')).split('\n'),
  }).toEqual({
    reasons: [
      'the edited comment asks nothing that waits',
      'the edit was not one box of ours',
      '2 suggestions became a commit',
    ],
    undone: true,
    offers: true,
    comments: ['anode:summary'],
    shown: '**Applied 2 suggestions**',
    log: [`${login}: Apply 2 suggested changes`, 'ada: More', 'ada: Work'],
  });
});

test('one suggestion of each of two reviews makes a box, and a tick commits both', async () => {
  const repository = await reviewed('acme/singles', 'One after another');
  const first = shown(repository);
  const files = { 'b.js': 'const funf = 5;\n' };
  await repository.commit('work', { files, message: 'More', author: 'ada' });
  await handleEvent(latestEvent(github, 'pull_request', 'synchronize', null), attempt(1), job());
  const offered = shown(repository).split('\n')[0];
  const reason = await (await tick(repository, 'ada'))();
  expect({
    ...{ first, offered, reason },
    texts: [await repository.git('show', 'work:a.js'), await repository.git('show', 'work:b.js')],
  }).toEqual({
    first: '',
    offered: '- [ ] Apply all open suggestions in one commit',
    reason: '2 suggestions became a commit',
    texts: ['const one = 1;\nconst two = 2;\nconst drei = 3;\nconst four = 4;', 'const five = 5;'],
  });
});

test('a suggestion that only the summary lists makes a box, and a tick commits it', async () => {
  const repository = await reviewed('acme/small', 'One small thing');
  const summary = summaryOf(repository)?.body ?? '';
  const offered = shown(repository).split('\n')[0];
  const reason = await (await tick(repository, 'ada'))();
  expect({
    listed: /- \*\*low\*\* _with a suggestion_ `\w+`.* · \[`a\.js:2`\]/u.test(summary),
    ...{ offered, reason, comments: repository.reviewComments(1) },
    shown: shown(repository).replace(/\[`\w+`\]\(\S+\)/u, 'COMMIT'),
    text: await repository.git('show', 'work:a.js'),
  }).toEqual({
    listed: true,
    offered: '- [ ] Apply all open suggestions in one commit',
    reason: '1 suggestion became a commit',
    comments: [],
    shown: '**Applied 1 suggestion** in COMMIT, as ada asked: `a.js:2`.',
    text: 'const one = 1;\nconst two = 2;\nconst drei = 3;\nconst four = 4;',
  });
});
