import type { Api } from './protocol/api.ts';
import type { Limits } from './rules/limits.ts';
import type { Protection } from './rules/protection.ts';

/** An account: a person, an organisation or the bot of an app. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Bot' | 'Organization' | 'Mannequin';
  /** Deleted accounts are nobody, or "ghost" (GitHub Docs, "Deleting your personal account"). */
  deleted: boolean;
}

export type Access = 'read' | 'write' | 'admin';
export type Permissions = Readonly<Record<string, Access>>;
export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

/** An app and its one installation. `repositories` null means all that are not forks. */
export interface App {
  readonly id: number;
  readonly slug: string;
  readonly owner: Account;
  readonly bot: Account;
  permissions: Permissions;
  readonly events: readonly string[];
  readonly publicKey: string;
  readonly webhookSecret: string;
  readonly installationId: number;
  readonly installedOn: ReadonlySet<string> | null;
  /** ISO 8601; null while the installation works. */
  suspendedAt: string | null;
  isUninstalled: boolean;
  /** Ids of repositories that it was taken away from. */
  readonly away: Set<number>;
}

/** A credential. `permissions` null: a person's, bound by its role; `repositories` null: all. */
export interface Token {
  readonly token: string;
  readonly actor: Account;
  readonly app: App | null;
  readonly permissions: Permissions | null;
  readonly repositories: ReadonlySet<number> | null;
  /** Milliseconds of the world's clock; null never expires. */
  readonly expiresAt: number | null;
}

export interface Reaction {
  readonly id: number;
  readonly content: string;
  readonly user: Account;
  readonly createdAt: string;
}

interface Written {
  readonly id: number;
  readonly nodeId: string;
  readonly author: Account;
  readonly app: App | null;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: Reaction[];
}

export interface Comment extends Written {
  readonly thread: Thread;
  body: string;
  minimized: string | null;
}

export interface Review {
  readonly id: number;
  readonly nodeId: string;
  readonly thread: Thread;
  readonly author: Account;
  readonly app: App | null;
  readonly createdAt: string;
  body: string;
  state: 'PENDING' | 'COMMENTED' | 'APPROVED' | 'CHANGES_REQUESTED' | 'DISMISSED';
  readonly commitId: string;
  submittedAt: string | null;
}

export type Side = 'LEFT' | 'RIGHT';

/** A comment on the diff. `line` null means outdated: a later push changed what it stood on. */
export interface ReviewComment extends Written {
  readonly thread: Thread;
  readonly review: Review;
  readonly inReplyTo: ReviewComment | null;
  body: string;
  readonly path: string;
  readonly side: Side;
  readonly startSide: Side | null;
  line: number | null;
  startLine: number | null;
  readonly originalLine: number | null;
  readonly originalStartLine: number | null;
  readonly originalCommitId: string;
  readonly diffHunk: string;
  readonly subjectType: 'line' | 'file';
  minimized: string | null;
}

/** The conversation that starts with a comment on the diff; `root` is that comment. */
export interface ReviewThread {
  readonly id: number;
  readonly nodeId: string;
  readonly root: ReviewComment;
  resolvedBy: Account | null;
}

export interface TimelineEvent {
  readonly id: number;
  readonly event: string;
  readonly actor: Account;
  readonly createdAt: string;
  readonly label?: string;
  readonly assignee?: Account;
}

export interface PullState {
  readonly headRepository: Repository;
  readonly headBranch: string;
  headSha: string;
  baseBranch: string;
  baseSha: string;
  draft: boolean;
  readonly reviewers: Set<Account>;
  mergedAt: string | null;
  mergeCommit: string | null;
}

/** An issue, or a pull request where `pull` is set: GitHub numbers them together. */
export interface Thread extends Written {
  readonly repository: Repository;
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'not_planned' | 'duplicate' | 'reopened' | null;
  closedAt: string | null;
  locked: boolean;
  readonly labels: Set<string>;
  readonly assignees: Set<Account>;
  readonly events: TimelineEvent[];
  readonly pull: PullState | null;
}

export interface PullThread extends Thread {
  readonly pull: PullState;
}

export interface Label {
  readonly id: number;
  readonly nodeId: string;
  name: string;
  color: string;
  description: string | null;
}

export interface CheckRun {
  readonly id: number;
  readonly nodeId: string;
  readonly app: App | null;
  name: string;
  readonly headSha: string;
  status: string;
  conclusion: string | null;
  detailsUrl: string | null;
  externalId: string;
  startedAt: string;
  completedAt: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  readonly annotations: Record<string, unknown>[];
  /** Buttons, as the newest request gave them. */
  actions?: readonly Record<string, unknown>[];
}

export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly state: string;
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: string;
}

export interface Repository {
  readonly id: number;
  readonly nodeId: string;
  readonly owner: Account;
  name: string;
  fullName: string;
  archived: boolean;
  /** A pull request from a deleted repository keeps its commits and names no repository. */
  deleted: boolean;
  protections: readonly Protection[];
  pushProtection: boolean;
  private: boolean;
  readonly defaultBranch: string;
  /** The bare git repository, which is the truth about everything that git knows. */
  readonly directory: string;
  readonly parent: Repository | null;
  readonly roles: Map<string, Role>;
  readonly threads: Thread[];
  readonly comments: Comment[];
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
  readonly reviewThreads: ReviewThread[];
  readonly labels: Map<string, Label>;
  readonly checkRuns: CheckRun[];
  readonly statuses: Status[];
  /** The time of the first push of each head, by its commit. */
  readonly pushes: Map<string, string>;
  /** Logs of jobs of GitHub Actions, by the id of their check run. */
  readonly jobLogs: Map<number, Upload>;
  /** Runs of workflows, by their ids, and whether each has ended. */
  readonly workflowRuns: Map<number, 'in_progress' | 'completed'>;
  /** Artifacts of workflow runs, oldest first. */
  artifacts: Artifact[];
  /** Analyses of code scanning, oldest first. */
  readonly sarifs: SarifUpload[];
  readonly createdAt: string;
}

/** A job of a workflow run, to the artifact service: what its runtime token names. */
export interface ArtifactJob {
  readonly repository: Repository;
  readonly runId: number;
  readonly headBranch: string;
  /** The repository of the head: a fork's for its pull request. */
  readonly headRepositoryId: number;
  /** The names of run and job in the service, which are no ids of the API. */
  readonly runBackendId: string;
  readonly jobBackendId: string;
}

/** An artifact of a workflow run. It is listed once it is finalized. */
export interface Artifact {
  readonly id: number;
  readonly name: string;
  readonly job: ArtifactJob;
  readonly createdAt: string;
  /** The bytes that were put to its signed address; null before. */
  bytes: Buffer | null;
  finalized: boolean;
  expired: boolean;
  readonly signature: string;
}

/** An analysis that was uploaded to code scanning. */
export interface SarifUpload {
  readonly id: string;
  readonly ref: string;
  readonly sha: string;
  readonly tool: string | null;
  /** The SARIF log, unpacked. */
  readonly log: unknown;
}

/** Something that happened, before it becomes a payload. `action` null for events without one (push). */
export interface Happening {
  readonly event: string;
  readonly action: string | null;
  readonly repository: Repository | null;
  readonly sender: Account;
  readonly data: Record<string, unknown>;
}

/** A file that somebody uploaded into a comment. */
export interface Upload {
  readonly id: string;
  readonly bytes: Buffer;
  /** Only its signed address can be read. */
  readonly private: boolean;
  readonly signature: string;
}

/** All the state of one stand-in. */
export interface World {
  /** Without a trailing slash; empty until the server listens. */
  url: string;
  readonly directory: string;
  readonly now: () => Date;
  readonly api: Api;
  readonly limits: Limits;
  readonly nextId: () => number;
  readonly accounts: Map<string, Account>;
  readonly apps: Map<number, App>;
  readonly tokens: Map<string, Token>;
  readonly repositories: Map<string, Repository>;
  /** Repositories by the names that they had before, in lower case. */
  readonly renamed: Map<string, Repository>;
  readonly uploads: Map<string, Upload>;
  /** Jobs by their runtime tokens. */
  readonly artifactJobs: Map<string, ArtifactJob>;
  /** Called after each thing that happened; makes payloads and deliveries. */
  emit: (happening: Happening) => void;
}

/** The world's time, as GitHub writes it: ISO 8601 to the second. */
export function timestamp(world: World): string {
  return `${world.now().toISOString().slice(0, 19)}Z`;
}

/** The account of that login, letter case aside, or undefined. */
export function findAccount(world: World, login: string): Account | undefined {
  const found = world.accounts.get(login.toLowerCase());
  return found?.deleted === true ? undefined : found;
}

/** The repository `owner/name`, letter case aside, or undefined. */
export function findRepository(world: World, fullName: string): Repository | undefined {
  return world.repositories.get(fullName.toLowerCase());
}

/** The global node id of the thing of that kind and number; unique across the world. */
export function nodeId(prefix: string, id: number): string {
  return `${prefix}_kwDO${id.toString(36).toUpperCase().padStart(8, '0')}`;
}

/** The thread of that number, or undefined. */
export function findThread(repository: Repository, number: number): Thread | undefined {
  return repository.threads.find((thread) => thread.number === number);
}

/** Narrows a thread to a pull request. */
export const isPull = (thread: Thread): thread is PullThread => thread.pull !== null;
