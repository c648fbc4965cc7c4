import type { ImagePart, Message, TextPart } from '../../contract/message.ts';

/**
 * Returns the conversation with texts in place of some images. `textFor` returns the text, or null
 * for an image that stays. A message without such an image stays the same object.
 */
export function replaceImages(
  messages: readonly Message[],
  textFor: (image: ImagePart) => string | null,
): Message[] {
  return messages.map((message) => {
    if (message.role === 'assistant') return message;
    const parts = message.parts.map((part) => {
      if (part.type !== 'tool_result') return replaced(part, textFor);
      const content = part.content.map((piece) => replaced(piece, textFor));
      return content.some((piece, index) => piece !== part.content[index]) ? { ...part, content } : part;
    });
    return parts.some((part, index) => part !== message.parts[index]) ? { ...message, parts } : message;
  });
}

/** All images of a conversation, the oldest first. */
export function imagesIn(messages: readonly Message[]): ImagePart[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const pieces = part.type === 'tool_result' ? part.content : [part];
      return pieces.filter((piece) => piece.type === 'image');
    }),
  );
}

function replaced<Part extends TextPart | ImagePart>(
  part: Part,
  textFor: (image: ImagePart) => string | null,
): Part | TextPart {
  const text = part.type === 'image' ? textFor(part) : null;
  return text === null ? part : { type: 'text', text };
}
