import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { InstalledRepository, RepositoryIdentity } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { AppTokens } from '../../github/app-tokens.ts';
import { isRemoved, type Removal } from '../../webhooks/triggers/find-removal.ts';
import { type RemovalContext, storedRepositories } from './remove-state.ts';

export interface ConfirmContext extends Pick<RemovalContext, 'state' | 'dataFolder'> {
  readonly tokens: Pick<AppTokens, 'grantsOf' | 'visibilityOf'>;
  readonly log: Logger;
  /** Waits for milliseconds; tests pass another clock. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds before each further request: GitHub's API may lag behind its webhooks. */
const waits = [1_000, 3_000] as const;

/**
 * Returns the part of a removal that GitHub confirms. An installation that answers still exists. A
 * readable repository is not removed, unless its visibility changed.
 */
export async function confirmRemoval(removal: Removal, ports: ConfirmContext): Promise<readonly Removal[]> {
  const { installation, repositories } = removal;
  if (repositories === 'all')
    return installation === null || (await isInstallationGone(installation, ports)) ? [removal] : [];
  const confirmed: Removal[] = [];
  for (const identity of await namedRepositories(removal, ports)) {
    const isSo = async () => {
      const now = await ports.tokens.visibilityOf(identity);
      return now === null || now === removal.visibility;
    };
    if (await isConfirmed(isSo, ports))
      confirmed.push({
        ...removal,
        installation: identity.installation,
        repositories: [identity.repository],
      });
  }
  return confirmed;
}

/** Returns true if GitHub reports that an installation is suspended or deleted. */
export async function isSuspended(installation: number, ports: ConfirmContext): Promise<boolean> {
  return isConfirmed(async () => (await grants(installation, ports))?.suspended !== false, ports);
}

async function isInstallationGone(installation: number, ports: ConfirmContext): Promise<boolean> {
  return isConfirmed(async () => (await grants(installation, ports)) === null, ports);
}

/** Permissions of an installation; null if GitHub knows none with that id. */
async function grants(installation: number, { tokens }: ConfirmContext) {
  return tokens.grantsOf(installation).catch((err: unknown) => {
    if (isNotFound(err)) return null;
    throw err;
  });
}

/**
 * Repeats a check within limits. If GitHub gives no answer, the event counts: it was signed and has
 * the right shape.
 */
async function isConfirmed(
  isSo: () => Promise<boolean>,
  { log, wait = sleep }: ConfirmContext,
): Promise<boolean> {
  for (const milliseconds of [0, ...waits]) {
    if (milliseconds > 0) await wait(milliseconds);
    try {
      if (await isSo()) return true;
    } catch (err) {
      log.warn({ err }, 'GitHub could not be asked about a removal; it is believed.');
      return true;
    }
  }
  return false;
}

/** Returns the repositories of a removal with their installations. */
async function namedRepositories(removal: Removal, ports: ConfirmContext): Promise<InstalledRepository[]> {
  const { installation, repositories } = removal;
  if (repositories === 'all') return [];
  if (installation !== null) return repositories.map((repository) => ({ installation, repository }));
  const known = (await storedRepositories(ports))
    .filter((one) => isRemoved(removal, one))
    .filter(isInstalled);
  return [...new Map(known.map((one) => [one.installation, one])).values()];
}

const isInstalled = (one: RepositoryIdentity): one is InstalledRepository => one.installation !== null;
