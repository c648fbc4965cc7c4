import type { PendingRequest } from '../records/pending-request.ts';

/** The reply to a request without a run. */
export type Reply =
  | { readonly kind: 'none' }
  | { readonly kind: 'reaction'; readonly content: '-1' | 'heart' }
  /** `hintFor` is the run whose question is still open; its answer removes the comment. */
  | { readonly kind: 'comment'; readonly body: string; readonly hintFor?: string }
  /** A comment that asks to confirm a pending request; `box` is the line to tick. */
  | {
      readonly kind: 'pending';
      readonly body: string;
      readonly box: string;
      readonly pending: PendingRequest;
    }
  /** Restores the text of our comment; `note` is a further comment. */
  | {
      readonly kind: 'restore';
      readonly comment_id: number;
      readonly body: string;
      readonly note: string | null;
    };
