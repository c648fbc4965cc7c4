import path from 'node:path';
import {
  type RemovalContext,
  type Removed,
  removeState,
  storedRepositories,
} from '../app/removals/remove-state.ts';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { ConfigError } from '../contract/errors.ts';
import { identityName, type RepositoryIdentity, sharedKeys } from '../contract/state-store.ts';
import type { Removal } from '../webhooks/triggers/find-removal.ts';
import type { CommandContext } from './local-run.ts';
import { openStoredState } from './open-stored-state.ts';
import { parseArguments, usageError, wholeNumber } from './parse-arguments.ts';

/** A repository with stored state, and its name. */
interface Known {
  readonly identity: RepositoryIdentity;
  readonly name: string | null;
}

/**
 * Runs `anode forget REPO`: deletes all state of the App and of `anode event` on a repository, from
 * database and data folder. Prints the amounts; returns the exit code. Throws `ConfigError` for a
 * repository without state.
 */
export async function forgetCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('forget', args, { 'all-of': { type: 'string' } });
  const [wanted, ...others] = positionals;
  const installation = wholeNumber('forget', 'all-of', stringOf(values['all-of']));
  if (others.length > 0 || (wanted === undefined) === (installation === null))
    throw usageError('forget', 'it takes one repository, owner/name or its id, or --all-of an installation.');
  const environment = readEnvironment(context.environment);
  const places = await openStoredState(environment);
  try {
    const known = (await Promise.all(places.map(({ ports }) => knownIn(ports)))).flat();
    const meant = known.filter((one) => isWanted(one, wanted ?? null, installation));
    if (meant.length === 0)
      throw new ConfigError(unknown(wanted ?? `installation ${installation}`, known, environment));
    const removal = removalOf(meant, installation);
    const removed: Removed[] = [];
    for (const { ports } of places) removed.push(await removeState(removal, ports));
    const names = new Set(meant.map(describe));
    for (const name of names) context.write(`Forgot ${name}.\n`);
    context.write(`Deleted: ${amounts(removed)}.\n`);
    return 0;
  } finally {
    for (const place of places) await place.close();
  }
}

const stringOf = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);

function isWanted({ identity, name }: Known, wanted: string | null, installation: number | null): boolean {
  if (wanted === null) return identity.installation === installation;
  return String(identity.repository) === wanted || name?.toLowerCase() === wanted.toLowerCase();
}

/** Repositories are identified by id: several may have had the same name. */
function removalOf(meant: readonly Known[], installation: number | null): Removal {
  const ids = [...new Set(meant.map(({ identity }) => identity.repository))];
  return { installation, repositories: ids, isOver: false, reason: 'The operator had it forgotten.' };
}

const describe = ({ identity: { installation, repository }, name }: Known): string =>
  `${name ?? 'a repository without a known name'} (repository ${repository}${installation === null ? '' : ` of installation ${installation}`})`;

function amounts(removed: readonly Removed[]): string {
  const sum = (count: (one: Removed) => number) => removed.reduce((total, one) => total + count(one), 0);
  return [
    `${sum(({ entries }) => entries)} entries of the state`,
    `${sum(({ folders }) => folders)} folders`,
    `${sum(({ setups }) => setups)} results of set-ups`,
    `${sum(({ deliveries }) => deliveries)} deliveries`,
  ].join(', ');
}

/** Number of repositories listed. */
const mostListed = 10;

function unknown(wanted: string, known: readonly Known[], { dataDirectory }: Environment): string {
  const names = [...new Set(known.map(({ identity, name }) => name ?? String(identity.repository)))].sort();
  const listed = names.slice(0, mostListed).join(', ');
  const some = names.length === 0 ? 'Nothing is kept of any.' : `Something is kept of ${listed}.`;
  return `anode forget: nothing is kept of ${wanted} in ${path.resolve(dataDirectory)}. ${some} ANODE_DATA_DIR and DATABASE_URL say where the App keeps it.`;
}

async function knownIn(ports: RemovalContext): Promise<Known[]> {
  const all = new Map((await storedRepositories(ports)).map((one) => [identityName(one), one]));
  return Promise.all(
    [...all.values()].map(async (identity) => ({
      identity,
      name: await ports.state.get(sharedKeys.name(identity)),
    })),
  );
}
