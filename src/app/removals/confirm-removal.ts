import { setTimeout as sleep } from 'node:timers/promises';
import type { InstalledRepository, RepositoryIdentity } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { AppTokens } from '../../github/app-tokens.ts';
import type { Log } from '../../webhooks/create-log.ts';
import { isMeant, type Removal } from '../../webhooks/triggers/find-removal.ts';
import { knownRepositories, type RemovePorts } from './remove-state.ts';

export interface ConfirmPorts extends Pick<RemovePorts, 'state' | 'dataFolder'> {
  readonly tokens: Pick<AppTokens, 'grantsOf' | 'visibilityOf'>;
  readonly log: Log;
  /** Waits that many milliseconds; another clock in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** Milliseconds to wait before each further question: GitHub's API may lag behind its webhooks. */
const waits = [1_000, 3_000] as const;

/**
 * The part of a removal that GitHub itself confirms: an installation that still answers is not gone, and a repository that the
 * installation can still read is not removed, unless who may read it changed.
 */
export async function confirmRemoval(removal: Removal, ports: ConfirmPorts): Promise<readonly Removal[]> {
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

/** Returns true if GitHub says that an installation is suspended or gone. */
export async function isSuspended(installation: number, ports: ConfirmPorts): Promise<boolean> {
  return isConfirmed(async () => (await grants(installation, ports))?.suspended !== false, ports);
}

async function isInstallationGone(installation: number, ports: ConfirmPorts): Promise<boolean> {
  return isConfirmed(async () => (await grants(installation, ports)) === null, ports);
}

/** Permissions of an installation; null if GitHub knows none with that id. */
async function grants(installation: number, { tokens }: ConfirmPorts) {
  return tokens.grantsOf(installation).catch((err: unknown) => {
    if (isNotFound(err)) return null;
    throw err;
  });
}

/** Asks until it is so, within bounds. Where GitHub gives no answer, the event counts: it was signed, and has the shape of its name. */
async function isConfirmed(
  isSo: () => Promise<boolean>,
  { log, wait = sleep }: ConfirmPorts,
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

/** The repositories of a removal, each with its installation. */
async function namedRepositories(removal: Removal, ports: ConfirmPorts): Promise<InstalledRepository[]> {
  const { installation, repositories } = removal;
  if (repositories === 'all') return [];
  if (installation !== null) return repositories.map((repository) => ({ installation, repository }));
  const known = (await knownRepositories(ports)).filter((one) => isMeant(removal, one)).filter(isInstalled);
  return [...new Map(known.map((one) => [one.installation, one])).values()];
}

const isInstalled = (one: RepositoryIdentity): one is InstalledRepository => one.installation !== null;
