import { STATUS_CODES } from 'node:http';
import { ToolError } from '../../contract/errors.ts';
import { fenced } from '../../contract/untrusted.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import type { WebAnswer } from './web-access.ts';

/** Fences a text of the web for a model and removes invisible characters. */
export function fencedText(url: string, text: string): string {
  return fenced({ source: 'web', url }, visibleText(text));
}

/** The lines above a text: URL, status, redirects. */
export function headline(answer: WebAnswer, type: string, notes: readonly string[]): string {
  const [requested = '', ...led] = answer.urls;
  const path = led.length === 0 ? requested : `${requested} (redirected to ${led.join(', then ')})`;
  return [`${path}: ${httpStatus(answer)}, ${type}, ${formatBytes(answer.bytes.length)}`, ...notes].join(
    '\n',
  );
}

/** The message for an answer that redirects elsewhere; null for any other. */
export function redirectNotice(answer: WebAnswer, tool: string): string | null {
  if (answer.elsewhere === null) return null;
  const url = fencedText(answer.urls.at(-1) ?? '', answer.elsewhere);
  return `${answer.urls.at(-1)} redirects elsewhere, which was not followed, because each address is checked separately. Call ${tool} with it if you want it:\n${url}`;
}

/** Throws for an unsuccessful answer, with the start of its text. */
export function requireSuccess(answer: WebAnswer, text: string): void {
  if (answer.status >= 200 && answer.status < 300) return;
  const url = answer.urls.at(-1) ?? '';
  const excerpt = text.trim() === '' ? '' : `\n${fencedText(url, text.trim().slice(0, 500))}`;
  throw new ToolError(
    'failed',
    `${url} was answered with ${httpStatus(answer)}. ${adviceFor(answer)}${excerpt}`,
  );
}

function adviceFor({ status }: WebAnswer): string {
  if (status === 404 || status === 410) return 'Look for the page by web_search or from a page above it.';
  if (status === 429 || status >= 500) return 'Try again later, or another source.';
  return 'Try another source.';
}

/** A status with its standard name; the server's own text is untrusted. */
export function httpStatus({ status }: Pick<WebAnswer, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`;
  const kibibytes = bytes / 1_024;
  return kibibytes < 1_024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1_024).toFixed(1)} MiB`;
}
