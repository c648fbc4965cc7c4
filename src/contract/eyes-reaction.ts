import * as z from 'zod';

/**
 * A comment that got our 👀, which says that somebody is at work on it. Kept from before the reaction is given until it is taken
 * away, so that none stays behind.
 */
export const GivenEyes = z.object({
  version: z.literal(1),
  repository: z.object({ owner: z.string(), name: z.string() }),
  comment: z.object({ id: z.number(), kind: z.enum(['issue_comment', 'review_comment']) }),
  /** The delivery that brought the comment: the reaction stays as long as that is to be handled. */
  delivery_id: z.string(),
});
export type GivenEyes = z.infer<typeof GivenEyes>;

/** Where they are kept, as the JSON of a `GivenEyes`. */
export const givenEyes = 'eyes/';
export const eyesKey = ({ id, kind }: GivenEyes['comment']): string => `${givenEyes}${kind}/${id}`;
