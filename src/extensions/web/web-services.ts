import { ToolError } from '../../contract/errors.ts';
import type { WebAccess, WebAnswer } from './web-access.ts';
import type { WebCache } from './web-cache.ts';

/** Services of the web tools. */
export interface WebServices {
  readonly access: WebAccess;
  /** Stored answers, so that no page is requested twice in 15 minutes. */
  readonly answers: WebCache<WebAnswer>;
  /** The file of the process that makes Markdown of pages. */
  readonly pageProgram: string;
}

/**
 * Requests a page, or returns a stored answer. Only successes are stored. Throws `ToolError` like
 * `WebAccess`, and if a stored answer is larger than wanted.
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
