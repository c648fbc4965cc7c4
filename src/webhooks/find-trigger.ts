import type { IncomingEvent } from '../contract/event.ts';
import type { JsonObject } from '../contract/json.ts';
import { chosenOption } from './chosen-option.ts';
import { mentions, slashCommand, spokenText, withoutLeadingMention } from './command-text.ts';
import { integerAt, isTrueAt, objectAt, stringAt } from './payload-reader.ts';
import type { Ignored, Trigger, TriggerLocation, TriggerSettings } from './trigger.ts';

/** Words after `/anode`, as the help names them. */
export const verbs = ['task', 'review', 'implement', 'answer', 'approve', 'deny', 'help'] as const;
type Verb = (typeof verbs)[number];

const reviewActions = new Set(['opened', 'ready_for_review', 'synchronize', 'reopened']);

/**
 * What an event asks for, or why it starts nothing. Pure, and total: any payload gives an answer, a payload of
 * the wrong shape is ignored. Edited comments never trigger, nor do our own events or bots that are not allowed.
 * Event names and actions: GitHub docs, "Webhook events and payloads".
 */
export function findTrigger(event: IncomingEvent, settings: TriggerSettings): Trigger | Ignored {
  const action = stringAt(event.payload, 'action');
  const name = action === null ? event.name : `${event.name}.${action}`;
  switch (name) {
    case 'issue_comment.created':
      return fromComment(event, name, settings, 'comment');
    case 'pull_request_review_comment.created':
      return fromComment(event, name, settings, 'comment');
    case 'pull_request_review.submitted':
      return fromComment(event, name, settings, 'review');
    case 'issues.labeled':
      return fromLabel(event, name, settings);
    default:
      if (event.name === 'pull_request' && action !== null && reviewActions.has(action)) {
        return fromPullRequest(event, name, settings);
      }
      return ignored(`${name} starts nothing`);
  }
}

function fromComment(
  event: IncomingEvent,
  name: string,
  settings: TriggerSettings,
  key: 'comment' | 'review',
): Trigger | Ignored {
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const comment = objectAt(event.payload, key);
  const id = comment && integerAt(comment, 'id');
  const at = comment && timestamp(stringAt(comment, 'created_at') ?? stringAt(comment, 'submitted_at'));
  if (!comment || !id || !at) return ignored(`${name} without a ${key}, its id and its time`);
  const author = integerAt(comment, 'user', 'id');
  if (author !== basis.common.actor.id)
    return ignored('the comment was written by another account than the sender');
  const body = stringAt(comment, 'body') ?? '';
  const command = readCommand(body, basis.common.thread.kind, settings);
  if (command.kind === 'ignored') return command;
  return {
    ...basis.common,
    ...command,
    at,
    comment:
      key === 'review'
        ? null
        : { id, kind: event.name === 'issue_comment' ? 'issue_comment' : 'review_comment' },
    location: event.name === 'pull_request_review_comment' ? readLocation(comment) : null,
  };
}

function fromLabel(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  const label = stringAt(event.payload, 'label', 'name');
  if (label === null || label !== settings.label) return ignored(`the label is not ${settings.label}`);
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  if (basis.common.thread.kind !== 'issue') return ignored('the label starts work on issues only');
  const at = timestamp(stringAt(event.payload, 'issue', 'updated_at'));
  if (at === null) return ignored(`${name} without issue.updated_at`);
  return { ...basis.common, kind: 'implement', text: '', note: null, at };
}

function fromPullRequest(event: IncomingEvent, name: string, settings: TriggerSettings): Trigger | Ignored {
  if (!settings.autoReview) return ignored('automated reviews are off (review.auto)');
  if (isTrueAt(event.payload, 'pull_request', 'draft') && !settings.reviewDrafts) {
    return ignored('drafts are not reviewed (review.drafts)');
  }
  if (stringAt(event.payload, 'pull_request', 'state') === 'closed')
    return ignored('the pull request is closed');
  const basis = readBasis(event, name, settings);
  if (basis.kind === 'ignored') return basis;
  const head_sha = stringAt(event.payload, 'pull_request', 'head', 'sha');
  const at = timestamp(stringAt(event.payload, 'pull_request', 'updated_at'));
  if (head_sha === null || at === null)
    return ignored(`${name} without the head and the time of the pull request`);
  return {
    ...basis.common,
    kind: 'review',
    automated: true,
    incremental: true,
    text: '',
    note: null,
    at,
    head_sha,
  };
}

type Command = Pick<Trigger, 'kind' | 'text' | 'note' | 'incremental' | 'checksOnly'>;

/** What a comment says to us, as the words on the page say it. */
function readCommand(
  body: string,
  thread: Trigger['thread']['kind'],
  settings: TriggerSettings,
): Command | Ignored {
  const slash = slashCommand(body, settings.mention);
  if (slash !== null) return asVerb(slash, thread, settings) ?? unknownVerb(slash, settings);
  if (mentions(spokenText(body), settings.mention)) {
    const words = withoutLeadingMention(body, settings.mention);
    const verb = asBareVerb(words, thread, settings);
    if (verb !== null) return verb;
    return { kind: settings.waiting === null ? 'task' : 'answer', text: words, note: null };
  }
  if (settings.waiting !== null && chosenOption(body, settings.waiting) !== null) {
    return { kind: 'answer', text: body.trim(), note: null };
  }
  return ignored(`the comment neither mentions @${settings.mention} nor begins with /${settings.mention}`);
}

/** After a mention, a verb counts where nothing but its own argument follows: `@anode review`, `@anode answer blue`. */
function asBareVerb(
  words: string,
  thread: Trigger['thread']['kind'],
  settings: TriggerSettings,
): Command | null {
  const { first, rest } = splitFirst(words);
  // What lets a call through is a command of its own, so that no sentence about one can be taken for it.
  if ((first === 'approve' || first === 'deny') && hashIn(rest) !== null)
    return help(`Type it as a command: \`/${settings.mention} ${first} ${hashIn(rest)}\`.`);
  if (first === 'answer' && rest !== '') return asVerb(words, thread, settings);
  const flags = rest.toLowerCase().split(/\s+/);
  if (first === 'review' && flags.every((word) => isIncremental(word) || isChecksOnly(word)))
    return asVerb(words, thread, settings);
  return rest === '' && first !== 'task' && first !== 'answer' ? asVerb(words, thread, settings) : null;
}

function asVerb(words: string, thread: Trigger['thread']['kind'], settings: TriggerSettings): Command | null {
  const { first, rest } = splitFirst(words);
  if (first === '') return help(null);
  if (!isVerb(first)) return null;
  if (first === 'help') return help(null);
  if (first === 'review' && thread !== 'pull_request') return help('`review` works on pull requests only.');
  if (first === 'implement' && thread !== 'issue') return help('`implement` works on issues only.');
  if (first === 'answer' && settings.waiting === null)
    return help('No question waits for an answer on this thread.');
  if ((first === 'approve' || first === 'deny') && hashIn(rest) === null)
    return help(`\`${first}\` needs the hash that stands in my comment: 16 digits and letters from a to f.`);
  if ((first === 'task' || first === 'answer') && rest === '')
    return help(`\`${first}\` needs words behind it.`);
  if (first === 'review') return reviewCommand(rest);
  return { kind: first, text: rest, note: null };
}

/** `review -i`, or `--incremental`: only what is new since the last review. `--checks-only`: without a model. */
function reviewCommand(words: string): Command {
  const { first, rest } = splitFirst(words);
  if (isIncremental(first)) return { ...reviewCommand(rest), incremental: true };
  if (isChecksOnly(first)) return { ...reviewCommand(rest), checksOnly: true };
  return { kind: 'review', text: words, note: null };
}

const isIncremental = (word: string) => word === '-i' || word === '--incremental';
const isChecksOnly = (word: string) => /^(?:--)?checks[-_]only$/.test(word);

function unknownVerb(words: string, settings: TriggerSettings): Command {
  const { first } = splitFirst(words);
  const shown = first.replace(/[^\p{L}\p{N}_-]/gu, '').slice(0, 40);
  return help(`\`/${settings.mention} ${shown}\` is no command.`);
}

/** The hash that the words begin with, as it names a call that waits for approval; null without one. */
export function hashIn(words: string): string | null {
  return /^`?([0-9a-f]{16})`?(?=\s|$)/i.exec(words)?.[1]?.toLowerCase() ?? null;
}

const help = (note: string | null): Command => ({ kind: 'help', text: '', note });

function isVerb(word: string): word is Verb {
  return verbs.some((verb) => verb === word);
}

function splitFirst(words: string): { first: string; rest: string } {
  const first = /^\S*/.exec(words)?.[0] ?? '';
  return { first: first.toLowerCase(), rest: words.slice(first.length).trim() };
}

/** What is the same for every kind of trigger. */
type Common = Omit<Trigger, 'kind' | 'text' | 'note' | 'at'>;
type Basis = { kind: 'basis'; common: Common } | Ignored;

/** What every trigger has, whoever sent it; our own events and bots that are not allowed end here. */
function readBasis(event: IncomingEvent, name: string, settings: TriggerSettings): Basis {
  const { payload } = event;
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repository = stringAt(payload, 'repository', 'name');
  const thread = objectAt(payload, 'issue') ?? objectAt(payload, 'pull_request');
  const number = thread && integerAt(thread, 'number');
  const sender = stringAt(payload, 'sender', 'login');
  const asked = sender !== null && isOneOf(sender, settings.ownLogins) ? settings.autorun : null;
  const login = asked?.requester.login ?? sender;
  const id = asked?.requester.id ?? integerAt(payload, 'sender', 'id');
  const type = asked?.requester.type ?? stringAt(payload, 'sender', 'type');
  if (!owner || !repository || !thread || !number || !login || !id || !type) {
    return ignored(`${name} without repository, thread or sender`);
  }
  if (isOneOf(login, settings.ownLogins)) return ignored('it is our own doing');
  if ((type !== 'User' || login.endsWith('[bot]')) && !isOneOf(login, settings.allowBots)) {
    return ignored(`${login} is a ${type} that triggers.allowBots does not name`);
  }
  return {
    kind: 'basis',
    common: {
      automated: false,
      event: name,
      repository: { owner, name: repository },
      thread: { kind: isPullRequest(payload) ? 'pull_request' : 'issue', number },
      actor: { login, id, type },
      comment: null,
      location: null,
      head_sha: null,
      installation_id: integerAt(payload, 'installation', 'id'),
    },
  };
}

function isPullRequest(payload: JsonObject): boolean {
  return objectAt(payload, 'issue') === null || objectAt(payload, 'issue', 'pull_request') !== null;
}

function isOneOf(login: string, logins: readonly string[]): boolean {
  return logins.some((other) => other.toLowerCase() === login.toLowerCase());
}

function readLocation(comment: JsonObject): TriggerLocation | null {
  const path = stringAt(comment, 'path');
  if (path === null) return null;
  return {
    path,
    line: integerAt(comment, 'line'),
    side: stringAt(comment, 'side') === 'LEFT' ? 'LEFT' : 'RIGHT',
    diff_hunk: stringAt(comment, 'diff_hunk') ?? '',
  };
}

/** GitHub's time in the one form that is used everywhere: `2026-01-02T03:04:05.000Z`. */
function timestamp(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });
