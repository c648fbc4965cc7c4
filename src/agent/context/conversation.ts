import type { ContextBounds } from '../../config/defaults.ts';
import type { Message, ToolDefinition } from '../../contract/message.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import type { ContextSize } from '../../tools/tool.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { Model } from '../models/model.ts';
import type { Compacted, CompactionOptions } from './compact-conversation.ts';
import {
  type ContextBudget,
  type ContextMeter,
  contextBudget,
  newContextMeter,
  textTokens,
} from './context-size.ts';
import type { HistoryFold } from './history-fold.ts';
import type { LoopRequests } from './loop-requests.ts';
import { fitMessages, pruneImages, pruneResults } from './shorten-messages.ts';
import { splitConversation, wholeHead } from './split-conversation.ts';

/** The parts of a run that its conversation uses. */
export interface ConversationRun {
  readonly model: Model;
  readonly system: string;
  readonly toolDefinitions: readonly ToolDefinition[];
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

/** The conversation of one run, bounded by its model's window. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** Adds a message and records it. */
  say(message: Message): void;
  /** The provider's count for the last request; called before its reply is added. */
  count(usage: Usage): void;
  size(): ContextSize;
  /** Before a request: shortens what has become too long, or was asked to be short. */
  compactIfFull(): Promise<void>;
  /** After the provider took the request for too long: false where nothing can be shortened. */
  shrink(): Promise<boolean>;
}

/**
 * Compacting must save this share of what may be filled, or cutting long texts is the better way.
 */
const worthShare = 0.1;
/** A provider that refuses so few tokens does so for another reason. */
const leastRefused = 4_000;
/** A request that was too long shows the window's size: less than this share of its tokens. */
const refusedShare = 0.95;
/** Above this share of the allowed part, system prompt and tools cause a warning. */
const mostFixed = 0.5;
/** Share of a full window that remains for the request for a summary and its answer. */
const summaryShare = 0.95;

/** Opens a conversation with messages that are recorded already. */
export function openConversation(run: ConversationRun): Conversation {
  return new RunConversation(run);
}

class RunConversation implements Conversation {
  readonly #run: ConversationRun;
  /** Tokens of system prompt and tools. */
  readonly #fixed: number;
  readonly #meter: ContextMeter;
  #messages: Message[];
  #hasWarned = false;
  /**
   * Size of the smallest request that the provider refused as too long, whatever window is
   * configured.
   */
  #mostTaken = Number.POSITIVE_INFINITY;
  #room: ContextBudget;

  constructor(run: ConversationRun) {
    this.#run = run;
    this.#fixed = textTokens(run.system) + textTokens(JSON.stringify(run.toolDefinitions));
    this.#meter = newContextMeter(this.#fixed);
    this.#messages = [...run.messages];
    this.#meter.replace(this.#messages);
    this.#room = contextBudget(this.#window(), run.context);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  say(message: Message): void {
    this.#messages.push(message);
    this.#meter.add(message);
    this.#run.ledger.record({ type: 'message', message });
  }

  count(usage: Usage): void {
    this.#meter.count(usage);
  }

  size(): ContextSize {
    const { window, full, recent } = this.#room;
    return {
      window,
      used: this.#meter.tokens(),
      full: this.#run.context.compactEnabled ? full : null,
      recent,
      older: splitConversation(this.#messages, this.#meter.estimated(recent))?.headTokens ?? 0,
    };
  }

  async compactIfFull(): Promise<void> {
    const { context, requests } = this.#run;
    this.#room = contextBudget(this.#window(), context);
    this.#warnOfFixed();
    this.#pruneImages();
    const { compact } = requests;
    requests.compact = null;
    const isFull = this.#meter.tokens() > this.#room.full;
    if (compact === null && !isFull) return;
    const most = isFull ? this.#room.full : Number.POSITIVE_INFINITY;
    await this.#shorten(most, compact?.instructions ?? null, compact !== null || context.compactEnabled);
  }

  async shrink(): Promise<boolean> {
    const { context } = this.#run;
    const refused = this.#meter.tokens();
    if (refused < leastRefused) return false;
    const configured = this.#window();
    this.#mostTaken = Math.min(configured, Math.floor(refused * refusedShare));
    this.#room = contextBudget(this.#mostTaken, context);
    if (!(await this.#shorten(this.#room.full, null, context.compactEnabled))) return false;
    if (refused < configured)
      this.#warn(
        `The model took ${refused} tokens for too many, of the ${configured} it is taken to have: set providers.<name>.modelDefaults.<model>.maxContextTokens.`,
      );
    return true;
  }

  /** Read anew each time, as a fallback model may have another window. */
  #window(): number {
    return Math.min(this.#run.model.contextWindow, this.#mostTaken);
  }

  #warn(message: string): void {
    this.#run.record({ type: 'diagnostic', level: 'warning', message });
  }

  #warnOfFixed(): void {
    const { full } = this.#room;
    if (this.#hasWarned || this.#fixed <= full * mostFixed) return;
    this.#hasWarned = true;
    this.#warn(
      `The system prompt and the tools alone take about ${Math.round(this.#fixed)} of the ${full} tokens that may be filled, which leaves little for the work: set context.window, or providers.<name>.modelDefaults.<model>.maxContextTokens, to what the model takes, or tools.profile to ds4.`,
    );
  }

  #pruneImages(): void {
    const tokens = this.#meter.tokens();
    const pruned =
      this.#meter.images() === 0 ? null : pruneImages(this.#messages, { tokens, budget: this.#room });
    if (pruned !== null)
      this.#replace(pruned.messages, tokens, { note: `Old images that words replaced: ${pruned.removed}.` });
  }

  #replace(
    messages: readonly Message[],
    before: number,
    about: { readonly note: string; readonly kept?: string },
  ): void {
    this.#messages = [...messages];
    this.#meter.replace(this.#messages);
    const after = this.#meter.tokens();
    this.#run.record({ type: 'compaction', before_tokens: before, after_tokens: after, ...about });
  }

  #replaceBy({ messages, summary: note, by, replaced }: Compacted, before: number): void {
    const how = by === 'model' ? 'summarised by the model' : 'listed from the record, without a summary';
    this.#replace(messages, before, { note: `${replaced} older messages were ${how}.`, kept: note });
  }

  #options(instructions: string | null): CompactionOptions {
    const { model, system, toolDefinitions, profile, signal, history } = this.#run;
    const { recent, window } = this.#room;
    return {
      recent: this.#meter.estimated(recent),
      window,
      history,
      instructions,
      most: this.#meter.estimated(window * summaryShare) - this.#fixed,
      summary: {
        ...{ model, system, toolDefinitions, effort: profile.effort, signal },
        spend: (usage) => this.#spend(usage),
      },
    };
  }

  #spend(usage: Usage): void {
    const { model, budget, record, history } = this.#run;
    const cost = model.cost(usage);
    budget.spend(usage, cost);
    record({ type: 'usage', turn: history.turn, usage, cost_usd: cost });
  }

  /**
   * Shortens the conversation to `most` tokens if possible. Returns true if anything was shortened.
   */
  async #shorten(most: number, instructions: string | null, summarise: boolean): Promise<boolean> {
    const isShorter = summarise ? await this.#compact(most, instructions) : this.#pruneResults();
    if (this.#meter.tokens() <= most) return isShorter;
    const isCut = this.#cutTexts(most);
    if (this.#meter.tokens() <= most || !summarise) return isShorter || isCut;
    return (await this.#compactAll(instructions)) || isShorter || isCut;
  }

  async #compact(most: number, instructions: string | null): Promise<boolean> {
    const before = this.#meter.tokens();
    const { compactConversation } = await import('./compact-conversation.ts');
    const least = most < before ? this.#meter.estimated(this.#room.full * worthShare) : 0;
    const options = { ...this.#options(instructions), least };
    const compacted = await compactConversation(this.#messages, options);
    if (compacted !== null) this.#replaceBy(compacted, before);
    return compacted !== null;
  }

  #pruneResults(): boolean {
    const before = this.#meter.tokens();
    const { full, target: roomy, recent } = this.#room;
    const spare = before > full ? this.#meter.estimated(before - roomy) : 0;
    const pruned = pruneResults(this.#messages, spare, this.#meter.estimated(recent));
    if (pruned !== null)
      this.#replace(pruned.messages, before, { note: `Old results that words replaced: ${pruned.removed}.` });
    return pruned !== null;
  }

  #cutTexts(most: number): boolean {
    const before = this.#meter.tokens();
    const spare = this.#meter.estimated(before - Math.min(most, this.#room.target));
    const { messages, cut } = fitMessages(this.#messages, spare, this.#meter.estimated(this.#room.recent));
    if (cut > 0) this.#replace(messages, before, { note: `Texts that were cut to fit: ${cut}.` });
    return cut > 0;
  }

  /**
   * Summarises the whole conversation, as the model's own text fills the window and cannot be cut.
   */
  async #compactAll(instructions: string | null): Promise<boolean> {
    const split = wholeHead(this.#messages);
    if (split === null || this.#meter.tokens() <= this.#room.window) return false;
    const { compactHead } = await import('./compact-conversation.ts');
    this.#replaceBy(await compactHead(split, this.#options(instructions)), this.#meter.tokens());
    return true;
  }
}
