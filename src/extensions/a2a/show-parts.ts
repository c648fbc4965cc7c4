import type { Part } from '@a2a-js/sdk';
import { ToolError } from '../../contract/errors.ts';
import type { ImagePart, TextPart } from '../../contract/message.ts';
import { toImagePart } from '../../tools/image/to-image-part.ts';
import { visibleText } from '../../tools/text/visible-text.ts';

const mostImages = 5;

/** What an agent says or made, for the model: texts and data in full, images to see, other files by their names. */
export function showParts(parts: readonly Part[]): readonly (TextPart | ImagePart)[] {
  let images = 0;
  return parts.map((part): TextPart | ImagePart => {
    const { content, filename, mediaType } = part;
    const name = visibleText([filename, mediaType].filter((one) => one).join(', ') || 'a file').slice(0, 200);
    if (content === undefined) return text('[a part without content]');
    if (content.$case === 'text') return text(visibleText(content.value));
    if (content.$case === 'data') return text(visibleText(JSON.stringify(content.value, null, 2) ?? ''));
    if (content.$case === 'url')
      return text(`[${name}, to be found at ${visibleText(content.value).slice(0, 2_000)}]`);
    const bytes = Buffer.from(content.value);
    if (/^(text\/|application\/(json|xml|yaml|toml))/.test(mediaType ?? ''))
      return text(`[${name}]\n${visibleText(bytes.toString('utf8'))}`);
    if (!(mediaType ?? '').startsWith('image/') || images >= mostImages)
      return text(`[${name}, ${bytes.length} bytes, which cannot be shown]`);
    images += 1;
    try {
      return toImagePart(name, bytes, bytes.length).part;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return text(`[${error.message}]`);
    }
  });
}

const text = (words: string): TextPart => ({ type: 'text', text: words });
