import { isUtf8 } from 'node:buffer';
import { ToolError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { ImagePart, TextPart } from '../../contract/message.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { visibleLine, visibleText } from '../../tools/text/visible-text.ts';
import type { ToolOutput } from '../../tools/tool.ts';
import { isBoundedJson } from '../protocol/message-lines.ts';

/** Maximum parts of a result, and images. */
const mostParts = 1_000;
const mostImages = 8;

/** Maximum bytes of data stored with a result. */
const mostData = 64 * 1024;

/** Maximum characters of a name in a line. */
export const longestWord = 300;

type Part = TextPart | ImagePart;
type Hide = (text: string) => string;

/**
 * Renders the result of a tool call as text and images: embedded resources by their text, links and
 * sounds in a line. `structuredContent` is used if there is no text. `hide` removes the server's
 * secrets. An error result throws `ToolError('failed')` with its text.
 */
export async function renderResult(name: string, result: JsonObject, hide: Hide): Promise<ToolOutput> {
  const { content, structuredContent: structured } = result;
  const parts = await renderParts(Array.isArray(content) ? content : [], hide);
  const isBounded = structured === undefined || isBoundedJson(structured, { parts: 100_000, depth: 64 });
  if (!isBounded) parts.push(omittedPart('structured content that is too large or too deep to be shown'));
  else if (structured !== undefined && !parts.some((part) => part.type === 'text'))
    parts.push({ type: 'text', text: hide(visibleText(JSON.stringify(structured, null, 1))) });
  if (result.isError === true) {
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    throw new ToolError('failed', `${name} failed: ${texts.join('\n') || 'it does not say why'}`);
  }
  const data = isBounded && structured !== undefined ? redactValue(structured, hide) : undefined;
  const fits = data !== undefined && Buffer.byteLength(JSON.stringify(data)) <= mostData;
  const shown = contentOf(parts);
  return fits ? { content: shown, data } : { content: shown };
}

function contentOf(parts: Part[]): ToolOutput['content'] {
  const [first, ...more] = parts;
  if (first === undefined) return '(no output)';
  return first.type === 'text' && more.length === 0 ? first.text : parts;
}

/** Renders parts (`ContentBlock`) for the model. */
export async function renderParts(content: readonly Json[], hide: Hide): Promise<Part[]> {
  const parts: Part[] = [];
  for (const one of content.slice(0, mostParts)) {
    const images = parts.filter((part) => part.type === 'image').length;
    for (const part of await renderPart(one, images < mostImages, hide))
      parts.push(part.type === 'text' ? { type: 'text', text: hide(part.text) } : part);
  }
  if (content.length > mostParts) parts.push(omittedPart(`${content.length - mostParts} more parts`));
  return parts;
}

async function renderPart(part: Json, showImage: boolean, hide: Hide): Promise<Part[]> {
  if (!isJsonObject(part)) return [];
  const { type, text, data, mimeType, resource } = part;
  if (type === 'text' && typeof text === 'string') return [{ type: 'text', text: visibleText(text) }];
  if (type === 'image' && typeof data === 'string') return showBytes('an image', data, showImage);
  if (type === 'audio' && typeof data === 'string')
    return [
      omittedPart(
        `sound, ${visibleLine(mimeType, longestWord, hide)}, ${bytesOf(data)} bytes, which cannot be played here`,
      ),
    ];
  if (type === 'resource' && isJsonObject(resource)) return renderContents(resource, showImage, hide);
  if (type === 'resource_link') {
    const details = [part.title, part.name, part.description, mimeType]
      .map((one) => visibleLine(one, longestWord, hide))
      .filter((one) => one !== '');
    return [
      { type: 'text', text: `[resource ${visibleLine(part.uri, longestWord, hide)}: ${details.join(', ')}]` },
    ];
  }
  return [omittedPart(`a part of the unknown kind ${JSON.stringify(visibleLine(type, longestWord, hide))}`)];
}

/** Renders a resource: its address, then its content. */
async function renderContents(resource: JsonObject, showImage: boolean, hide: Hide): Promise<Part[]> {
  const { uri, text, blob, mimeType } = resource;
  const kind = visibleLine(mimeType, longestWord, hide);
  const head = `[resource ${visibleLine(uri, longestWord, hide)}${kind === '' ? '' : `, ${kind}`}]`;
  if (typeof text === 'string') return [{ type: 'text', text: `${head}\n${visibleText(text)}` }];
  if (typeof blob !== 'string') return [{ type: 'text', text: `${head}\n(empty)` }];
  if (kind.startsWith('image/'))
    return [{ type: 'text', text: head }, ...(await showBytes('an image', blob, showImage))];
  const decoded = textIn(blob);
  if (decoded !== null) return [{ type: 'text', text: `${head}\n${visibleText(decoded)}` }];
  return [{ type: 'text', text: head }, omittedPart(`${bytesOf(blob)} bytes that are no text`)];
}

/** The text of bytes, as servers send any file as bytes; null if binary. */
function textIn(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : null;
}

/** Renders an image, whose type its bytes tell. */
async function showBytes(what: string, base64: string, show: boolean): Promise<Part[]> {
  if (!show)
    return [omittedPart(`${what} of ${bytesOf(base64)} bytes; ${mostImages} of one result are shown`)];
  const { toImagePart } = await import('../../tools/image/to-image-part.ts');
  const bytes = Buffer.from(base64, 'base64');
  try {
    const image = toImagePart('It', bytes, bytes.length);
    return [{ type: 'text', text: `[image: ${image.description}]` }, image.part];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [omittedPart(`${what} that cannot be shown. ${error.message}`)];
  }
}

const omittedPart = (what: string): TextPart => ({ type: 'text', text: `[left out: ${what}]` });

const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);
