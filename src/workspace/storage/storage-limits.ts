/** What one run's own files may come to; a waiting session carries all of them. */
export const storageLimits = {
  fileBytes: 1024 * 1024,
  /** All but `persist`. */
  bytes: 3 * 1024 * 1024,
  files: 300,
  /** `persist`, over all runs on a repository. */
  keptBytes: 1024 * 1024,
  keptFiles: 100,
  /** Content kept from before writes, over the whole run. */
  checkpointBytes: 64 * 1024 * 1024,
  pathCharacters: 300,
  pathParts: 10,
} as const;
