import type { Change } from '../../contract/change.ts';
import type { Decision } from '../../contract/decision.ts';
import type { Conclusion } from '../../contract/limits.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Clip } from './render-text.ts';

/** A run from its ledger, in order, each text clipped to what a page can display. */
export interface RunStory {
  readonly started: Extract<RunEntry, { type: 'run.started' }> | null;
  /** ISO 8601; '' for an empty ledger. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** False if the ledger has no end. */
  readonly finished: boolean;
  /** Events before the first turn. */
  readonly before: readonly StoryItem[];
  readonly turns: readonly StoryTurn[];
}

export interface StoryTurn {
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  /** The model's text as Markdown; null if there is none. */
  readonly text: Clip | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  /** Tokens used by child runs of this turn. */
  readonly childTokens: number;
  readonly items: readonly StoryItem[];
}

export type StoryItem = StoryCall | StoryChild | StoryEvent;

/** A tool call with what came of it; calls inside it and child runs it started are its items. */
export interface StoryCall {
  readonly kind: 'call';
  readonly id: string;
  readonly tool: string;
  readonly what: string;
  readonly input: Clip;
  readonly decision: Decision | null;
  /** Null if the run ended before the call. */
  readonly result: StoryResult | null;
  readonly refused: boolean;
  readonly changes: readonly StoryChange[];
  readonly items: readonly StoryItem[];
}

export interface StoryResult {
  readonly ok: boolean;
  readonly content: Clip;
  readonly errorKind: string | null;
  readonly spilled: boolean;
  readonly durationMs: number;
}

export interface StoryChild {
  readonly kind: 'child';
  readonly id: string;
  readonly title: string;
  readonly profile: string;
  readonly result: {
    readonly conclusion: Conclusion;
    readonly summary: Clip;
    readonly turns: number;
    readonly tokens: number;
    /** In US dollars; null where a price was unknown. */
    readonly costUsd: number | null;
  } | null;
  readonly changes: readonly StoryChange[];
  readonly items: readonly StoryItem[];
}

export type StoryChange = Pick<Change, 'path' | 'kind' | 'old_path' | 'risk' | 'validation'> & {
  readonly diff: Clip;
};

/** Any other entry of the ledger: one line for a person, and more below it. */
export interface StoryEvent {
  readonly kind: 'event';
  readonly tone: 'plain' | 'good' | 'warning' | 'bad';
  readonly text: string;
  readonly more: Clip | null;
}
