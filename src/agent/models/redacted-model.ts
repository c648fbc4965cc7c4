import type { Message } from '../../contract/message.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { redactMessage } from '../../redaction/redact-value.ts';
import type { Model } from './model.ts';

/** Characters of streamed text that wait for more. Longer than a key. */
const pendingLength = 400;

/**
 * A model that receives no secret in system prompt, conversation or tool results, and whose
 * streamed text contains none. Each message is redacted once: a repeated message is equal byte for
 * byte.
 */
export function redactedModel(model: Model, redact: (text: string) => string): Model {
  const done = new WeakMap<Message, Message>();
  const clean = (message: Message): Message => {
    const cached = done.get(message);
    if (cached !== undefined) return cached;
    const made = redactMessage(message, redact, 'keep');
    done.set(message, made);
    return made;
  };
  return {
    // Another model may take over: the current one handles each request.
    get name() {
      return model.name;
    },
    get nativeTools() {
      return model.nativeTools;
    },
    get contextWindow() {
      return model.contextWindow;
    },
    cost: (usage) => model.cost(usage),
    async complete(request, onText) {
      const text = createRedactStream(redact, pendingLength);
      const pass = (piece: string) => {
        if (piece !== '') onText(piece);
      };
      const sent = { ...request, system: redact(request.system), messages: request.messages.map(clean) };
      const reply = await model.complete(sent, (piece) => pass(text.push(piece)));
      pass(text.end());
      return reply;
    },
  };
}
