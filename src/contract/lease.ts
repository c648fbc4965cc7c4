/**
 * The right of one attempt at a delivery to write, as a query of the App's database: it gives one row while the attempt is the
 * current one, and none once it was superseded. Asked inside of a statement, it holds until that statement is committed.
 */
export interface Lease {
  /** The query, with its parameters numbered from `first` on. */
  readonly query: (first: number) => string;
  readonly values: readonly unknown[];
}

/** This attempt was superseded, by another after its lease was lost: it may write nothing any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
