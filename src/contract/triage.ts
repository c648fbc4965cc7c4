import * as z from 'zod';

/** What a triage may choose from, as the repository had it when the run was planned. */
export const TriageChoices = z.object({
  /** Names of labels. */
  labels: z.array(z.string()).max(300),
  /** Threads that may be the same, by number. */
  candidates: z.array(z.int().positive()).max(20),
});
export type TriageChoices = z.infer<typeof TriageChoices>;

/** What a triage proposes: labels to add, and threads that say the same. */
export const Triage = z.object({
  labels: z.array(z.string().min(1).max(100)).max(10),
  duplicates: z.array(z.int().positive()).max(5),
});
export type Triage = z.infer<typeof Triage>;
