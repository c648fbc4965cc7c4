import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StateRoot } from '../contract/state-store.ts';
import { foldAccounts } from '../reporting/stats/fold-accounts.ts';
import { renderMetrics } from '../reporting/stats/render-stats.ts';
import { readAccounts } from './read-accounts.ts';

export const metricsPath = '/metrics';

/**
 * Answers with the costs and results of all stored runs, for Prometheus. 401: the token of the
 * header `Authorization: Bearer TOKEN` is missing or wrong.
 */
export async function serveMetrics(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { state, token }: { readonly state: StateRoot; readonly token: string },
): Promise<void> {
  if (!isEqual(headers.authorization ?? '', `Bearer ${token}`)) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Unauthorized.\n');
    return;
  }
  const stats = foldAccounts(await readAccounts(state, new Date(0)), ['repository', 'model', 'profile']);
  response
    .writeHead(200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    })
    .end(renderMetrics(stats));
}

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
