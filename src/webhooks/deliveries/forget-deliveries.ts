import type { Db } from 'pg-boss';
import type { Removal } from '../triggers/find-removal.ts';

/** Paths of ids in pg-boss's own table (pg-boss docs, "SQL"). */
const repository = "data->'payload'->'repository'->>'id'";
const installation = "data->'payload'->'installation'->>'id'";

/**
 * Empties the deliveries of repositories, cancels pending ones and returns their number. Their ids
 * stay, so that redeliveries are recognised.
 */
export async function forgetDeliveries(
  database: Db,
  queue: string,
  { installation: installationId, repositories }: Pick<Removal, 'installation' | 'repositories'>,
): Promise<number> {
  const { rows } = await database.executeSql(
    `UPDATE pgboss.job
     SET state = CASE WHEN state < 'completed' THEN 'cancelled' ELSE state END,
         completed_on = COALESCE(completed_on, now()), data = NULL, output = NULL
     WHERE name = $1
       AND ($2::text IS NULL OR ${installation} = $2)
       AND ($3::text[] IS NULL OR ${repository} = ANY($3))
       AND ($2::text IS NOT NULL OR $3::text[] IS NOT NULL)
     RETURNING id`,
    [
      queue,
      installationId === null ? null : String(installationId),
      repositories === 'all' ? null : repositories.map(String),
    ],
  );
  return rows.length;
}
