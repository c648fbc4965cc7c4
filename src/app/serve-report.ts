import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReportLinks } from '../pipeline/context/report-links.ts';
import { reportFile } from '../pipeline/finish/write-run-report.ts';

/**
 * Response headers of a report. Styles are not limited here, since the page names its style by hash
 * and may be from an earlier version. Its address must not be passed on, and nothing cached.
 */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Page for a run without a report yet; it reloads itself. */
const notYet = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="15"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>No report yet</title></head>
<body><h1>There is no report of this run yet</h1><p>It will be here when the run has ended; the page looks again every 15 seconds. A run that could not begin leaves none, and old ones are deleted.</p></body></html>
`;

/**
 * Answers a request for a run's report in `runsFolder`. Returns false for an invalid link; the
 * caller then answers as for any unknown page, so that trying reveals nothing.
 */
export async function serveReport(
  request: IncomingMessage,
  response: ServerResponse,
  { links, runsFolder, now }: { links: ReportLinks; runsFolder: string; now: Date },
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const runId = links.runOf(request.url ?? '', now);
  if (runId === null) return false;
  for (const folder of await foldersOf(runsFolder, runId)) {
    const file = await openReport(path.join(folder, reportFile));
    if (file === null) continue;
    try {
      response.writeHead(200, { ...headers, 'content-length': (await file.stat()).size });
      if (request.method === 'HEAD') response.end();
      else await pipeline(file.createReadStream({ autoClose: false }), response);
    } finally {
      await file.close();
    }
    return true;
  }
  response.writeHead(404, headers).end(request.method === 'HEAD' ? undefined : notYet);
  return true;
}

/**
 * Returns a run's folders, latest attempt first. They are in its repository's folder, which the
 * address does not name.
 */
async function foldersOf(runsFolder: string, runId: string): Promise<string[]> {
  const places = (await Promise.all((await namesIn(runsFolder)).map(attemptsIn))).flat();
  async function attemptsIn(tenant: string): Promise<string[]> {
    const attempts = await namesIn(path.join(runsFolder, tenant));
    return attempts
      .sort()
      .reverse()
      .map((attempt) => path.join(runsFolder, tenant, attempt, runId));
  }
  const there = await Promise.all(places.map((place) => stat(place).catch(() => null)));
  return places.filter((_, index) => there[index]?.isDirectory());
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function openReport(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
}
