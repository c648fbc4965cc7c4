import * as z from 'zod';
import type { Json } from '../../contract/json.ts';
import type { ImagePart, TextPart } from '../../contract/message.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { toImagePart } from '../../tools/image/to-image-part.ts';
import { visibleText } from '../../tools/text/visible-text.ts';
import type { ToolOutput } from '../../tools/tool.ts';
import { PluginFailure } from './plugin-failure.ts';

const mostParts = 100;

const Part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string() }),
]);

/** What a call gives back: a text, or parts, perhaps with data for the record; `isError` where it came to nothing. */
const CallResult = z.union([
  z.string(),
  z.object({
    content: z.union([z.string(), z.array(Part).max(mostParts)]),
    isError: z.boolean().optional(),
    data: z.json().optional(),
  }),
]);

/** What `call` came to, as the model gets it. Throws `PluginFailure` for what is no result, or says that it is an error. */
export function readPluginResult(result: Json, hide: (text: string) => string): ToolOutput {
  const { data: read } = CallResult.safeParse(result);
  if (read === undefined)
    throw new PluginFailure(
      'unusable',
      `answered with neither a text nor {content: …}: ${JSON.stringify(hide(visibleText(JSON.stringify(result))).slice(0, 200))}`,
    );
  const { content, isError = false, data } = typeof read === 'string' ? { content: read } : read;
  const clean = (text: string) => hide(visibleText(text));
  if (typeof content === 'string' || isError) {
    const texts =
      typeof content === 'string'
        ? [content]
        : content.flatMap((part) => ('text' in part ? [part.text] : []));
    const text = clean(texts.join('\n'));
    if (isError)
      throw new PluginFailure('answered', text === '' ? 'answered with an error without words' : text);
    return { content: text || '(no output)', ...dataOf(data, hide) };
  }
  const parts = content.map((part, index): TextPart | ImagePart =>
    'text' in part
      ? { type: 'text', text: clean(part.text) }
      : imageOf(part.data, `Image ${index + 1} of the result`),
  );
  return { content: parts.length === 0 ? '(no output)' : parts, ...dataOf(data, hide) };
}

/** Data of a call is for the record, which is no place for much of it. */
const mostData = 64 * 1024;

function dataOf(data: Json | undefined, hide: (text: string) => string): { readonly data?: Json } {
  return data === undefined || JSON.stringify(data).length > mostData
    ? {}
    : { data: redactValue(data, hide) };
}

function imageOf(base64: string, name: string): ImagePart {
  const bytes = Buffer.from(base64, 'base64');
  return toImagePart(name, bytes, bytes.length).part;
}
