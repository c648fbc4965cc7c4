/** Capacity of a bucket, and its refill per minute. */
export interface BucketSize {
  readonly capacity: number;
  readonly perMinute: number;
}

/** Level of a bucket at a time in milliseconds since 1970. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

const minute = 60_000;

export const fullBucket = (size: BucketSize, now: number): Bucket => ({ tokens: size.capacity, at: now });

/** Returns the bucket at a later time. A clock set back changes nothing. */
export function refill(bucket: Bucket, { capacity, perMinute }: BucketSize, now: number): Bucket {
  const passed = Math.max(0, now - bucket.at);
  return {
    tokens: Math.min(capacity, bucket.tokens + (passed * perMinute) / minute),
    at: Math.max(now, bucket.at),
  };
}

/** Removes one token from a bucket that has one. */
export const drain = (bucket: Bucket): Bucket => ({ ...bucket, tokens: bucket.tokens - 1 });

/**
 * Returns the milliseconds, from the bucket's time, until a token can be taken that leaves
 * `reserve`; 0 for now.
 */
export function waitFor(bucket: Bucket, { perMinute }: BucketSize, reserve: number): number {
  const missing = 1 + reserve - bucket.tokens;
  // A millionth covers rounding errors.
  return missing <= 1e-6 ? 0 : Math.ceil((missing * minute) / perMinute);
}
