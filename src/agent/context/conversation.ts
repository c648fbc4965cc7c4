import type { ContextBounds } from '../../config/model-settings.ts';
import type { Advert, Message } from '../../contract/message.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import type { ContextSize } from '../../tools/tool.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { Model } from '../models/model.ts';
import type { Compacted, CompactionOptions } from './compact-conversation.ts';
import { contextRoom, newContextMeter, textTokens } from './context-size.ts';
import type { HistoryFold } from './history-fold.ts';
import type { LoopRequests } from './loop-requests.ts';
import { fitMessages, pruneImages, pruneResults } from './shorten-messages.ts';
import { splitConversation, wholeHead } from './split-conversation.ts';

/** What a conversation is kept for and by: a part of the run. */
export interface ConversationRun {
  readonly model: Model;
  readonly system: string;
  readonly adverts: readonly Advert[];
  readonly profile: { readonly effort: number };
  readonly messages: readonly Message[];
  readonly context: ContextBounds;
  readonly history: HistoryFold;
  readonly budget: Pick<RunBudget, 'spend'>;
  readonly requests: LoopRequests;
  readonly record: (entry: RunEntry) => void;
  readonly ledger: { record(entry: RunEntry): void };
  readonly signal: AbortSignal;
}

/** The conversation of one run, which stays within what its model takes. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** Adds a message and records it. */
  say(message: Message): void;
  /** The provider's count for the last request; called before its reply is added. */
  count(usage: Usage): void;
  size(): ContextSize;
  /** Before a request: shortens what has become too long, or was asked to be short. */
  makeRoom(): Promise<void>;
  /** After the provider took the request for too long: false where nothing can be shortened. */
  shrink(): Promise<boolean>;
}

/** Compacting must save this share of what may be filled, or cutting long texts is the better way. */
const worthShare = 0.1;
/** A provider that refuses so few tokens does so for another reason. */
const leastRefused = 4_000;
/** A request it found too long tells how much it takes: less than that. */
const refusedShare = 0.95;
/** Where system prompt and tools take more than this share of what may be filled, somebody should know. */
const mostFixed = 0.5;
/** What is left for the words that ask for a summary, and for the summary, when the window is full otherwise. */
const summaryShare = 0.95;

/** Opens it with the messages that are recorded already. */
export function openConversation(run: ConversationRun): Conversation {
  const fixed = textTokens(run.system) + textTokens(JSON.stringify(run.adverts));
  const meter = newContextMeter(fixed);
  let warned = false;
  let messages: Message[] = [...run.messages];
  meter.replace(messages);
  /** What was refused as too long was more than this, whatever the window is said to be. */
  let mostTaken = Number.POSITIVE_INFINITY;
  // Asked anew each time: another model, with another window, may have taken over.
  const windowNow = () => Math.min(run.model.contextWindow, mostTaken);
  let room = contextRoom(windowNow(), run.context);

  const replace = (others: readonly Message[], before: number, told: { note: string; kept?: string }) => {
    messages = [...others];
    meter.replace(messages);
    run.record({ type: 'compaction', before_tokens: before, after_tokens: meter.tokens(), ...told });
  };
  const spend = (usage: Usage) => {
    const cost = run.model.cost(usage);
    run.budget.spend(usage, cost);
    run.record({ type: 'usage', turn: run.history.turn, usage, cost_usd: cost });
  };
  const options = (instructions: string | null): CompactionOptions => ({
    recent: meter.estimated(room.recent),
    window: room.window,
    history: run.history,
    instructions,
    most: meter.estimated(room.window * summaryShare) - fixed,
    summary: {
      model: run.model,
      system: run.system,
      adverts: run.adverts,
      effort: run.profile.effort,
      signal: run.signal,
      spend,
    },
  });
  const replaceBy = ({ messages: others, note, by, replaced }: Compacted, before: number) => {
    const words = by === 'model' ? 'summarised by the model' : 'listed from the record, without a summary';
    replace(others, before, { note: `${replaced} older messages were ${words}.`, kept: note });
  };

  /** Makes room down to `most` tokens if that can be done. True where anything was shortened. */
  const shorten = async (most: number, instructions: string | null, summarise: boolean): Promise<boolean> => {
    const start = meter.tokens();
    let shortened = false;
    if (summarise) {
      const { compactConversation } = await import('./compact-conversation.ts');
      const least = most < start ? meter.estimated(room.full * worthShare) : 0;
      const compacted = await compactConversation(messages, { ...options(instructions), least });
      if (compacted !== null) replaceBy(compacted, start);
      shortened = compacted !== null;
    } else {
      const spare = start > room.full ? meter.estimated(start - room.roomy) : 0;
      const pruned = pruneResults(messages, spare, meter.estimated(room.recent));
      if (pruned !== null)
        replace(pruned.messages, start, { note: `Old results that words replaced: ${pruned.removed}.` });
      shortened = pruned !== null;
    }
    if (meter.tokens() <= most) return shortened;
    const before = meter.tokens();
    const spare = meter.estimated(before - Math.min(most, room.roomy));
    const fitted = fitMessages(messages, spare, meter.estimated(room.recent));
    if (fitted.cut > 0)
      replace(fitted.messages, before, { note: `Texts that were cut to fit: ${fitted.cut}.` });
    shortened ||= fitted.cut > 0;
    if (meter.tokens() <= most || !summarise) return shortened;
    // What fills the window now is what the model said itself: nothing of it can be cut, so all of it is summarised.
    const { compactHead } = await import('./compact-conversation.ts');
    const split = wholeHead(messages);
    if (split === null || meter.tokens() <= room.window) return shortened;
    replaceBy(await compactHead(split, options(instructions)), meter.tokens());
    return true;
  };

  return {
    get messages() {
      return messages;
    },
    say(message) {
      messages.push(message);
      meter.add(message);
      run.ledger.record({ type: 'message', message });
    },
    count: (usage) => meter.count(usage),
    size: () => ({
      window: room.window,
      used: meter.tokens(),
      full: run.context.compactEnabled ? room.full : null,
      recent: room.recent,
      older: splitConversation(messages, meter.estimated(room.recent))?.headTokens ?? 0,
    }),
    async makeRoom() {
      room = contextRoom(windowNow(), run.context);
      if (!warned && fixed > room.full * mostFixed) {
        warned = true;
        const message = `The system prompt and the tools alone take about ${Math.round(fixed)} of the ${room.full} tokens that may be filled, which leaves little for the work: set context.window, or providers.<name>.modelDefaults.<model>.maxContextTokens, to what the model takes, or tools.profile to ds4.`;
        run.record({ type: 'diagnostic', level: 'warning', message });
      }
      const pruned = meter.images() === 0 ? null : pruneImages(messages, { tokens: meter.tokens(), room });
      if (pruned !== null)
        replace(pruned.messages, meter.tokens(), {
          note: `Old images that words replaced: ${pruned.removed}.`,
        });
      const asked = run.requests.compact;
      run.requests.compact = null;
      const full = meter.tokens() > room.full;
      if (asked === null && !full) return;
      const most = full ? room.full : Number.POSITIVE_INFINITY;
      await shorten(most, asked?.instructions ?? null, asked !== null || run.context.compactEnabled);
    },
    async shrink() {
      const refused = meter.tokens();
      if (refused < leastRefused) return false;
      const configured = windowNow();
      mostTaken = Math.min(configured, Math.floor(refused * refusedShare));
      room = contextRoom(mostTaken, run.context);
      if (!(await shorten(room.full, null, run.context.compactEnabled))) return false;
      if (refused < configured) {
        const message = `The model took ${refused} tokens for too many, of the ${configured} it is taken to have: set providers.<name>.modelDefaults.<model>.maxContextTokens.`;
        run.record({ type: 'diagnostic', level: 'warning', message });
      }
      return true;
    },
  };
}
