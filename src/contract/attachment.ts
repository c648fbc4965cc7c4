/** One image of a thread as the broker got it, or a sentence, without its subject, that says why it did not. */
export type FetchedAttachment = { readonly name: string } & (
  | { readonly bytes: Buffer }
  | { readonly failure: string }
);
