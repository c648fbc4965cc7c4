import { chosenOption } from './chosen-option.ts';
import { mentions, slashCommand, spokenText, withoutLeadingMention } from './command-text.ts';
import type { Ignored, Trigger, TriggerSettings } from './trigger.ts';
import { findVerb, type VerbName, verbOf } from './verbs.ts';

type Thread = Trigger['thread']['kind'];

/** What a comment asks for, without who asks it where. */
export type Command = Pick<Trigger, 'kind' | 'text' | 'note' | 'incremental' | 'checksOnly'>;

/**
 * What a comment says to us, as the words on the page say it: a command as its first word, a mention anywhere, or
 * nothing but an option of the question that waits. Pure, and total: any text gives an answer.
 */
export function readCommand(body: string, thread: Thread, settings: TriggerSettings): Command | Ignored {
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
  return {
    kind: 'ignored',
    reason: `the comment neither mentions @${settings.mention} nor begins with /${settings.mention}`,
  };
}

/** After a mention, a verb counts where its row says so: `@anode review`, `@anode answer blue`. */
function asBareVerb(words: string, thread: Thread, settings: TriggerSettings): Command | null {
  const { first, rest } = splitFirst(words);
  const kind = findVerb(first);
  if (kind === null) return words === '' ? help(null) : null;
  const verb = verbOf(kind);
  // What lets a call through is a command of its own, so that no sentence about one can be taken for it.
  if (verb.words === 'hash' && hashIn(rest) !== null)
    return help(`Type it as a command: \`/${settings.mention} ${first} ${hashIn(rest)}\`.`);
  const alone = kind === 'review' ? reviewCommand(rest).text === '' : rest === '';
  const counts = verb.afterMention === 'words' ? rest !== '' : verb.afterMention === 'alone' && alone;
  return counts ? asVerb(words, thread, settings) : null;
}

function asVerb(words: string, thread: Thread, settings: TriggerSettings): Command | null {
  const { first, rest } = splitFirst(words);
  if (first === '') return help(null);
  const kind = findVerb(first);
  if (kind === null) return null;
  const problem = unfit(kind, rest, thread, settings);
  if (problem !== null) return help(problem);
  if (kind === 'review') return reviewCommand(rest);
  return { kind, text: verbOf(kind).words === 'none' ? '' : rest, note: null };
}

/** Why a verb cannot be carried out as it stands; null where it can. */
function unfit(kind: VerbName, rest: string, thread: Thread, settings: TriggerSettings): string | null {
  const { on, words } = verbOf(kind);
  if (!on.includes(thread)) return `\`${kind}\` works on ${onlyOn[thread]} only.`;
  if (kind === 'answer' && settings.waiting === null)
    return 'No question waits for an answer on this thread.';
  if (words === 'hash' && hashIn(rest) === null)
    return `\`${kind}\` needs the hash that stands in my comment: 16 digits and letters from a to f.`;
  if (words === 'required' && rest === '') return `\`${kind}\` needs words behind it.`;
  return null;
}

/** By the thread that a verb was asked for on, the other one. */
const onlyOn = { pull_request: 'issues', issue: 'pull requests' } as const;

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

function splitFirst(words: string): { first: string; rest: string } {
  const first = /^\S*/.exec(words)?.[0] ?? '';
  return { first: first.toLowerCase(), rest: words.slice(first.length).trim() };
}
