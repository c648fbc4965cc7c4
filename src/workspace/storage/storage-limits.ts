/** Limits of a run's own files; a waiting session carries all of them. */
export const storageLimits = {
  fileBytes: 1024 * 1024,
  /** All folders but `persist`. */
  bytes: 3 * 1024 * 1024,
  files: 300,
  /** `persist`, for all runs on a repository. */
  keptBytes: 1024 * 1024,
  keptFiles: 100,
  /** Content stored before writes, over the whole run. */
  checkpointBytes: 64 * 1024 * 1024,
  pathCharacters: 300,
  pathParts: 10,
} as const;
