import * as z from 'zod';
import { Preset, SandboxMode } from './levels.ts';
import { RunLimits } from './limits.ts';
import { effortNames } from './profile-names.ts';
import { repositoryPermissions } from './repository-permissions.ts';
import { TriageChoices } from './run-results.ts';
import { Chat, HiddenFinding } from './thread.ts';
import { runVerbs } from './verbs.ts';

/**
 * An account as GitHub's API names it; `permission` is its permission on the repository, from the
 * API.
 */
export const Requester = z.object({
  login: z.string(),
  id: z.int(),
  type: z.enum(['User', 'Bot', 'Organization', 'Mannequin']),
  permission: z.enum(repositoryPermissions),
});
export type Requester = z.infer<typeof Requester>;

export const RepositoryRef = z.object({
  owner: z.string(),
  name: z.string(),
  default_branch: z.string(),
  /** https (or the stand-in's http) without credentials. */
  clone_url: z.string(),
  private: z.boolean(),
});
export type RepositoryRef = z.infer<typeof RepositoryRef>;

/** The thread a run answers on. */
export const ThreadRef = z.object({
  kind: z.enum(['pull_request', 'issue']),
  number: z.int().positive(),
  title: z.string(),
});
export type ThreadRef = z.infer<typeof ThreadRef>;

/** Target of the run's changes. `none` gives the reason, for the report. */
export const PushTarget = z.discriminatedUnion('kind', [
  /** A commit on the pull request's own branch, on top of `expected_sha`. */
  z.object({ kind: z.literal('branch'), branch: z.string(), expected_sha: z.string() }),
  /** A new branch from `base`, and a pull request into it that closes `closes`, if given. */
  z.object({
    kind: z.literal('new_branch'),
    branch: z.string(),
    base: z.string(),
    expected_sha: z.string(),
    closes: z.int().positive().nullable(),
  }),
  z.object({ kind: z.literal('none'), reason: z.string() }),
]);
export type PushTarget = z.infer<typeof PushTarget>;

/** The checkout. `base_sha` is null without a pull request. `fork` heads are never pushed to. */
export const CheckoutTarget = z.object({
  /** A ref of the base repository: `refs/pull/7/head`, `refs/heads/main`. */
  ref: z.string(),
  sha: z.string(),
  base_ref: z.string(),
  base_sha: z.string().nullable(),
  fork: z.boolean(),
  /** The branch for configuration, instructions and programs, if the base branch is not trusted. */
  trusted: z.object({ ref: z.string(), sha: z.string() }).optional(),
});
export type CheckoutTarget = z.infer<typeof CheckoutTarget>;

/** A closed pull request. `merged` is null if it was closed without a merge. */
const EndedPull = z.object({
  /** The commit that merged it; null if GitHub does not name it. */
  merged: z.object({ sha: z.string().nullable() }).nullable(),
  /** The head of the base branch at the trigger: `checkout.base_sha` is older than the merge. */
  base_head: z.string(),
});

/** The comment that started the run, for the reaction, and the comment with its progress. */
export const TriggerComment = z.object({
  id: z.int(),
  kind: z.enum(['issue_comment', 'review_comment']),
});

/** Location of a text in a thread, in the API's terms. */
export const ThreadLocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('description') }),
  z.object({ kind: z.enum(['comment', 'review', 'review_comment']), id: z.int() }),
]);
export type ThreadLocation = z.infer<typeof ThreadLocation>;

/** An image that a user uploaded to GitHub in the thread, as it was at the trigger. */
export const ThreadImage = z.object({
  /** Its name in the run: `image-1`. */
  name: z.string().regex(/^image-\d+$/),
  /** URL as it was written. It may need a signature to be read. */
  url: z.string(),
  place: ThreadLocation,
});
export type ThreadImage = z.infer<typeof ThreadImage>;

/** Everything a run is going to do, computed before it starts and never changed by the model. */
export const RunPlan = z.object({
  version: z.literal(1),
  run_id: z.string(),
  session_id: z.string(),
  /** The way in; `delivery_id` is GitHub's GUID where there was one. */
  source: z.object({ kind: z.enum(['app', 'action', 'cli']), delivery_id: z.string().nullable() }),
  installation_id: z.int().nullable(),
  repository: RepositoryRef,
  /** Null for a workflow step without a thread. */
  thread: ThreadRef.nullable(),
  /** `answer` continues other work, `step` is a step of a workflow. */
  verb: z.enum([...runVerbs, 'answer', 'step']),
  /** Subject of a resumed run (`answer`). */
  work: z.string().optional(),
  /** The hash of the approved plan that is carried out; its text is the prompt. */
  approved_plan: z.string().optional(),
  /** Scope of a review: `new` skips what was reviewed before. Default: everything. */
  review_scope: z.enum(['new', 'all']).optional(),
  /** True for a review by the checks alone, without a model. */
  checks_only: z.boolean().optional(),
  /** Scope of a review of a head that a run of ours made. It posts no separate report. */
  own_commit: z.enum(['off', 'checks', 'full']).optional(),
  /**
   * The failed build that the run repairs: a name, and the command that failed, if the base branch
   * has it in a workflow.
   */
  build: z.object({ signature: z.string(), command: z.string().nullable() }).optional(),
  /** The requester's own text (sanitised), or the built-in task for an automated use. */
  prompt: z.string(),
  /**
   * The workflow whose task the run does, and the task's name among pull requests. Omitted for a
   * run that a person or an event of a thread started.
   */
  workflow: z.object({ name: z.string(), task: z.string() }).optional(),
  /** Title, body and comments at the time of the trigger, sanitised and labelled as untrusted. */
  thread_context: z.string(),
  /** The same thread for the tools that search and read it, if it has text. */
  chat: Chat.optional(),
  /** The images that the prompt, thread context and a continued conversation name. */
  attachments: z.array(ThreadImage).default([]),
  /** Text that readers of the thread do not see and the model does not get, for the report. */
  hidden_text: z.array(HiddenFinding).optional(),
  /** Hosts that posted text may link to besides the repository's own. */
  link_hosts: z.array(z.string()).optional(),
  requester: Requester,
  trigger_comment: TriggerComment.nullable(),
  /**
   * The finding whose thread the run was requested in. The run works on it, answers there, and
   * resolves the thread when done. Missing or null for any other request.
   */
  finding: z.object({ id: z.string() }).nullish(),
  /**
   * The first comment of the review thread that the run was requested in. The run answers and asks
   * there. Omitted for any other request, and for a review.
   */
  review_thread: z.int().optional(),
  triggered_at: z.iso.datetime(),
  checkout: CheckoutTarget,
  /** The end of a closed pull request. Omitted for an open one, and for an issue. */
  ended: EndedPull.optional(),
  push: PushTarget,
  profile: z.string(),
  /** Effort of the model: an index into `effortNames`. Default: that of the profile. */
  effort: z
    .int()
    .min(0)
    .max(effortNames.length - 1)
    .optional(),
  /** Choices of a `triage`. */
  triage: TriageChoices.optional(),
  /**
   * The model chosen for this run by its requester or starter; null for that of the profile, else
   * of the configuration.
   */
  model: z.string().nullable(),
  preset: Preset,
  /** True if nothing may be written under any configuration: forks, reviews, readers. */
  read_only: z.boolean(),
  sandbox: SandboxMode,
  limits: RunLimits,
  /** Keys of limits that an input of the workflow set: `limits.maxCostUsd`. Omitted for none. */
  limits_by_input: z.array(z.string()).optional(),
  /** Keys of limits that a flag of the request set. Omitted for none. */
  limits_by_flag: z.array(z.string()).optional(),
  /** The waiting session that this run continues, and the person's answer. */
  resume: z
    .object({
      run_id: z.string(),
      session_id: z.string(),
      answer: z.string(),
      answered_by: z.string(),
      /**
       * True where the run was stopped and waits for nothing but to go on. `answer` is the text of
       * the answer.
       */
      stopped: z.boolean().optional(),
      /** Decision on the call that waited for approval. `answer` is the reason of a refusal. */
      approval: z.object({ verdict: z.enum(['approve', 'deny']), hash: z.string() }).optional(),
    })
    .nullable(),
  /** The claim of a workflow's job on the thread, in the marker of its comment. Default: none. */
  turn: z.string().optional(),
  /** Number of handoffs before this run without a person in between. */
  autorun_depth: z.int().positive().optional(),
  /** Text of the base branch's configuration file at planning time; parsed again by the run. */
  config_text: z.string().nullable(),
  config_file: z.string().nullable(),
});
export type RunPlan = z.infer<typeof RunPlan>;

/** The parts of a plan that links to files, commits and comments are made of. */
export type LinkTarget = Pick<RunPlan, 'run_id' | 'repository' | 'thread' | 'link_hosts'> & {
  readonly checkout: Pick<CheckoutTarget, 'sha' | 'base_sha'>;
};
