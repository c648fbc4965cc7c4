import type { Lease } from '../../contract/state-store.ts';

/**
 * The lease of one attempt is the row of its job: active, and with the number of retries that the attempt was fetched with, which grows
 * with each. pg-boss holds its own writes to the same (`attemptFence` in its `plans.js`). The row is locked against a change until the
 * statement around the query is committed (PostgreSQL, "Explicit Locking", row-level locks).
 */
export function jobLease(queue: string, id: string, retryCount: number): Lease {
  return {
    query: (first) => `SELECT 1 FROM pgboss.job WHERE name = $${first}::text AND id = $${first + 1}::uuid
      AND retry_count = $${first + 2}::int AND state = 'active' FOR SHARE`,
    values: [queue, id, retryCount],
  };
}
