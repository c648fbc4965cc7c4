/** Shares a number of bytes out among a known number of pieces: what one leaves over, those after it may use. */
export interface PageRoom {
  /** The most bytes the next piece may take, up to `most`; to be followed by `spend`. */
  next(most: number): number;
  spend(bytes: number): void;
}

/** Room of `bytes` for `pieces` pieces of a page. */
export function createPageRoom(bytes: number, pieces: number): PageRoom {
  let left = bytes;
  let waiting = pieces;
  return {
    next(most) {
      const share = left / Math.max(1, waiting);
      waiting -= 1;
      return Math.max(0, Math.floor(Math.min(most, share)));
    },
    spend(spent) {
      left = Math.max(0, left - spent);
    },
  };
}
