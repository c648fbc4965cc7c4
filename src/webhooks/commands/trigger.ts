import type { Question } from '../../contract/run-results.ts';
import type { Autorun } from '../../contract/thread-records.ts';
import type { VerbName } from '../../contract/verbs.ts';
import type { Flags } from './flags.ts';

/** The account an event names as its actor; the type is the payload's claim until the API confirms it. */
export interface TriggerActor {
  readonly login: string;
  readonly id: number;
  readonly type: string;
}

/** Where in a diff a review comment stands; `line` is null for a comment on a whole file or an outdated one. */
export interface TriggerLocation {
  readonly path: string;
  readonly line: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly diff_hunk: string;
  /** The first comment of the conversation that this one answers; null where it begins one. */
  readonly root_id: number | null;
}

/** An event that asks for something. Whether the actor may ask is `authorize`'s question. */
export interface Trigger {
  readonly kind: VerbName;
  /** True where no person asked: a pull request was opened or pushed to. */
  readonly automated: boolean;
  /** `issue_comment.created`, `pull_request.synchronize`. */
  readonly event: string;
  /** Of a review: true where the checks alone are to look, without a model. */
  readonly checksOnly?: boolean;
  /** Of a review: true where only what is new since the last one is to be looked at. */
  readonly incremental?: boolean;
  /** What else was asked of the run; left out where nothing was. */
  readonly flags?: Flags;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  readonly actor: TriggerActor;
  /** The requester's words after the verb, as written: not yet sanitised. Empty where the verb says it all; a hash for `approve` and `deny`. */
  readonly text: string;
  /** For `help`: what was wrong with the command; null where help was what was asked for. */
  readonly note: string | null;
  readonly comment: { readonly id: number; readonly kind: 'issue_comment' | 'review_comment' } | null;
  readonly location: TriggerLocation | null;
  /** When it was asked, by GitHub's clock, ISO 8601: what came later is not shown to the model. */
  readonly at: string;
  /** The head a `pull_request` event names; null for events that name none. */
  readonly head_sha: string | null;
  /** Given where somebody edited our own comment: how it read before and after. */
  readonly edited?: EditedComment;
  /** Given where no person did anything: a question of ours waited for so long. */
  readonly alarm?: { readonly kind: 'reminder' | 'deadline'; readonly run_id: string };
  readonly installation_id: number | null;
}

/** A comment of ours that somebody edited, as GitHub tells of it. */
export interface EditedComment {
  readonly from: string;
  readonly body: string;
}

/** An event that starts nothing, and why, for the log. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly reason: string;
}

/** What decides whether an event is a trigger, all of it known before. */
export interface TriggerSettings {
  /** The word after `@` and `/`, such as `anode`. */
  readonly mention: string;
  /** What each label starts, such as `anode:implement` an implementation. */
  readonly labels: Readonly<Record<string, VerbName>>;
  /** Accounts besides our own whose assignment, or whose review being asked for, starts a run. */
  readonly accounts: readonly string[];
  /** Exact logins of bots that may start runs. */
  readonly allowBots: readonly string[];
  readonly autoReview: boolean;
  readonly reviewDrafts: boolean;
  /** Our own accounts, such as `anode-ci[bot]`: their events never start anything. */
  readonly ownLogins: readonly string[];
  /** The question that waits and is meant; null where none waits. */
  readonly waiting: Question | null;
  /** The comment with that question, where it has boxes. */
  readonly asked?: number | null;
  /** The comment that asks whether what is held is to run, where one does. */
  readonly confirms?: number | null;
  /** What lets our own label start a run, on behalf of whoever asked for the one before. */
  readonly autorun?: Autorun | null;
}
