import type { ContextBounds } from '../../config/defaults.ts';
import type { Conclusion, StopReason } from '../../contract/limits.ts';
import type { Message, ToolDefinition } from '../../contract/message.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { RunHistory } from '../../contract/run-history.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { SessionUsage, Usage } from '../../contract/usage.ts';
import type { HistoryFold } from '../context/history-fold.ts';
import type { LoopRequests } from '../context/loop-requests.ts';
import type { RunLedger } from '../ledger/open-run-ledger.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import type { Model } from '../models/model.ts';
import type { Profile } from '../profiles/profiles.ts';
import type { TurnReminder } from '../reminders/turn-reminders.ts';
import type { AnswerForm } from './answer-form.ts';
import type { OpenCall } from './run-tree.ts';
import type { ToolCalls } from './tool-calls.ts';

/** Everything the loop needs; nothing in it knows GitHub or a credential. */
export interface AgentRun {
  readonly model: Model;
  readonly profile: Profile;
  readonly system: string;
  /** The conversation so far, ending with a user message. */
  readonly messages: readonly Message[];
  /** A call to make first, whose result the conversation lacks. Default: none. */
  readonly open?: Pick<OpenCall, 'call' | 'pending' | 'complete'> | null;
  /** Turns an earlier part of the session already took. */
  readonly turnsBefore: number;
  /** Usage of earlier parts that the budget does not count. Default: none. */
  readonly uncounted?: Pick<SessionUsage, 'usage' | 'cost_usd' | 'duration_ms'>;
  readonly maxTurns: number;
  readonly budget: RunBudget;
  readonly toolDefinitions: readonly ToolDefinition[];
  /** When older turns are summarised, and how much never is. */
  readonly context: ContextBounds;
  /** The folded ledger. It receives every entry of `record` and of the tools. */
  readonly history: HistoryFold;
  readonly record: (entry: RunEntry) => void;
  /** Made at the first call, or while the first request is under way. */
  readonly toolCalls: () => Promise<ToolCalls>;
  /** The tools' requests to the loop: the object that their context has too. */
  readonly requests: LoopRequests;
  /** Called after each turn with calls; their texts are added after the results. */
  readonly reminders: readonly TurnReminder[];
  /**
   * The children beside it: `unfinished` returns, once, that some still run; `end` ends them.
   * Default: none.
   */
  readonly children?: { unfinished(): string | null; end(): Promise<void> };
  /** The form of the final answer. Left out: any text. */
  readonly answerForm?: AnswerForm | undefined;
  readonly ledger: RunLedger;
  readonly listen: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** The end of the loop, with the conversation for a session that continues later. */
export interface AgentResult {
  readonly conclusion: Conclusion;
  readonly answer: string;
  readonly stop: StopReason | null;
  readonly turns: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly durationMs: number;
  readonly messages: readonly Message[];
  /** Stored history of turns that were or will be summarised. */
  readonly history: RunHistory;
  /** The call that waits for its result, an answer or an approval, when the run is waiting. */
  readonly waitingCallId: string | null;
}
