/** The sentence for people about a run that a full disk ended. The log names the disk. */
export const fullDiskRemedy =
  'The disk of the machine that runs this is full. Free space on it, in a workflow by a step before.';
