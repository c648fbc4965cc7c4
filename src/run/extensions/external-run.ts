import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { findGit, readHead } from '../../workspace/git/git-layout.ts';
import { makeOwnGit } from '../../workspace/git/own-git.ts';
import { type TrustedTree, trustedTreeAt } from '../../workspace/git/trusted-tree.ts';
import type { RunOrigin } from '../policy/local-plan.ts';
import type { ProgramSandbox } from '../programs/program-runner.ts';

/** Inputs of a run's tool sources. */
export interface ExternalRun extends ProgramSandbox {
  readonly config: Config;
  readonly plan: RunOrigin;
  /** The sandbox mode. Default: according to `sandboxed`. */
  readonly sandbox?: SandboxMode;
  readonly model?: string | null;
  /** The preset's name. Default: the configuration's. */
  readonly preset?: string;
  /** True if the run may change nothing that outlasts it. */
  readonly readOnly: boolean;
  /** Trusted files of the base branch. Default: the files of the checkout's last commit. */
  readonly trustedTree?: TrustedTree | null;
  /** The store for descriptions of programs; null for none. */
  readonly store: StateStore | null;
  /** Credentials that are in no variable. */
  readonly secrets: readonly string[];
  /** Warns the operator; a sentence. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens the trusted tree of the repository's programs at the first call. It is that of the base
 * branch, or of the checkout's last commit, which no command in the sandbox can move. Null without
 * a commit. `name` distinguishes the git directory.
 */
export function trustedTree(run: ExternalRun, name: string): () => Promise<TrustedTree | null> {
  let tree: Promise<TrustedTree | null> | null = null;
  return () => {
    tree ??= run.trustedTree != null ? Promise.resolve(run.trustedTree) : lastCommitOf(run, name);
    return tree;
  };
}

async function lastCommitOf({ root, runFolder }: ExternalRun, name: string): Promise<TrustedTree | null> {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  return layout === null || sha === null
    ? null
    : trustedTreeAt(makeOwnGit(layout, path.join(runFolder, `${name}.git`)), sha);
}

/** Folders that are never mounted entirely, as keys lie beside a configuration (`more`). */
export function closedFolders(
  { environment, root, runFolder }: ExternalRun,
  ...more: readonly (string | undefined)[]
): readonly string[] {
  const all = [environment.HOME, root, runFolder, ...more];
  return all.filter((one): one is string => one !== undefined && one !== '');
}

/** Expands `~/` at the start of an operator's word. */
export const atHome = (word: string, home: string | undefined): string =>
  home === undefined ? word : word.replace(/^~(?=\/)/, home);
