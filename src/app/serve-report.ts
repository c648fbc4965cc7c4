import { constants } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from '../contract/errors.ts';
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

/** Renders a page of one heading and one sentence. */
const plainPage = (head: string, title: string, text: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${head}<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><h1>${title}</h1><p>${text}</p></body></html>
`;

/** Page for a run that has not ended; it reloads itself. */
const notYet = plainPage(
  '<meta http-equiv="refresh" content="15">',
  'There is no report of this run yet',
  'It will be here when the run has ended. This page looks again every 15 seconds.',
);

/** Page for a run that left nothing to show. */
const noReport = plainPage(
  '',
  'This run has no report',
  'It ended before it began, or its report was deleted for its age. The comment with this link says how it ended.',
);

/** Places and state that the answer depends on. */
interface ReportPorts {
  readonly links: ReportLinks;
  readonly runsFolder: string;
  readonly now: Date;
  /** Returns true for a run that has not ended. */
  readonly isOpen: (runId: string) => Promise<boolean>;
}

/**
 * Answers a request for a run's report in `runsFolder`. A run that was killed gets a page made from
 * its ledger. Returns false for an invalid link; the caller then answers as for any unknown page,
 * so that trying reveals nothing.
 */
export async function serveReport(
  request: IncomingMessage,
  response: ServerResponse,
  { links, runsFolder, now, isOpen }: ReportPorts,
): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const runId = links.runOf(request.url ?? '', now);
  if (runId === null) return false;
  const folders = await foldersOf(runsFolder, runId);
  for (const folder of folders) {
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
  const { status, page } = await pageWithoutReport(folders, await isOpen(runId));
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : page);
  return true;
}

/** Returns the page of a run whose folders have no report. */
async function pageWithoutReport(
  folders: readonly string[],
  isActive: boolean,
): Promise<{ readonly status: 200 | 404; readonly page: string }> {
  if (isActive) return { status: 404, page: notYet };
  const made = await makeLeftReport(folders);
  return made === null ? { status: 404, page: noReport } : { status: 200, page: made };
}

/** Makes the report of a run that was killed, of its last attempt; null if none had begun. */
async function makeLeftReport(folders: readonly string[]): Promise<string | null> {
  const { makeRunReport } = await import('../pipeline/finish/write-run-report.ts');
  // The ledger is redacted, and nothing else is on the page.
  const rest = { outcome: null, plan: null, published: null, runUrl: null, redact: (text: string) => text };
  for (const folder of folders) {
    try {
      return await makeRunReport({ ledgerFile: path.join(folder, 'ledger.jsonl'), ...rest });
    } catch (error) {
      if (!(error instanceof ConfigError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return null;
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
