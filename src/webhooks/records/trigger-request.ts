import * as z from 'zod';
import { effortNames } from '../../contract/profile-names.ts';
import { runVerbs } from '../../contract/verbs.ts';

/** A request without author and time, stored until it is repeated or confirmed. */
export const TriggerRequest = z.object({
  kind: z.enum([...runVerbs, 'answer']),
  text: z.string(),
  incremental: z.boolean().optional(),
  checksOnly: z.boolean().optional(),
  flags: z
    .object({
      budget: z.number().optional(),
      turns: z.int().optional(),
      model: z.string().optional(),
      effort: z.enum(effortNames).optional(),
      profile: z.string().optional(),
    })
    .optional(),
  location: z
    .object({
      path: z.string(),
      line: z.int().nullable(),
      side: z.enum(['LEFT', 'RIGHT']),
      diff_hunk: z.string(),
      root_id: z.int().nullable(),
    })
    .nullable(),
});
export type TriggerRequest = z.infer<typeof TriggerRequest>;
