/**
 * The keys of one tenant's state, each with its content. Stored state outlives versions, so a key
 * never changes. An empty last part gives the prefix of all keys of that kind.
 */
export const stateKeys = {
  // Deliveries
  /** The `RunPlan` of a delivery, and `done` once its run is published. */
  plan: (deliveryId: string): string => `plan/${deliveryId}`,
  /** Marks a delivery whose requester got the reply. */
  answered: (deliveryId: string): string => `told/${deliveryId}`,
  /** The `EyesReaction` on a comment, until it is removed. */
  eyes: ({ kind, id }: { readonly kind: string; readonly id: number }): string =>
    `${stateKeys.allEyes}${kind}/${id}`,
  allEyes: 'eyes/',

  // Runs
  /** The `OpenRun` whose comment or check does not yet say how it ended. */
  open: (runId: string): string => `open/${runId}`,
  /** A request to stop a run of any process: a sentence with the person's name. */
  stop: (runId: string): string => `stop/${runId}`,
  /** The `FinishedRun` that is not yet published. */
  finished: (runId: string): string => `finished/${runId}`,
  /** Claims on objects that a run is about to create on GitHub, and the branch that it created. */
  making: (runId: string, what: string): string => `${stateKeys.allMaking}${runId}/${what}`,
  allMaking: 'making/',
  /** The `Controls` of a run: its comment with boxes. */
  controls: (runId: string): string => `controls/${runId}`,
  /** The `PastRun` of an ended run; names sort by its end. */
  pastRun: (name: string): string => `past-runs/${name}`,
  /** The `PastMessage` list of an ended run. */
  pastMessages: (runId: string): string => `past-messages/${runId}`,
  /** The `RunAccount` of an ended run, by its pull request; 0 for a run without one. */
  account: (pull: number, runId: string): string => `${stateKeys.allAccounts}${pull}/${runId}`,
  allAccounts: 'accounts/',
  /** The `ClosedPull` of a pull request that was closed last. */
  closed: (pull: number | ''): string => `closed/${pull}`,

  // Threads
  /** The `ReviewRecord` of a pull request. */
  review: (pull: number): string => `review/${pull}`,
  /** The `LastReview` of a pull request. */
  lastReview: (pull: number): string => `last-review/${pull}`,
  /** The `PullSummary` of a pull request. */
  summary: (pull: number): string => `summary/${pull}`,
  /** The `SummaryBoxes` of a pull request. */
  summaryBoxes: (pull: number): string => `summary-boxes/${pull}`,
  /** A `SummaryBody`, by a digest of its text. */
  summaryBody: (pull: number, digest: string): string => `${stateKeys.allSummaryBodies}${pull}/${digest}`,
  allSummaryBodies: 'summary-body/',
  /** The `PostedSuggestions` of a run. */
  suggestions: (runId: string): string => `suggestions/${runId}`,
  /** The `AppliedSuggestions` of a run, stored before their commit is made. */
  applied: (runId: string): string => `applied/${runId}`,
  /** The `HeadRecord` of a pull request: its last reported head. */
  head: (pull: number): string => `head/${pull}`,
  /** The `LastRequest` of a thread, which `retry` repeats. */
  lastRequest: (thread: number): string => `request/${thread}`,
  /** The `PendingRequest` that waits until a user confirms the new head. */
  pendingRequest: (thread: number, hash: string): string => `held/${thread}/${hash}`,
  /** The `Confirmation`: the comment that asks about the pending requests of a thread. */
  confirmation: (thread: number): string => `confirm/${thread}`,
  /** The time at which all runs of a thread were stopped, until the queue reaches that request. */
  stoppedAt: (thread: number): string => `stopped-at/${thread}`,
  /** The `SavedSession` that was stopped last on a thread. */
  stopped: (thread: number): string => `stopped/${thread}`,
  /** The `Autorun` of an issue that a handoff made. */
  autorun: (issue: number): string => `autorun/${issue}`,

  // Questions, approvals, plans
  /** The `SavedSession` of a run that waits for people; keys sort by the time of their runs. */
  waiting: (thread: number, runId: string): string => `waiting/${thread}/${runId}`,
  /** The time at which a run asked a question, by GitHub's clock. */
  asked: (runId: string): string => `asked/${runId}`,
  /** The `PostedBoxes` of the comment with a run's question. */
  boxes: (runId: string): string => `boxes/${runId}`,
  /** Marks a person who was told the options of a run's question. */
  hinted: (runId: string, login: string): string => `hinted/${runId}/${login.toLowerCase()}`,
  /** The time of the reply that nothing of a thread is stored. */
  lost: (thread: number): string => `lost/${thread}`,
  /** `issue` or `review`: the kind of our comment that says how a run's question is answered. */
  hint: (runId: string, comment: number): string => `${stateKeys.hints(runId)}${comment}`,
  hints: (runId: string): string => `hint/${runId}/`,
  /** The delivery that took up a waiting or stopped run. */
  resumed: (runId: string): string => `resumed/${runId}`,
  /** The `ThreadTimer` of a question; keys sort by their time. */
  timer: ({ due, kind, run_id }: { readonly due: string; readonly kind: string; readonly run_id: string }) =>
    `${stateKeys.allTimers}${due}/${kind}/${run_id}`,
  allTimers: 'alarm/',
  /** The `DecidedApproval` of a call or a plan. */
  approval: (thread: number, hash: string): string => `approval/${thread}/${hash}`,
  /** The run that made an approved call. */
  usedCall: (runId: string, hash: string): string => `approval-used/${runId}/${hash}`,
  /** The `PlanProposal` that can be approved. */
  proposal: (thread: number, hash: string): string => `proposal/${thread}/${hash}`,
  /** The delivery that carries out an approved plan. */
  usedProposal: (thread: number, hash: string): string => `used-approval/${thread}/${hash}`,

  // State for later runs
  /** A `Task` of the repository. */
  task: (id: string): string => `tasks/${id}`,
  /** The change that a run made to `persist/`; names sort by time. */
  persistent: (name: string): string => `persist/${name}`,
  /** Vectors of code by a model, by digest. */
  embeddings: (model: string): string => `embeddings/${encodeURIComponent(model)}`,
  /** Descriptions of toolbox programs, by digest. */
  toolbox: (): string => 'toolbox',
  /** The `LocalSession` of a run that waits on this machine. */
  localSession: (runId: string): string => `waiting-session/${runId}`,
} as const;
