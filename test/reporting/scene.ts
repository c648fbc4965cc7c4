import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Octokit } from '@octokit/rest';
import type { ChangeSet, FileChange } from '../../src/contract/change.ts';
import type { RunPlan } from '../../src/contract/plan.ts';
import type { StateStore } from '../../src/contract/state-store.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { PublishPorts } from '../../src/reporting/posting/ports.ts';
import { createFileStateStore } from '../../src/state/file-state-store.ts';
import { openRepositoryState } from '../../src/state/repository-state.ts';
import { makeOwnGit, type OwnGit } from '../../src/workspace/git/own-git.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { createDiffRepository, type DiffRepository } from './diff/git-diff.ts';
import { samplePlan } from './samples.ts';

export const ownLogin = 'anode-ci[bot]';
export const silentLog = { info: () => {}, warn: () => {} };

const lines = Array.from({ length: 40 }, (_, index) => `const value${index + 1} = ${index + 1};\n`);
/** The one source file: on the default branch, and as the pull request has it. */
export const baseFile = lines.join('');
export const headFile = lines.toSpliced(9, 1, 'const ten = 10;\n').join('');
export const text = (change: (lines: string[]) => string[]): string =>
  change(headFile.split(/(?<=\n)/u)).join('');

/** A GitHub with our app on it, and real diffs. */
export interface World {
  readonly github: GitHub;
  readonly diffs: DiffRepository;
  scene(options?: { fork?: boolean }): Promise<Scene>;
  close(): Promise<void>;
}

/** One repository with an open pull request #1, an issue #2, and a comment that asks us for something. */
export interface Scene {
  readonly repository: RepositoryHandle;
  readonly base: string;
  readonly head: string;
  readonly commentId: number;
  /** An installation's, as a run gets it. */
  readonly token: string;
  readonly octokit: Octokit;
  /** The state of the repository. */
  readonly store: StateStore;
  /** A git directory of our own on the repository's objects, as a checkout has it. */
  git(): OwnGit;
  /** Makes a label that the repository then has. */
  label(name: string): Promise<void>;
  plan(changes?: Partial<RunPlan>): RunPlan;
  ports(changes?: Partial<PublishPorts>): Promise<PublishPorts>;
  /** The change set of a run that left these files, from the pull request's head or from the base. */
  changes(files: Readonly<Record<string, string | null>>, from?: 'head' | 'base'): ChangeSet;
}

const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;

export async function startWorld(): Promise<World> {
  const github = await startGitHub();
  const app = github.addApp({ slug: 'anode-ci', permissions });
  const folder = mkdtempSync(join(tmpdir(), 'anode-store-'));
  const state = createFileStateStore({ folder, secret: null, onRejected: () => {} });
  const diffs = createDiffRepository();
  let repositories = 0;

  const scene = async ({ fork = false } = {}): Promise<Scene> => {
    const name = `shop-${++repositories}`;
    const repository = await github.createRepository(`acme/${name}`, { files: { 'src/a.js': baseFile } });
    repository.setPermission('ada', 'write');
    const from = fork ? await repository.fork('eve') : repository;
    const head = await from.commit('dates', { files: { 'src/a.js': headFile }, message: 'Change ten' });
    await repository.openPullRequest({
      title: 'Add dates',
      head: 'dates',
      author: fork ? 'eve' : 'ada',
      ...(fork ? { headRepository: from } : {}),
    });
    await repository.openIssue({ title: 'support week numbers', author: 'ada' });
    const comment = repository.comment(1, { body: '@anode fix the failing test', author: 'ada' });
    repository.react(comment, 'eyes', app.login);
    const base = (await repository.head('main')) ?? '';
    const token = github.createToken({ actor: app.login, permissions });
    const octokit = createOctokit({ apiUrl: github.apiUrl, token, wait: async () => {} });
    const { store } = await openRepositoryState(state, {
      installation: app.installationId,
      repository: repository.repository.id,
    });
    return {
      repository,
      base,
      head,
      commentId: comment.id,
      token,
      octokit,
      store,
      git() {
        const { directory } = repository.repository;
        return makeOwnGit({ directory, common: directory }, join(folder, `${name}.git`));
      },
      async label(label) {
        await octokit.rest.issues.createLabel({ owner: 'acme', repo: name, name: label });
      },
      plan: (changes) =>
        samplePlan({
          repository: {
            owner: 'acme',
            name,
            default_branch: 'main',
            clone_url: repository.cloneUrl,
            private: false,
          },
          thread: { kind: 'pull_request', number: 1, title: 'Add dates' },
          trigger_comment: { id: comment.id, kind: 'issue_comment' },
          triggered_at: new Date().toISOString(),
          checkout: { ref: 'refs/pull/1/head', sha: head, base_ref: 'main', base_sha: base, fork },
          push: fork
            ? { kind: 'none', reason: 'the pull request comes from a fork' }
            : { kind: 'branch', branch: 'dates', expected_sha: head },
          ...changes,
        }),
      ports: async (changes) => ({
        octokit,
        store,
        progress: null,
        log: silentLog,
        ownLogin,
        runUrl: 'https://ci.test/1',
        pullRequestDiff: await repository.git('diff', '-M', `${base}...refs/pull/1/head`),
        session: null,
        config: {},
        wait: async () => {},
        ...changes,
      }),
      changes: (files, start = 'head') =>
        changeSet(
          diffs,
          start === 'head' ? { 'src/a.js': headFile } : { 'src/a.js': baseFile },
          files,
          {
            head,
            base,
          }[start],
        ),
    };
  };

  return {
    github,
    diffs,
    scene,
    async close() {
      diffs.close();
      rmSync(folder, { recursive: true, force: true });
      await github.close();
    },
  };
}

function changeSet(
  diffs: DiffRepository,
  before: Readonly<Record<string, string>>,
  edits: Readonly<Record<string, string | null>>,
  base_sha: string,
): ChangeSet {
  const merged: Record<string, string | null> = { ...before, ...edits };
  const after = Object.fromEntries(
    Object.entries(merged).flatMap(([path, content]) => (content === null ? [] : [[path, content] as const])),
  );
  const patch = diffs.diff(before, after);
  const files = Object.entries(edits).map(([path, content]): FileChange => {
    const existed = path in before;
    return {
      path,
      kind: content === null ? 'delete' : existed ? 'modify' : 'add',
      mode: content === null ? null : '100644',
      old_mode: existed ? '100644' : null,
      content: content === null ? null : Buffer.from(content).toString('base64'),
      binary: false,
      diff: patch,
    };
  });
  return { base_sha, patch, files };
}
