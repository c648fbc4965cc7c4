interface Values {
  /** The value at a key, or null. Keys are paths: `waiting/7/run_…`. */
  get(key: string): Promise<string | null>;
  /** Writes atomically; the newest wins. */
  set(key: string, value: string): Promise<void>;
  /** True if this call created the key; false if it existed already. */
  claim(key: string, value: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Keys that start with the prefix, sorted. */
  list(prefix: string): Promise<string[]>;
}

/** State between runs of one repository. Its keys cannot name another repository. */
export interface StateStore extends Values {
  /** The repository's id; null for state that belongs to a folder or a run of this machine. */
  readonly repository: number | null;
}

/**
 * State of all repositories: the App's database, or a folder. Each key belongs to a tenant or to
 * `sharedKeys`.
 */
export interface StateRoot extends Values {
  /**
   * Deletes the keys with the prefix that were last written before that time; returns their number.
   */
  deleteOld(prefix: string, before: Date): Promise<number>;
  /** The names of all tenants that have a key. */
  tenants(): Promise<string[]>;
  /** Deletes all keys of a tenant; how many they were. */
  deleteTenant(tenant: string): Promise<number>;
}

/**
 * The right of one delivery attempt to write, as a query of the App's database. It returns one row
 * while the attempt is current, and none after it was superseded. Inside a statement, it is valid
 * until that statement is committed.
 */
export interface Lease {
  /** The query, with its parameters numbered from `first` on. */
  readonly query: (first: number) => string;
  readonly values: readonly unknown[];
}

/** This attempt was superseded, by another after its lease was lost: it must not write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * A repository by its id on GitHub, independent of its name. GitHub gives no id twice; a name can
 * be another's tomorrow. `installation` is null for the token of a job or a person, which belongs
 * to no installation of ours.
 */
export interface RepositoryIdentity {
  readonly installation: number | null;
  readonly repository: number;
}

/** One that the App is installed on. */
export interface InstalledRepository extends RepositoryIdentity {
  readonly installation: number;
}

/**
 * Owner of state: a repository, and the number of times its state was removed. Late writes of a
 * removed generation are never read.
 */
export interface Tenant extends RepositoryIdentity {
  readonly generation: number;
}

/**
 * A tenant as one part of a key and as the name of a folder: `42.1296269.0`. The dots distinguish
 * it from everything stored before, as a login has none (GitHub docs, "Username considerations for
 * external authentication").
 */
export function tenantName({ generation, ...identity }: Tenant): string {
  return `${identityName(identity)}.${generation}`;
}

/** The tenant with that name; null if it is invalid. */
export function readTenant(name: string): Tenant | null {
  const [, installation, repository, generation] =
    /^(none|\d{1,16})\.(\d{1,16})\.(\d{1,16})$/.exec(name) ?? [];
  if (installation === undefined) return null;
  return {
    installation: installation === 'none' ? null : Number(installation),
    repository: Number(repository),
    generation: Number(generation),
  };
}

/** A repository as one part of a key: `42.1296269`, or `none.1296269`. */
export function identityName({ installation, repository }: RepositoryIdentity): string {
  return `${installation ?? 'none'}.${repository}`;
}

/** The key in the store of everybody for a key of one tenant: its kind, the tenant, the rest. */
export function keyOfTenant(tenant: string, key: string): string {
  const end = key.indexOf('/');
  if (end === -1) return `${key}/${tenant}`;
  return `${key.slice(0, end)}/${tenant}${key.slice(end)}`;
}

/** The reverse: the key as its tenant knows it. */
export function keyWithinTenant(tenant: string, key: string): string {
  return key.replace(`/${tenant}`, '');
}

/** Returns the tenant of a key of the shared store. Null for a key of no tenant. */
export function tenantOfKey(key: string): Tenant | null {
  return readTenant(key.split('/')[1] ?? '');
}

/** The names of the tenants with keys in the shared store, each once, sorted. */
export function tenantsOf(keys: readonly string[]): string[] {
  const names = keys.map((key) => key.split('/')[1] ?? '').filter((name) => readTenant(name) !== null);
  return [...new Set(names)].sort();
}

/** The keys that belong to no tenant, each kind with its content. There are no others. */
export const sharedKeys = {
  /** Number of times the state of a repository was removed. */
  generation: (identity: RepositoryIdentity): string => `generation/${identityName(identity)}`,
  /** The name it had last, for people. */
  name: (identity: RepositoryIdentity): string => `name/${identityName(identity)}`,
  names: 'name/',
  /** Marks an installation as deleted. */
  gone: (installation: number): string => `gone/${installation}`,
  /** Marks the removal of a delivery as done. */
  removal: (deliveryId: string): string => `removal/${deliveryId}`,
  /** The delivery that a signed body came with first, by the body's digest. */
  body: (digest: string): string => `body/${digest}`,
  /** The key that signs links to reports. */
  reportSecret: (): string => 'report/secret',
  /** The form that all keys have. */
  form: (): string => 'form/keys',
} as const;

/** Returns true if a key is of one of these kinds. */
export function isSharedKey(key: string): boolean {
  const kinds = ['generation', 'name', 'gone', 'removal', 'body', 'report', 'form'];
  return kinds.includes(key.split('/')[0] ?? '');
}

/** The repository that a key of its name or generation is about. */
export function identityOfKey(key: string): RepositoryIdentity | null {
  return readTenant(`${key.split('/')[1] ?? ''}.0`);
}
