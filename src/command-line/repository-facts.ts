import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { configFiles } from '../config/defaults.ts';
import { parseConfig } from '../config/parse-config.ts';
import { ConfigError } from '../contract/errors.ts';
import { findOwnUses } from '../workflow-files/own-uses.ts';
import { parseWorkflow } from '../workflow-files/parse-workflow.ts';
import { knownLockfiles } from '../workflow-files/starting-config.ts';
import { findGit } from '../workspace/git/git-layout.ts';

/** A workflow of a repository. */
export interface FoundWorkflow {
  /** File name. */
  readonly file: string;
  /** The workflow's `name:`; the path without one, as GitHub shows it. */
  readonly name: string;
  readonly events: readonly string[];
  /** True if it uses Anode CI. */
  readonly isOwn: boolean;
}

/** Facts about a checkout that `anode init` decides on. */
export interface RepositoryFacts {
  /** Null if the clone does not know it. */
  readonly defaultBranch: string | null;
  readonly lockfiles: readonly string[];
  /** The configuration of Anode CI; null without one. */
  readonly configFile: string | null;
  readonly workflows: readonly FoundWorkflow[];
  /** True if the configuration lets a job with an identity token sign commits. */
  readonly signsKeyless: boolean;
}

/** Reads the facts. A workflow that cannot be parsed counts as none. */
export async function readRepositoryFacts(root: string): Promise<RepositoryFacts> {
  const names = await namesIn(root);
  const config = await findConfig(root);
  return {
    defaultBranch: await defaultBranch(root),
    lockfiles: knownLockfiles.filter((name) => names.includes(name)),
    configFile: config?.file ?? null,
    workflows: await findWorkflows(path.join(root, '.github/workflows')),
    signsKeyless: mayGoWithoutKey(config),
  };
}

/** Returns true unless the configuration of a checkout has commits signed with a key alone. */
export const signsKeyless = async (root: string): Promise<boolean> => mayGoWithoutKey(await findConfig(root));

/** Reads the configuration of a checkout; null without one. */
async function findConfig(root: string): Promise<{ readonly file: string; readonly text: string } | null> {
  const read = async (file: string) => ({ file, text: await textOf(path.join(root, file)) });
  const found = await Promise.all(configFiles.map(read));
  return found.flatMap(({ file, text }) => (text === null ? [] : [{ file, text }]))[0] ?? null;
}

/** A configuration with a mistake counts as none: `anode doctor` reports it. */
function mayGoWithoutKey(config: Awaited<ReturnType<typeof findConfig>>): boolean {
  try {
    return config === null || parseConfig(config.text, config.file).commit?.attestation !== 'key';
  } catch (error) {
    if (error instanceof ConfigError) return true;
    throw error;
  }
}

/** Returns the workflows that check pushes or pull requests, and are none of ours. */
export const buildsAmong = (workflows: readonly FoundWorkflow[]): FoundWorkflow[] =>
  workflows.filter(
    ({ events, isOwn }) => !isOwn && (events.includes('push') || events.includes('pull_request')),
  );

/** Reads the workflows of a folder, by file name; none without the folder. */
export async function findWorkflows(folder: string): Promise<FoundWorkflow[]> {
  const names = (await namesIn(folder)).filter((name) => /\.ya?ml$/.test(name)).sort();
  const found = await Promise.all(names.map((name) => readWorkflow(folder, name)));
  return found.flat();
}

async function readWorkflow(folder: string, file: string): Promise<FoundWorkflow[]> {
  const text = await textOf(path.join(folder, file));
  if (text === null) return [];
  try {
    const workflow = await parseWorkflow(text, file);
    const events = workflow.triggers.map(({ name }) => name);
    const name = workflow.name ?? `.github/workflows/${file}`;
    return [{ file, name, events, isOwn: findOwnUses(workflow).length > 0 }];
  } catch (error) {
    // A broken workflow starts nothing.
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

async function defaultBranch(root: string): Promise<string | null> {
  const layout = findGit(root);
  if (layout === null) return null;
  const head = await textOf(path.join(layout.common, 'refs/remotes/origin/HEAD'));
  return /^ref: refs\/remotes\/origin\/(\S+)/.exec(head ?? '')?.[1] ?? null;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const textOf = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);
