import type { Lease } from '../../contract/state-store.ts';

/**
 * Returns the lease of one attempt: its active job row with the attempt's retry count. pg-boss
 * fences its own writes the same way (`attemptFence` in its `plans.js`). The row is locked until
 * the statement is committed (PostgreSQL, "Explicit Locking", row-level locks).
 */
export function jobLease(queue: string, id: string, retryCount: number): Lease {
  return {
    query: (first) => `SELECT 1 FROM pgboss.job WHERE name = $${first}::text AND id = $${first + 1}::uuid
      AND retry_count = $${first + 2}::int AND state = 'active' FOR SHARE`,
    values: [queue, id, retryCount],
  };
}
