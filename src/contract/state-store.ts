interface Values {
  /** The value at a key, or null. Keys are paths: `waiting/7/run_…`. */
  get(key: string): Promise<string | null>;
  /** Writes atomically; the newest wins. */
  set(key: string, value: string): Promise<void>;
  /** True when this call made the key; false when it existed already. */
  claim(key: string, value: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Keys that start with the prefix, sorted. */
  list(prefix: string): Promise<string[]>;
}

/** What lives between runs of one repository. Its keys name no repository: nothing of another can be said by them. */
export interface StateStore extends Values {
  /** The repository's id; null for state that belongs to a folder or a run of this machine. */
  readonly repository: number | null;
}

/** Where the state of all repositories lives: the App's database, or a folder. Each key is one of its tenant's or of `sharedKeys`. */
export interface StateRoot extends Values {
  /** Deletes the keys that start with the prefix and were written last before that time; how many they were. */
  deleteOld(prefix: string, before: Date): Promise<number>;
  /** The names of all tenants that have a key. */
  tenants(): Promise<string[]>;
  /** Deletes all keys of a tenant; how many they were. */
  deleteTenant(tenant: string): Promise<number>;
}
