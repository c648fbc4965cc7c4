import { ToolError } from '../../contract/errors.ts';
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

/**
 * Asks for a page, or has it from before. Only a success is kept. Throws `ToolError` as `WebAccess` does, and where what was kept is larger
 * than is wanted now.
 */
export async function askOnce(
  { access, answers }: WebServices,
  request: Parameters<WebAccess['ask']>[0],
  signal: AbortSignal,
): Promise<WebAnswer> {
  const { url, method = 'GET', headers = {} } = request;
  const answer = await answers.get(
    JSON.stringify([method, url, headers]),
    () => access.ask(request, signal),
    ({ status, bytes }) => (status === 200 ? bytes.length : null),
  );
  if (answer.bytes.length > request.mostBytes)
    throw new ToolError(
      'too_large',
      `${url} was answered with ${answer.bytes.length} bytes, more than the ${request.mostBytes} wanted. Ask for a part of it, or with a larger max_size.`,
    );
  return answer;
}
