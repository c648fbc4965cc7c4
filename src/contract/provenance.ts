import * as z from 'zod';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Trust in a text: `operator` set up the run, `requester` was authorized for it, `base_branch` is
 * what the repository has merged, `untrusted` is anybody's.
 */
export const Trust = z.enum(['operator', 'requester', 'base_branch', 'untrusted']);

/** The origin of a run: its program, its settings and each text that it was given. */
export const Provenance = z.object({
  /** Version of this program. */
  version: z.string(),
  /** `provider/model` of the first turn. */
  model: z.string(),
  /** Hash of the run plan, as JSON. */
  plan_sha256: Sha256,
  /** Hash of the system prompt. */
  prompt_sha256: Sha256,
  /** Hash of the definitions of the tools that the model is shown at the start, as JSON. */
  tools_sha256: Sha256,
  /** Hash of the preset and the configured permissions, as JSON. */
  policy_sha256: Sha256,
  /** The texts of the run, in the order in which the model has them. */
  inputs: z.array(
    z.object({
      kind: z.enum([
        'configuration',
        'description',
        'comment',
        'review',
        'review_comment',
        'image',
        'repository',
        'diff',
        'request',
      ]),
      /** Login of the author, or the file. */
      from: z.string(),
      trust: Trust,
      characters: z.int().nonnegative(),
      sha256: Sha256,
    }),
  ),
  /** The texts that the model did not get, since readers of the page do not see them. */
  dropped: z.array(
    z.object({
      reason: z.string(),
      where: z.string(),
      from: z.string(),
      characters: z.int().nonnegative(),
      /** The start of the hash of the text. */
      digest: z.string(),
    }),
  ),
});
export type Provenance = z.infer<typeof Provenance>;
