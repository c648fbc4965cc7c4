import { nearestKey } from '../../config/nearest-key.ts';
import { dismissalIn } from '../../contract/dismissal.ts';
import { editDistance } from '../../contract/edit-distance.ts';
import { readFindingId } from '../../contract/finding-id.ts';
import { omitUndefined } from '../../contract/json.ts';
import {
  type FlagName,
  findVerb,
  type Verb,
  type VerbName,
  verbNames,
  verbOf,
} from '../../contract/verbs.ts';
import { chosenOption } from './chosen-option.ts';
import {
  addressedLines,
  afterLeadingMention,
  mentions,
  slashCommand,
  spokenText,
  withLineFeeds,
} from './command-text.ts';
import type { Flags } from './flags.ts';
import { isThanks } from './is-thanks.ts';
import { readFlags } from './read-flags.ts';
import type { Ignored, Trigger, TriggerSettings } from './trigger.ts';
import { unaddressedAnswer } from './unaddressed-answer.ts';

type Thread = Trigger['thread']['kind'];

/** The request in a comment, without its author and thread. */
export type Command = Pick<
  Trigger,
  'kind' | 'text' | 'note' | 'about' | 'incremental' | 'checksOnly' | 'flags' | 'unaddressed'
>;

/** A comment's text with the settings that it is read by. */
interface Reading {
  readonly spoken: string;
  /** The text above the command's line. */
  readonly above: string;
  readonly thread: Thread;
  readonly settings: TriggerSettings;
}

/**
 * Reads the request from a comment: a line that begins with a command, a mention anywhere, or just
 * an option of the waiting question. The App's own name counts as a mention. Pure; any text gives a
 * result.
 */
export function readCommand(body: string, thread: Thread, settings: TriggerSettings): Command | Ignored {
  const command = readBy(body, thread, settings);
  if (command.kind !== 'ignored') return command;
  for (const mention of ownNames(settings)) {
    const other = readBy(body, thread, { ...settings, mention });
    if (other.kind !== 'ignored') return other;
  }
  return command;
}

/**
 * Returns the words of a comment that dismisses the finding of its thread, without our name; null
 * for others, such as one with the id of a finding.
 */
export function readDismissal(body: string, settings: TriggerSettings): string | null {
  const named = [settings.mention, ...ownNames(settings)].map((name) => afterLeadingMention(body, name));
  const words = named.find((one) => one !== null)?.words ?? body;
  const namesAnother =
    /^dismiss\s/iu.test(words) && readFindingId(words.slice('dismiss'.length).trim()) !== null;
  return namesAnother ? null : dismissalIn(words);
}

/** Returns the App's accounts as people type them. The shared account of workflows is excluded. */
export function ownNames({ ownLogins }: TriggerSettings): string[] {
  return ownLogins
    .filter((login) => login.endsWith('[bot]') && login !== 'github-actions[bot]')
    .flatMap((login) => [login, login.slice(0, -'[bot]'.length)]);
}

function readBy(body: string, thread: Thread, settings: TriggerSettings): Command | Ignored {
  const { mention, waiting } = settings;
  if (!mayAddress(body, settings)) return notAddressed(settings);
  const reading = { spoken: spokenText(body), above: '', thread, settings };
  if (mentions(reading.spoken, mention) && isBareThanks(body, settings)) return thanks;
  if (afterLeadingMention(body, mention) !== null) return afterMention(body, reading);
  const below = commandLine(body, reading);
  if (below !== null) return below;
  if (mentions(reading.spoken, mention)) return afterMention(body, reading);
  const answer = waiting && unaddressedAnswer(body, waiting, settings.isInQuestionThread === true);
  return answer === null
    ? notAddressed(settings)
    : { kind: 'answer', text: answer, note: null, unaddressed: true };
}

/** A request for a reaction only. */
const thanks: Command = { kind: 'help', text: '', note: null, about: 'thanks' };

/** Returns true for a comment that only thanks. Praise may be the answer to a waiting question. */
function isBareThanks(body: string, { waiting }: TriggerSettings): boolean {
  if (waiting !== null && chosenOption(body.replaceAll(/@\S+/g, ''), waiting) !== null) return false;
  return isThanks(body, waiting !== null);
}

/** Reads the first line that begins with a command or with a mention and a verb; null for none. */
function commandLine(body: string, reading: Reading): Command | null {
  const { mention } = reading.settings;
  const text = withLineFeeds(body);
  const slash = slashCommand(text, mention);
  const at = ({ start, above }: { start: number; above: string }): Reading => ({
    ...reading,
    above,
    spoken: spokenText(text.slice(start)),
  });
  for (const line of addressedLines(text, '@', [mention])) {
    if (slash !== null && slash.start < line.start) break;
    const verb = asBareVerb(withoutComma(line.words), at(line));
    if (verb !== null) return verb;
  }
  if (slash === null) return null;
  return asVerb(slash.words, at(slash)) ?? unknownVerb(slash.words, reading);
}

const notAddressed = ({ mention }: TriggerSettings): Ignored => ({
  kind: 'ignored',
  reason: `the comment neither mentions @${mention} nor begins a line with /${mention}`,
});

/**
 * Returns false for a comment that cannot address us. This is checked first, since parsing Markdown
 * is expensive.
 */
function mayAddress(body: string, { mention, waiting }: TriggerSettings): boolean {
  const text = body.toLowerCase();
  const word = mention.toLowerCase();
  return waiting !== null || text.includes(`@${word}`) || text.includes(`/${word}`);
}

/** Returns true if the words behind a mention are a verb, whatever the kind of thread. */
export function isVerb(words: string, settings: TriggerSettings): boolean {
  const [spoken = ''] = words.split('\n');
  return asBareVerb(withoutComma(words), { spoken, above: '', thread: 'pull_request', settings }) !== null;
}

const withoutComma = (words: string): string => words.replace(/^[^\S\n]*(?:[,:]+[^\S\n]*)?/u, '');

/** Reads the text after a mention: a verb if its row allows it (`@anode review`), else a task. */
function afterMention(body: string, reading: Reading): Command {
  const { settings } = reading;
  const leading = afterLeadingMention(body, settings.mention);
  const verb = leading?.sameLine ? asBareVerb(leading.words, reading) : null;
  if (verb !== null) return verb;
  const kind = settings.waiting === null ? 'task' : 'answer';
  if (leading === null) return { kind, text: body.trim(), note: null };
  if (leading.words === '') return help(null);
  if (!leading.sameLine) return { kind, text: leading.words, note: null };
  const suggestion = kind === 'task' ? misspeltVerb(leading.words, reading) : null;
  if (suggestion !== null) return suggestion;
  return withFlags(kind, leading.words, reading, false);
}

function asBareVerb(words: string, reading: Reading): Command | null {
  const { first, rest } = splitFirst(words);
  const kind = findVerb(first);
  if (kind === null) return null;
  const verb = verbOf(kind);
  // An approval must be a command, so that no sentence about one counts.
  if (verb.text === 'hash' && hashIn(rest) !== null)
    return help(`Type it as a command: \`/${reading.settings.mention} ${first} ${hashIn(rest)}\`.`);
  if (lacksWords(verb, first, rest, reading)) return asVerb(first, reading);
  if (verb.afterMention === 'words') return rest === '' ? null : asVerb(words, reading);
  if (verb.afterMention === 'id') return readFindingId(rest) === null ? null : asVerb(words, reading);
  const [line = ''] = rest.split('\n');
  const flags = readFlags(line, { spoken: reading.spoken, allowed: verb.flags, strict: false });
  const isAlone = flags.kind === 'flags' && flags.words === '';
  return verb.afterMention === 'alone' && isAlone ? asVerb(words, reading) : null;
}

/**
 * Returns true for a verb without the words that it needs, which must not become a task. While a
 * question waits, it may be the answer.
 */
function lacksWords(verb: Verb, first: string, rest: string, { settings }: Reading): boolean {
  if (settings.waiting !== null) return false;
  if (verb.text === 'hash') return pointing.test(rest);
  return rest === '' && !bareRequests.includes(first);
}

function asVerb(words: string, reading: Reading): Command | null {
  const { first, rest } = splitFirst(words);
  if (first === '') return help(null);
  const kind = findVerb(first);
  if (kind === null) return null;
  const { on } = verbOf(kind);
  if (!on.includes(reading.thread)) return help(`\`${kind}\` works on ${onlyOn[reading.thread]} only.`);
  const { waiting, isStateLost = false } = reading.settings;
  if (kind === 'answer' && waiting === null && !isStateLost)
    return help('No question waits for an answer on this thread.');
  if (verbOf(kind).text === 'hash' && reading.above !== '')
    return help(`\`${kind}\` counts in a comment of its own only.`);
  const command = withFlags(kind, rest, reading, true);
  if (command.kind === 'help') return command;
  const problem = missingWords(kind, command.text);
  if (problem === null) return command;
  if (verbOf(kind).text !== 'hash') return help(problem);
  return { ...help(command.text === '' ? null : problem), about: 'approvals' };
}

/** Words behind `approve` that name no other subject. */
const pointing =
  /^(?:(?:the|this|that|it|all|please|now|yes|plan|call|request|change|changes|pr|pull)[\s.,!]*)*$/iu;
/** A verb that is a whole request without the words that it takes. */
const bareRequests: readonly string[] = ['explain'];

/** Reads the verb's text and the flags around it. */
function withFlags(kind: VerbName, words: string, reading: Reading, strict: boolean): Command {
  const { flags: allowed, text: wanted } = verbOf(kind);
  const textOf = (own: string) => (wanted === 'none' ? '' : withAbove(kind, own, reading));
  // A hash on another line may be part of a quote.
  if (wanted === 'hash' && words.startsWith('\n')) return { kind, text: '', note: null };
  if (allowed.length === 0) return { kind, text: textOf(words.trim()), note: null };
  // Text on a line of its own has no flags.
  const read = words.startsWith('\n')
    ? { kind: 'flags' as const, flags: {}, words: words.trim() }
    : readFlags(words, { spoken: reading.spoken, allowed: allowed as readonly FlagName[], strict });
  if (read.kind === 'problem') return help(read.problem);
  const { incremental, checksOnly, ...flags }: Flags = read.flags;
  return {
    kind,
    text: textOf(read.words),
    note: null,
    ...omitUndefined({ incremental, checksOnly, flags: Object.keys(flags).length === 0 ? undefined : flags }),
  };
}

/**
 * Adds the text above a command to its own. An answer is compared with options, so it stays, and
 * the id of a finding comes first.
 */
function withAbove(kind: VerbName, words: string, { above }: Reading): string {
  if (kind === 'answer') return words;
  return (kind === 'dismiss' ? `${words}\n\n${above}` : `${above}\n\n${words}`).trim();
}

function missingWords(kind: VerbName, text: string): string | null {
  const { text: words } = verbOf(kind);
  if (words === 'hash' && hashIn(text) === null)
    return `\`${kind}\` needs the hash in my comment: 16 digits and letters from a to f.`;
  return words === 'required' && text === '' ? `\`${kind}\` needs words behind it.` : null;
}

/** The other kind of thread, for messages. */
const onlyOn = { pull_request: 'issues', issue: 'pull requests' } as const;

/** Explains an unknown verb with the nearest one that works here. */
function unknownVerb(words: string, { thread, settings }: Reading): Command {
  const { first } = splitFirst(words);
  const displayed = first.replace(/[^\p{L}\p{N}_-]/gu, '').slice(0, 40);
  const near = nearestVerb(displayed, thread);
  const suggestion = near === null ? '' : ` Did you mean \`/${settings.mention} ${near}\`?`;
  return help(`\`/${settings.mention} ${displayed}\` is not a command.${suggestion}`);
}

/**
 * Explains a word that is nearly a verb (`@anode fxi`, `@anode reveiw this`). A typo must not start
 * a run that may write. With text after it, one letter may differ in a long word.
 */
function misspeltVerb(words: string, { thread, settings }: Reading): Command | null {
  const [, word, rest = ''] = /^(\p{L}{3,20})[.!?]*((?:[^\S\n]+\S+){0,4})$/u.exec(words) ?? [];
  const name = word === undefined || findVerb(word) !== null ? null : nearestName(word, thread);
  const near = name === null ? null : findVerb(name);
  if (word === undefined || name === null || near === null) return null;
  if (rest !== '' && (word.length < 5 || editDistance(word.toLowerCase(), name) > 1)) return null;
  const command = `/${settings.mention}`;
  return help(
    `"${word}" is not a command, so nothing was started. Did you mean \`${command} ${near}\`? If it is the task itself, write \`${command} task ${word}${rest}\`.`,
  );
}

function nearestVerb(word: string, thread: Thread): VerbName | null {
  const near = nearestName(word, thread);
  return near === null ? null : findVerb(near);
}

/** Returns the name or alias of a verb of the thread that is nearest to a word. */
function nearestName(word: string, thread: Thread): string | null {
  const here = verbNames.filter((name) => verbOf(name).on.includes(thread));
  return nearestKey(
    word,
    here.flatMap((name) => [name, ...verbOf(name).aliases]),
  );
}

/** Returns the approval hash at the start of the text; null without one. */
export function hashIn(words: string): string | null {
  return /^`?([0-9a-f]{16})`?(?=\s|$)/i.exec(words)?.[1]?.toLowerCase() ?? null;
}

const help = (note: string | null): Command => ({ kind: 'help', text: '', note });

/**
 * Splits off the first word, without trailing punctuation. The rest begins with a line feed if its
 * line ends there.
 */
function splitFirst(words: string): { first: string; rest: string } {
  const word = /^\S*/.exec(words)?.[0] ?? '';
  const rest = words.slice(word.length);
  const first = word.replace(/(?<![,.:;!?])[,.:;!?]+$/, '');
  return { first: first.toLowerCase(), rest: /^[^\S\n]*\n/.test(rest) ? `\n${rest.trim()}` : rest.trim() };
}
