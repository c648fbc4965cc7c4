import { type BuildOptions, endBuild } from './actions/builds.ts';
import { changeBase, closingIssues, mergePull, openPull, setDraft } from './actions/pulls.ts';
import { addReaction } from './actions/reactions.ts';
import { moveRef } from './actions/refs.ts';
import { createReview, type NewReview, replyToReviewComment, setResolved } from './actions/reviews.ts';
import {
  addComment,
  addLabels,
  deleteComment,
  editComment,
  openIssue,
  removeLabel,
  updateThread,
} from './actions/threads.ts';
import { ensureAccount } from './create-app.ts';
import { changesOf, createFork, type Files } from './create-repository.ts';
import { writeCommit, writeTree } from './git/commit.ts';
import { branchHead, git } from './git/git.ts';
import * as readers from './readers.ts';
import { pressCheck } from './rest/checks.ts';
import type { Protection } from './rules/protection.ts';
import { rename } from './rules/renames.ts';
import { noreply } from './shapes/commit.ts';
import { storeSigned } from './uploads.ts';
import {
  findThread,
  isPull,
  type PullThread,
  type Repository,
  type Role,
  type Thread,
  timestamp,
  type World,
} from './world.ts';

export interface CommitOptions {
  readonly files: Files;
  readonly message: string;
  readonly author?: string;
}

export interface PullOptions {
  readonly title: string;
  readonly body?: string;
  readonly head: string;
  /** The default branch where left out. */
  readonly base?: string;
  readonly author: string;
  readonly draft?: boolean;
  /** The handle of the fork that `head` is a branch of. */
  readonly headRepository?: { readonly repository: Repository };
}

/** One repository, for people to act on and tests to look at. Logins that are new become persons. */
export interface RepositoryHandle extends ReturnType<typeof peopleOf>, ReturnType<typeof stateOf> {
  readonly fork: (login: string) => Promise<RepositoryHandle>;
}

/**
 * The handle of a repository; its actions are delivered to subscribed apps like those of a person.
 */
export function createRepositoryHandle(world: World, repository: Repository): RepositoryHandle {
  return {
    ...stateOf(world, repository),
    ...peopleOf(world, repository),
    fork: async (login) => createRepositoryHandle(world, await createFork(world, repository, login)),
  };
}

/** The acts of people. */
function peopleOf(world: World, repository: Repository) {
  const account = (login: string) => ensureAccount(world, login);
  const person = (login: string) => ({ account: account(login), app: null });
  const thread = (number: number): Thread => {
    const found = findThread(repository, number);
    if (found === undefined) throw new Error(`${repository.fullName} has no thread ${number}`);
    return found;
  };
  const pull = (number: number): PullThread => {
    const found = thread(number);
    if (!isPull(found)) throw new Error(`${repository.fullName}#${number} is an issue`);
    return found;
  };
  const comment = (id: number) => {
    const found = repository.comments.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${repository.fullName} has no comment ${id}`);
    return found;
  };
  const reviewComment = (id: number) => {
    const found = repository.reviewComments.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${repository.fullName} has no review comment ${id}`);
    return found;
  };

  return {
    /** Commits onto a branch as a push by the author would; a new branch starts at the default one. */
    commit: async (branch: string, options: CommitOptions): Promise<string> => {
      const { directory, defaultBranch } = repository;
      const author = account(options.author ?? repository.owner.login);
      const before = await branchHead(directory, branch);
      const parent = before ?? (await branchHead(directory, defaultBranch));
      const sha = await writeCommit(directory, {
        tree: await writeTree(directory, parent, changesOf(options.files)),
        parents: parent === null ? [] : [parent],
        message: options.message,
        author: { name: author.login, email: noreply(author), date: timestamp(world) },
      });
      await moveRef(world, repository, { ref: `refs/heads/${branch}`, before, after: sha }, author);
      return sha;
    },

    /** Moves a branch to any commit, as a forced push would. */
    forcePush: async (branch: string, sha: string, author: string) => {
      const before = await branchHead(repository.directory, branch);
      await moveRef(world, repository, { ref: `refs/heads/${branch}`, before, after: sha }, account(author));
    },

    /** Makes the repository read-only, or writable again. */
    archive: (archived = true) => {
      repository.archived = archived;
    },
    /** Renames the repository; its old name redirects. */
    setPrivate: (isPrivate: boolean) => {
      repository.private = isPrivate;
    },
    rename: (name: string) => rename(world, repository, name),
    /** Deletes the repository, as the owner of a fork may: its pull requests stay. */
    remove: () => {
      repository.deleted = true;
      world.repositories.delete(repository.fullName.toLowerCase());
    },
    /** The rules of its branches, in the place of those before. */
    protect: (...protections: readonly Protection[]) => {
      repository.protections = protections;
    },
    /** Has what brings a secret refused. */
    protectPushes: (on = true) => {
      repository.pushProtection = on;
    },
    lock: (number: number, locked = true) => {
      thread(number).locked = locked;
    },

    /** Says how the run of a workflow stands. */
    runWorkflow: (id: number, status: 'in_progress' | 'completed') => repository.workflowRuns.set(id, status),
    /** The finalized artifacts by name, oldest first. */
    artifacts: () =>
      repository.artifacts
        .filter(({ finalized }) => finalized)
        .map(({ id, name, job, expired }) => ({ id, name, runId: job.runId, expired })),
    /** The bytes of the artifacts of a name, oldest first. */
    artifactBytes: (name: string) =>
      repository.artifacts.filter((one) => one.name === name).map(({ bytes }) => bytes ?? Buffer.alloc(0)),
    /** Lets the time of all artifacts be over. */
    expireArtifacts: () => {
      for (const artifact of repository.artifacts) artifact.expired = true;
    },
    /** Deletes all artifacts. */
    deleteArtifacts: () => {
      repository.artifacts = [];
    },
    /** Gives a check run of GitHub Actions the log of its job. */
    /** Ends a run of a workflow. By default, the push of an account with write permission caused it. */
    endBuild: (options: BuildOptions, sender = 'ada') =>
      endBuild(world, repository, account(sender), options),
    logJob: (id: number, text: string) => repository.jobLogs.set(id, storeSigned(world, Buffer.from(text))),

    /** Presses a button of a check run, by its identifier; null has it run again. */
    pressCheck: (id: number, button: string | null, login: string) =>
      pressCheck(world, repository, id, person(login).account, button),
    setPermission: (login: string, role: Role) => {
      account(login);
      repository.roles.set(login.toLowerCase(), role);
    },

    openIssue: async (fields: { title: string; body?: string; author: string; labels?: readonly string[] }) =>
      readers.issueRecord(await openIssue(world, repository, person(fields.author), fields)),

    openPullRequest: async ({ author, headRepository, base, ...fields }: PullOptions) =>
      readers.pullRecord(
        await openPull(world, repository, person(author), {
          ...fields,
          base: base ?? repository.defaultBranch,
          headRepository: headRepository?.repository ?? repository,
        }),
      ),

    comment: (number: number, { body, author }: { body: string; author: string }) =>
      readers.commentRecord(addComment(world, thread(number), person(author), body)),

    editComment: (id: number, { body, author }: { body: string; author: string }) =>
      editComment(world, comment(id), account(author), body),

    deleteComment: (id: number, { author }: { author: string }) =>
      deleteComment(world, comment(id), account(author)),

    review: async (number: number, { author, ...fields }: NewReview & { author: string }) =>
      readers.reviewRecord(
        await createReview(world, pull(number), person(author), { event: 'COMMENT', ...fields }),
      ),

    replyToReviewComment: (id: number, { body, author }: { body: string; author: string }) =>
      readers.reviewCommentRecord(replyToReviewComment(world, reviewComment(id), person(author), body)),

    react: (target: Thread | { id: number }, content: string, author: string) => {
      const subject = [...repository.threads, ...repository.comments, ...repository.reviewComments].find(
        ({ id }) => id === target.id,
      );
      if (subject === undefined) throw new Error(`Nothing with the id ${target.id} to react to`);
      addReaction(world, subject, account(author), content);
    },

    addLabel: (number: number, label: string, { actor }: { actor: string }) =>
      addLabels(world, thread(number), [label], account(actor)),

    removeLabel: (number: number, label: string, { actor }: { actor: string }) =>
      removeLabel(world, thread(number), label, account(actor)),

    edit: (number: number, fields: { title?: string; body?: string }, { actor }: { actor: string }) =>
      updateThread(world, thread(number), account(actor), fields),

    close: (number: number, { actor }: { actor: string }) =>
      updateThread(world, thread(number), account(actor), { state: 'closed' }),

    reopen: (number: number, { actor }: { actor: string }) =>
      updateThread(world, thread(number), account(actor), { state: 'open' }),

    retarget: (number: number, base: string, { actor }: { actor: string }) =>
      changeBase(world, pull(number), base, account(actor)),

    merge: (number: number, { actor }: { actor: string }) => mergePull(world, pull(number), account(actor)),

    /** Resolves the conversation that begins with a comment on the diff, or opens it again. */
    resolve: (root: number, { actor, resolved = true }: { actor: string; resolved?: boolean }) => {
      const found = repository.reviewThreads.find((one) => one.root.id === root);
      if (found === undefined) throw new Error(`${repository.fullName} has no conversation ${root}`);
      setResolved(world, found, account(actor), resolved);
    },

    markReady: (number: number, { actor }: { actor: string }) =>
      setDraft(world, pull(number), false, account(actor)),

    convertToDraft: (number: number, { actor }: { actor: string }) =>
      setDraft(world, pull(number), true, account(actor)),
  };
}

/** The state that tests look at. */
function stateOf(world: World, repository: Repository) {
  return {
    repository,
    fullName: repository.fullName,
    url: `${world.url}/${repository.fullName}`,
    cloneUrl: `${world.url}/${repository.fullName}.git`,

    /** Runs git in the bare repository and gives its output. */
    git: (...args: string[]) => git(repository.directory, args),

    /** The commit at the tip of a branch, null where there is none. */
    head: (branch: string) => branchHead(repository.directory, branch),

    issues: () => repository.threads.filter((one) => !isPull(one)).map(readers.issueRecord),
    pulls: () => repository.threads.filter(isPull).map(readers.pullRecord),
    comments: (number: number) =>
      repository.comments.filter((one) => one.thread.number === number).map(readers.commentRecord),
    reviews: (number: number) =>
      repository.reviews.filter((one) => one.thread.number === number).map(readers.reviewRecord),
    reviewComments: (number: number) =>
      repository.reviewComments
        .filter((one) => one.thread.number === number)
        .map(readers.reviewCommentRecord),
    reviewThreads: (number: number) =>
      repository.reviewThreads
        .filter(({ root }) => root.thread.number === number)
        .map(readers.reviewThreadRecord),
    /** The reactions on a thread (by its record), a comment or a review comment (by id). */
    reactions: (target: { id: number }) => readers.reactionsOf(repository, target.id),
    checkRuns: () => repository.checkRuns.map(readers.checkRecord),
    sarifs: () => [...repository.sarifs],
    statuses: () =>
      repository.statuses.map(({ sha, state, context, description }) => ({
        sha,
        state,
        context,
        description,
      })),
    closingIssues: (number: number) =>
      repository.threads
        .filter(isPull)
        .filter((pull) => pull.number === number)
        .flatMap((pull) => closingIssues(pull).map((issue) => issue.number)),
  };
}
