import type { Json } from '../../../src/contract/json.ts';
import { ImagePart, type Message } from '../../../src/contract/message.ts';
import { must, string } from './read-body.ts';

/** Makes one message of neighbours with the same role, for the roles which a wire writes in pieces. */
export function mergeNeighbours(messages: readonly Message[], roles: readonly Message['role'][]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last === undefined || last.role !== message.role || !roles.includes(message.role))
      merged.push(message);
    else if (last.role === 'user' && message.role === 'user') last.parts.push(...message.parts);
    else if (last.role === 'assistant' && message.role === 'assistant') last.parts.push(...message.parts);
  }
  return merged;
}

/** An image given as a `data:` URL. */
export function readDataUrl(url: Json | undefined, where: string): ImagePart {
  const match = /^data:([^;]+);base64,(.+)$/s.exec(string(url, `${where}.url`));
  const image = ImagePart.safeParse({ type: 'image', media_type: match?.[1], data: match?.[2] });
  must(image.success, `${where}: not an image`);
  return image.data;
}

/** The text in two pieces, since real streams never send it in one. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}
