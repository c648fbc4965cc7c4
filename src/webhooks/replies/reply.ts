import type { HeldRequest } from '../records/held-request.ts';

/** What the asker is told when there is no run: nothing, a 👎, or a comment with these words. */
export type Reply =
  | { readonly kind: 'none' }
  | { readonly kind: 'reaction' }
  | { readonly kind: 'comment'; readonly body: string }
  /** A comment that asks whether what is held is to run; `box` is the line to tick. */
  | { readonly kind: 'held'; readonly body: string; readonly box: string; readonly held: HeldRequest }
  /** A comment of ours gets its text back; `note` is a comment besides. */
  | {
      readonly kind: 'restore';
      readonly comment_id: number;
      readonly body: string;
      readonly note: string | null;
    };
