import type { Message, UserMessage } from '../../contract/message.ts';
import { askSummary, type SummaryRequest } from './ask-summary.ts';
import { bytesPerToken } from './estimate-tokens.ts';
import { fitMessages } from './fit-messages.ts';
import type { HistoryFold } from './history-fold.ts';
import { isNote, renderNote } from './render-note.ts';
import { type SplitConversation, splitConversation } from './split-conversation.ts';

/** Fewer tokens are never worth a call of the model and a new prefix. */
const leastSaved = 1_000;
/** Of the window the note takes no more than this, and never more characters than that. */
const noteShare = 0.1;
const longestNote = 24_000;
const shortestNote = 3_000;

/** A conversation whose older turns are a note. */
export interface Compacted {
  readonly messages: readonly Message[];
  /** The note, for the record. */
  readonly note: string;
  /** Who wrote the summary in it. */
  readonly by: 'model' | 'record';
  /** How many messages it stands for. */
  readonly replaced: number;
}

/** What a compaction works on. */
export interface CompactionOptions {
  /** The newest tokens, by our own estimate, which stay as they are. */
  readonly recent: number;
  /** What the model takes, in tokens. */
  readonly window: number;
  readonly history: HistoryFold;
  readonly summary: SummaryRequest;
  /** What to keep above all, in the model's own words; null for nothing in particular. */
  readonly instructions: string | null;
  /** Tokens that a request for the summary may have, by our own estimate. */
  readonly most: number;
}

/**
 * Puts the older turns together in a note behind the parts of the first message, which stays word for word, and so does
 * everything from the newest `recent` tokens on. Null where less than `least` tokens, by our own estimate, would go into it.
 */
export async function compactConversation(
  messages: readonly Message[],
  options: CompactionOptions & { readonly least: number },
): Promise<Compacted | null> {
  const split = splitConversation(messages, options.recent);
  if (split === null || split.headTokens < Math.max(leastSaved, options.least)) return null;
  return compactHead(split, options);
}

/** The same for what was cut already. */
export async function compactHead(
  { head, tail, headTokens }: SplitConversation,
  { window, history, summary, instructions, most }: CompactionOptions,
): Promise<Compacted> {
  const [first] = head;
  const shown = headTokens > most ? fitMessages(head, headTokens - most, 0).messages : head;
  const words = await askSummary(shown, instructions, summary);
  // Where there is no new one, what an earlier summary said is still better than nothing.
  if (words !== '') history.summarised(words);
  const note = renderNote({
    history: history.history,
    todos: history.todos,
    experiment: history.experiment,
    turn: history.turn - turnsIn(tail) - 1,
    room: Math.min(longestNote, Math.max(shortestNote, window * bytesPerToken * noteShare)),
  });
  return {
    messages: [withNote(first, note), ...tail],
    note,
    by: words === '' ? 'record' : 'model',
    replaced: head.length - 1,
  };
}

/** The first message with this note in place of an earlier one. */
function withNote(first: Message | undefined, note: string): UserMessage {
  const parts = first?.role === 'user' ? first.parts : [];
  const own = parts.filter((part, index) => index === 0 || part.type !== 'text' || !isNote(part.text));
  return { role: 'user', parts: [...own, { type: 'text', text: note }] };
}

function turnsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}
