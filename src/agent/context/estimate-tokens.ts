import type { Message } from '../../contract/message.ts';

/** What an image costs about, in tokens: providers scale larger ones down to this (Anthropic, "Vision"). */
export const imageTokens = 1_600;
/** Bytes of text to a token. Bytes and not characters: what is not Latin has more tokens to the character. */
export const bytesPerToken = 4;

/** Tokens of one text by our own estimate. */
export function textTokens(text: string): number {
  return Buffer.byteLength(text) / bytesPerToken;
}

/** Tokens of one message by our own estimate, not rounded, so that estimates can be added up. */
export function messageTokens({ parts }: Message): number {
  let tokens = 0;
  for (const part of parts) {
    if (part.type === 'text') tokens += textTokens(part.text);
    else if (part.type === 'image') tokens += imageTokens;
    else if (part.type === 'tool_call') tokens += textTokens(JSON.stringify(part.input));
    else if (part.type === 'opaque') tokens += textTokens(JSON.stringify(part.value));
    else
      for (const piece of part.content)
        tokens += piece.type === 'text' ? textTokens(piece.text) : imageTokens;
  }
  return tokens;
}
