import type { RunHost } from '../../config/parse-repository-config.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import type { Autorun } from '../../contract/thread-records.ts';
import type { VerbName } from '../../contract/verbs.ts';
import type { Flags } from './flags.ts';

/** The actor that an event names; its type is unconfirmed until the API is asked. */
export interface TriggerActor {
  readonly login: string;
  readonly id: number;
  readonly type: string;
}

/**
 * Position of a review comment in a diff. `line` is null for a whole file or an outdated comment.
 */
export interface TriggerLocation {
  readonly path: string;
  readonly line: number | null;
  readonly side: 'LEFT' | 'RIGHT';
  readonly diff_hunk: string;
  /** The first comment of the conversation; null if this one begins it. */
  readonly root_id: number | null;
}

/** A request in an event. `authorize` decides whether the actor may make it. */
export interface Trigger {
  readonly kind: VerbName;
  /** True if no person asked: a pull request was opened or pushed to. */
  readonly automated: boolean;
  /** `issue_comment.created`, `pull_request.synchronize`. */
  readonly event: string;
  /** Reviews with the checks only, without a model. */
  readonly checksOnly?: boolean | undefined;
  /** Scope of the review of a head that a run of ours made. Default: the head is not ours. */
  readonly ownCommit?: RunPlan['own_commit'];
  /** The failed build that started it: if our own push did, and the file of its workflow. */
  readonly build?: { readonly isOwn: boolean; readonly path: string | null };
  /** Reviews only changes since the last review. */
  readonly incremental?: boolean | undefined;
  /** Other options of the run. Default: none. */
  readonly flags?: Flags | undefined;
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly kind: 'pull_request' | 'issue'; readonly number: number };
  readonly actor: TriggerActor;
  /** Text after the verb, as written and not yet sanitised. A hash for `approve` and `deny`. */
  readonly text: string;
  /** For `help`: the problem with a command; null for a request for help. */
  readonly note: string | null;
  /**
   * For `help`: another subject than the commands. `approvals` lists what can be approved, `thanks`
   * gets a reaction.
   */
  readonly about?: 'approvals' | 'thanks' | undefined;
  readonly comment: { readonly id: number; readonly kind: 'issue_comment' | 'review_comment' } | null;
  readonly location: TriggerLocation | null;
  /** The commands of a comment with several, each as a comment of its own. */
  readonly commands?: readonly string[];
  /** True for an answer that does not name us. It gets no reply if it does not count. */
  readonly unaddressed?: boolean | undefined;
  /** The finding of ours that an answer dismisses, in the words of `text`. */
  readonly dismisses?: { readonly id: string };
  /** Time of the request by GitHub's clock, ISO 8601. The model sees nothing later. */
  readonly at: string;
  /** The head in a `pull_request` event; null for other events. */
  readonly head_sha: string | null;
  /** The text of our own comment before and after an edit. */
  readonly edited?: EditedComment;
  /** The timer of an unanswered question, if no person caused the event. */
  readonly timer?: { readonly kind: 'reminder' | 'deadline'; readonly run_id: string };
  readonly installation_id: number | null;
}

/** An edit of our comment, as GitHub reports it. */
export interface EditedComment {
  readonly from: string;
  readonly body: string;
}

/** An event that starts nothing, with the reason for the log. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly reason: string;
}

/** Settings and stored state that decide whether an event is a trigger. */
export interface TriggerSettings {
  /** The word after `@` and `/`, such as `anode`. */
  readonly mention: string;
  /** The verb that each label starts, such as `implement` for `anode:implement`. */
  readonly labels: Readonly<Record<string, VerbName>>;
  /** Further accounts whose assignment or review request starts a run. */
  readonly accounts: readonly string[];
  /** Exact logins of bots that may start runs. */
  readonly allowBots: readonly string[];
  /** Host of the run, which says where a rejected bot may be named. Default: the App. */
  readonly host?: RunHost;
  readonly autoReview: boolean;
  readonly reviewDrafts: boolean;
  /** Scope of reviews of a head that a run of ours made. Default: `checks`. */
  readonly ownCommits?: RunPlan['own_commit'];
  /** Our own accounts, such as `anode-ci[bot]`; their events start nothing. */
  readonly ownLogins: readonly string[];
  /** The waiting question that the event is about; null for none. */
  readonly waiting: Question | null;
  /** True if the question that an answer is about may be stored no longer. Default: false. */
  readonly isStateLost?: boolean;
  /** True if the comment stands in the review thread in which that question was asked. */
  readonly isInQuestionThread?: boolean;
  /** The finding of ours that the comment's thread is about, if its text may dismiss it. */
  readonly finding?: { readonly id: string } | null;
  /** The comment with that question, if it has boxes. */
  readonly questionComment?: number | null;
  /** The comment that asks to confirm a pending request. */
  readonly confirmationComment?: number | null;
  /** The handoff that allows our own label to start a run for its requester. */
  readonly autorun?: Autorun | null;
}
