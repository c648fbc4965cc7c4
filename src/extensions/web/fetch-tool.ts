import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { integer } from '../../tools/input/lenient.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { pageText } from './convert-page.ts';
import { readBody, type WebBody } from './read-response-body.ts';
import { fencedText, formatBytes, headline, redirectNotice } from './show-answer.ts';
import { urlInput } from './url-input.ts';
import { mostPageBytes, mostSeconds } from './web-fetch-tool.ts';
import { askOnce, type WebServices } from './web-services.ts';

/** Allowed request headers; any other could leak data or impersonate a user. */
const headerNames = ['accept', 'accept-language', 'if-modified-since', 'if-none-match', 'range'];

const input = z.object({
  url: urlInput(),
  method: z.enum(['GET', 'HEAD']).default('GET'),
  format: z
    .enum(['auto', 'text', 'json', 'html', 'raw'])
    .default('auto')
    .describe('auto: pages as text, JSON laid out'),
  headers: z
    .record(
      z.string(),
      z
        .string()
        .max(500)
        .regex(/^[\x20-\x7e]*$/),
    )
    .optional()
    .describe(headerNames.join(', ')),
  timeout: integer(z.int().positive().max(mostSeconds)).default(30).describe('seconds'),
  max_size: integer(z.int().positive().max(mostPageBytes)).default(1_048_576).describe('bytes'),
});

/** The tool that makes a request and displays the response, whatever its status. */
export function fetchTool(web: WebServices): Tool {
  return defineTool({
    name: 'fetch',
    argumentAliases: { timeout_seconds: 'timeout' },
    description:
      'Make an HTTP request, such as to an API, and see status, headers and body. For pages to read, web_fetch.',
    exposure: 'deferred',
    input,
    level: 'external_read',
    targets: ({ url, method }) => ({ what: method === 'GET' ? url : `${method} ${url}`, urls: [url] }),
    async execute({ url, method, format, headers = {}, timeout, max_size: mostBytes }, context) {
      const wrong = Object.keys(headers).filter((name) => !headerNames.includes(name.toLowerCase()));
      if (wrong.length > 0)
        throw invalidInput(
          `headers may only be ${headerNames.join(', ')}; leave out ${wrong.join(', ').slice(0, 200)}.`,
        );
      const answer = await askOnce(
        web,
        { url, method, headers, timeoutSeconds: timeout, mostBytes },
        context.signal,
      );
      const at = answer.urls.at(-1) ?? url;
      const elsewhere = redirectNotice(answer, 'fetch');
      if (elsewhere !== null) return { content: elsewhere, data: { status: answer.status } };
      const body = readBody(answer);
      const data = { url: at, status: answer.status, type: body.type, bytes: answer.bytes.length };
      const shown =
        body.kind === 'binary'
          ? `[${body.type || 'bytes'}, ${formatBytes(answer.bytes.length)}, not shown as it is no text]`
          : inFormat(body, format);
      const headerLines = [...answer.headers]
        .filter(([name]) => shownHeaders.has(name))
        .map(([name, value]) => `${name}: ${value.slice(0, 500)}`);
      return {
        content: `${headline(answer, body.type, [])}\n${fencedText(at, [...headerLines, '', shown].join('\n'))}`,
        data,
      };
    },
  });
}

/** Headers that say something about the answer. */
const shownHeaders = new Set(
  'content-type content-length content-range content-disposition etag last-modified link retry-after x-ratelimit-remaining x-ratelimit-reset'.split(
    ' ',
  ),
);

function inFormat({ kind, text }: WebBody, format: z.output<typeof input>['format']): string {
  if (format === 'raw' || format === 'html') return text;
  if (kind === 'page' && (format === 'auto' || format === 'text')) return pageText(text);
  if (format !== 'json' && !(format === 'auto' && kind === 'json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    if (format === 'auto') return text;
    throw new ToolError('invalid_json', 'The body is no JSON. Ask with format raw to see it as it is.');
  }
}
