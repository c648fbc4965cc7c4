/** What a bucket holds at most, and how much flows in a minute. */
export interface BucketSize {
  readonly capacity: number;
  readonly perMinute: number;
}

/** How full a bucket was, and when: milliseconds since 1970. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

const minute = 60_000;

export const fullBucket = (size: BucketSize, now: number): Bucket => ({ tokens: size.capacity, at: now });

/** The bucket at a later time. A clock that was put back changes nothing. */
export function refill(bucket: Bucket, { capacity, perMinute }: BucketSize, now: number): Bucket {
  const passed = Math.max(0, now - bucket.at);
  return {
    tokens: Math.min(capacity, bucket.tokens + (passed * perMinute) / minute),
    at: Math.max(now, bucket.at),
  };
}

/** The bucket without one token; may only be asked of a bucket that has one. */
export const drain = (bucket: Bucket): Bucket => ({ ...bucket, tokens: bucket.tokens - 1 });

/** How long until a token can be taken that leaves `reserve` in it, in milliseconds from the bucket's own time; 0 for now. */
export function waitFor(bucket: Bucket, { perMinute }: BucketSize, reserve: number): number {
  const missing = 1 + reserve - bucket.tokens;
  // A millionth is what adding fractions loses.
  return missing <= 1e-6 ? 0 : Math.ceil((missing * minute) / perMinute);
}
