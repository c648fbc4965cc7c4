import type { WebAccess, WebAnswer } from './web-access.ts';
import type { WebCache } from './web-cache.ts';

/** What the tools of the web are made of. */
export interface WebServices {
  readonly access: WebAccess;
  /** Answers of this run, so that it never asks for the same page twice in a quarter of an hour. */
  readonly answers: WebCache<WebAnswer>;
  /** The file of the process that makes Markdown of pages. */
  readonly pageProgram: string;
}

/** Asks for a page, or has it from before. Only a success is kept. */
export function askOnce(
  { access, answers }: WebServices,
  request: Parameters<WebAccess['ask']>[0],
  signal: AbortSignal,
): Promise<WebAnswer> {
  const { url, method = 'GET', headers = {} } = request;
  return answers.get(
    JSON.stringify([method, url, headers]),
    () => access.ask(request, signal),
    ({ status, bytes }) => (status === 200 && bytes.length <= request.mostBytes ? bytes.length : null),
  );
}
