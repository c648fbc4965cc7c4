import { describe, expect, it } from 'vitest';
import type { IncomingEvent } from '../../../src/contract/event.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { Question } from '../../../src/contract/run-results.ts';
import type { TriggerSettings } from '../../../src/webhooks/commands/trigger.ts';
import { findTrigger } from '../../../src/webhooks/triggers/events.ts';

const settings: TriggerSettings = {
  mention: 'anode',
  labels: { 'anode:implement': 'implement' },
  accounts: [],
  allowBots: ['renovate[bot]'],
  autoReview: true,
  reviewDrafts: false,
  ownLogins: ['anode-ci[bot]'],
  waiting: null,
};
const question: Question = {
  question: 'Which colour?',
  options: [
    { id: 'blue', label: 'The blue one' },
    { id: 'red', label: 'The red one' },
  ],
  allow_freeform: true,
  required: true,
  questions: [],
};
const repository = { name: 'shop', owner: { login: 'acme' } };
const ada = { login: 'ada', id: 7, type: 'User' };
const installation = { id: 42 };

function comment(body: string, more: JsonObject = {}): IncomingEvent {
  const payload: JsonObject = {
    action: 'created',
    repository,
    installation,
    sender: ada,
    issue: { number: 5, pull_request: { url: 'u' } },
    comment: { id: 99, body, user: ada, created_at: '2026-01-02T03:04:05Z' },
    ...more,
  };
  return { name: 'issue_comment', delivery_id: null, payload };
}
function pullRequest(action: string, pull: JsonObject = {}, sender: JsonObject = ada): IncomingEvent {
  const pull_request = {
    number: 5,
    state: 'open',
    draft: false,
    updated_at: '2026-01-02T03:04:05Z',
    head: { sha: 'a'.repeat(40) },
    ...pull,
  };
  return {
    name: 'pull_request',
    delivery_id: null,
    payload: { action, repository, installation, sender, pull_request },
  };
}
const onIssue = { issue: { number: 5 } };
const common = {
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: ada,
  note: null,
  comment: { id: 99, kind: 'issue_comment' },
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: 42,
};

describe('a mention', () => {
  it.each([
    ['@anode fix the test', 'fix the test'],
    ['@anode, fix the test', 'fix the test'],
    ['@Anode: fix the test', 'fix the test'],
    ['Please, @anode, fix the test', 'Please, @anode, fix the test'],
    ['Is this right (@anode)?', 'Is this right (@anode)?'],
    ['- one\n- @anode do it', '- one\n- @anode do it'],
    ['| a |\n|---|\n| @anode do it |', '| a |\n|---|\n| @anode do it |'],
    ['**@anode** do it', '**@anode** do it'],
    ['> earlier\n\n@anode do it', '> earlier\n\n@anode do it'],
    ['@anode fix `a @b`', 'fix `a @b`'],
    ['@anode review the docs', 'review the docs'],
  ])('%j is a task', (body, text) => {
    expect(findTrigger(comment(body), settings)).toEqual({ ...common, kind: 'task', text });
  });

  it.each([
    '@anodexyz fix',
    '@anode-foo fix',
    'foo@anode fix',
    'mail foo@anode.com now',
    '@anode.com is a site',
    '@anode/team look',
    '@@anode fix',
    '\\@anode fix',
    '> @anode fix',
    '> quoted\n@anode is a lazy line of the quote',
    '`@anode fix`',
    '``` \n@anode fix\n```',
    '~~~\n@anode fix',
    '    @anode fix',
    '<!-- @anode fix -->',
    '<!-- @anode fix',
    'see <!-- @anode fix --> there',
    '<pre>\n\n@anode fix\n\n</pre>',
    'so <code>@anode fix</code>',
    '[@anode fix](https://example.com)',
    '![@anode fix](https://example.com/i.png)',
    '1. item\n\n   ```\n   @anode fix\n   ```',
    'fix @an`x`ode',
    'nothing at all',
    '',
  ])('%j is no mention', (body) => {
    expect(findTrigger(comment(body), settings)).toEqual({
      kind: 'ignored',
      reason: 'the comment neither mentions @anode nor begins a line with /anode',
    });
  });

  it('uses the configured word with any special characters', () => {
    expect(findTrigger(comment('@a.b go on'), { ...settings, mention: 'a.b' })).toMatchObject({
      text: 'go on',
    });
    expect(findTrigger(comment('@aXb go on'), { ...settings, mention: 'a.b' })).toMatchObject({
      kind: 'ignored',
    });
  });
});

describe('a command', () => {
  it.each([
    ['/anode review', 'review', ''],
    ['/anode review the error paths', 'review', 'the error paths'],
    ['  \n/ANODE Review', 'review', ''],
    ['/anode task tidy up', 'task', 'tidy up'],
    ['@anode review', 'review', ''],
  ])('is %j on a pull request', (body, kind, text) => {
    expect(findTrigger(comment(body), settings)).toEqual({ ...common, kind, text });
  });

  it('implements an issue', () => {
    expect(findTrigger(comment('/anode implement', onIssue), settings)).toEqual({
      ...common,
      kind: 'implement',
      text: '',
      thread: { kind: 'issue', number: 5 },
    });
  });

  it.each([
    ['please /anode review'],
    ['> /anode review'],
    ['    /anode review'],
    ['```\n/anode review\n```'],
    ['/anodex review'],
    ['/anode/review'],
    ['//anode review'],
  ])('%j is no command', (body) => {
    expect(findTrigger(comment(body), settings)).toMatchObject({ kind: 'ignored' });
  });

  it.each([
    ['/anode', null, false],
    ['/anode help', null, false],
    ['@anode help', null, false],
    ['@anode', null, false],
    ['/anode dance <img> now', '`/anode dance` is not a command.', false],
    ['/anode implement', '`implement` works on issues only.', false],
    ['/anode review', '`review` works on pull requests only.', true],
    ['/anode answer blue', 'No question waits for an answer on this thread.', false],
    ['/anode task', '`task` needs words behind it.', false],
  ])('%j asks for help', (body, note, issue) => {
    expect(findTrigger(comment(body, issue ? onIssue : {}), settings)).toEqual({
      ...common,
      thread: { kind: issue ? 'issue' : 'pull_request', number: 5 },
      kind: 'help',
      text: '',
      note,
    });
  });
});

describe('a reply while a question waits', () => {
  const waiting = { ...settings, waiting: question };
  it.each([
    ['/anode answer the blue one, please', 'the blue one, please'],
    ['@anode take blue', 'take blue'],
    ['@anode answer blue', 'blue'],
  ])('%j is the answer', (body, text) => {
    expect(findTrigger(comment(body), waiting)).toEqual({ ...common, kind: 'answer', text });
  });
  it.each([
    'Blue.',
    'the red one',
    '2',
    '**blue**',
    'the second one, please',
  ])('%j is the answer, although it does not name us', (text) => {
    const answer = { ...common, kind: 'answer', text, unaddressed: true };
    expect(findTrigger(comment(text), waiting)).toEqual(answer);
  });
  it.each(['3', 'I like blue', 'why?', '> blue', '`/anode answer blue`'])('%j is no answer', (body) => {
    expect(findTrigger(comment(body), waiting)).toMatchObject({ kind: 'ignored' });
  });
  it('other commands do not become answers', () => {
    expect(findTrigger(comment('/anode review'), waiting)).toMatchObject({ kind: 'review' });
  });
});

describe('the sender', () => {
  it.each([
    [{ login: 'anode-ci[bot]', id: 1, type: 'Bot' }, 'it is our own doing'],
    [{ login: 'evil[bot]', id: 1, type: 'Bot' }, 'evil[bot] is a Bot that triggers.allowBots does not name'],
    [
      { login: 'evil[bot]', id: 1, type: 'User' },
      'evil[bot] is a User that triggers.allowBots does not name',
    ],
    [{ login: 'm', id: 1, type: 'Mannequin' }, 'm is a Mannequin that triggers.allowBots does not name'],
  ])('is ignored: %j', (sender, reason) => {
    const body = { id: 99, body: '@anode fix', user: sender, created_at: '2026-01-02T03:04:05Z' };
    expect(findTrigger(comment('', { sender, comment: body }), settings)).toEqual({
      kind: 'ignored',
      reason,
    });
    const ready = pullRequest('ready_for_review', {}, sender);
    expect(findTrigger(ready, settings)).toEqual({ kind: 'ignored', reason });
  });
  it('may be an allowed bot with its exact login', () => {
    const renovate = { login: 'renovate[bot]', id: 3, type: 'Bot' };
    expect(findTrigger(pullRequest('opened', {}, renovate), settings)).toMatchObject({ actor: renovate });
  });
  it('must be the author of the comment', () => {
    const sender = { ...ada, id: 8 };
    expect(findTrigger(comment('@anode fix', { sender }), settings)).toMatchObject({ kind: 'ignored' });
  });
});

describe('a review of new changes', () => {
  it.each([
    ['/anode review -i', ''],
    ['/anode review --incremental the tests', 'the tests'],
    ['@anode review -i', ''],
  ])('is started by %s', (body, text) => {
    expect(findTrigger(comment(body), settings)).toMatchObject({ kind: 'review', incremental: true, text });
  });
  it('is not started by review alone', () => {
    expect(findTrigger(comment('/anode review idly'), settings)).not.toHaveProperty('incremental');
  });
});

describe('a review by checks alone', () => {
  it.each([
    ['/anode review --checks-only', ''],
    ['/anode review checks_only the tests', 'the tests'],
    ['@anode review --checks-only', ''],
  ])('is started by %s', (body, text) => {
    expect(findTrigger(comment(body), settings)).toMatchObject({ kind: 'review', checksOnly: true, text });
  });
  it('can be combined with a review of new changes', () => {
    expect(findTrigger(comment('@anode review -i --checks-only'), settings)).toMatchObject({
      ...{ kind: 'review', checksOnly: true, incremental: true, text: '' },
    });
  });
  it('is not started by text about it', () => {
    expect(findTrigger(comment('/anode review the checks only'), settings)).not.toHaveProperty('checksOnly');
  });
});

describe('other events', () => {
  it.each([
    'opened',
    'ready_for_review',
    'synchronize',
    'reopened',
  ])('start a review if a pull request is %s', (action) => {
    expect(findTrigger(pullRequest(action), settings)).toEqual({
      ...common,
      kind: 'review',
      automated: true,
      incremental: true,
      event: `pull_request.${action}`,
      text: '',
      comment: null,
      head_sha: 'a'.repeat(40),
    });
  });
  it.each([
    [pullRequest('closed'), 'pull_request.closed starts nothing'],
    [pullRequest('edited'), 'the base branch stays'],
    [pullRequest('opened', { draft: true }), 'drafts are not reviewed (review.drafts)'],
    [pullRequest('synchronize', { state: 'closed' }), 'the pull request is closed'],
    [{ ...comment('@anode fix', { action: 'edited' }) }, 'the edited comment has no boxes of ours'],
    [{ name: 'made_up', delivery_id: null, payload: {} }, 'made_up starts nothing'],
    [
      { name: 'issue_comment', delivery_id: null, payload: { action: 'created' } },
      'issue_comment.created without repository, thread or sender',
    ],
  ])('start nothing otherwise (%#)', (event, reason) => {
    expect(findTrigger(event, settings)).toEqual({ kind: 'ignored', reason });
  });
  it('review drafts if configured, and nothing if it is off', () => {
    const draft = pullRequest('opened', { draft: true });
    expect(findTrigger(draft, { ...settings, reviewDrafts: true })).toMatchObject({ kind: 'review' });
    expect(findTrigger(pullRequest('opened'), { ...settings, autoReview: false })).toEqual({
      kind: 'ignored',
      reason: 'automated reviews are off (review.auto)',
    });
  });
  it('implement an issue by its label, and by no other', () => {
    const labeled = (name: string): IncomingEvent => ({
      name: 'issues',
      delivery_id: null,
      payload: {
        action: 'labeled',
        repository,
        installation,
        sender: ada,
        label: { name },
        issue: { number: 5, updated_at: '2026-01-02T03:04:05Z' },
      },
    });
    expect(findTrigger(labeled('anode:implement'), settings)).toEqual({
      ...common,
      kind: 'implement',
      event: 'issues.labeled',
      thread: { kind: 'issue', number: 5 },
      text: '',
      comment: null,
    });
    expect(findTrigger(labeled('bug'), settings)).toEqual({
      kind: 'ignored',
      reason: 'the label starts nothing',
    });
  });
  it('include the location of a review comment', () => {
    const event: IncomingEvent = {
      name: 'pull_request_review_comment',
      delivery_id: null,
      payload: {
        action: 'created',
        repository,
        installation,
        sender: ada,
        pull_request: { number: 5 },
        comment: {
          ...{ id: 99, body: '@anode why?', user: ada, created_at: '2026-01-02T03:04:05Z' },
          ...{ path: 'a.ts', line: 3, side: 'LEFT', diff_hunk: '@@ -1 +1 @@' },
        },
      },
    };
    expect(findTrigger(event, settings)).toEqual({
      ...common,
      kind: 'task',
      event: 'pull_request_review_comment.created',
      text: 'why?',
      comment: { id: 99, kind: 'review_comment' },
      location: { path: 'a.ts', line: 3, side: 'LEFT', diff_hunk: '@@ -1 +1 @@', root_id: null },
    });
  });
  it('include the body of a submitted review', () => {
    const event: IncomingEvent = {
      name: 'pull_request_review',
      delivery_id: null,
      payload: {
        action: 'submitted',
        repository,
        installation,
        sender: ada,
        pull_request: { number: 5 },
        review: { id: 4, body: '/anode review', user: ada, submitted_at: '2026-01-02T03:04:05Z' },
      },
    };
    expect(findTrigger(event, settings)).toEqual({
      ...common,
      kind: 'review',
      event: 'pull_request_review.submitted',
      text: '',
      comment: null,
    });
  });
  it.each([
    '_@anode ',
    '>',
    '+ ',
    '`@anode',
    '*a **a ',
    '- > ',
  ])('are read quickly even for a comment full of %j', (part) => {
    // The time of this process alone: the machine may be busy.
    const before = process.cpuUsage();
    findTrigger(comment(part.repeat(65_536 / part.length)), settings);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});
