import type { Message } from '../../contract/message.ts';
import { createRedactStream } from '../../redaction/redact-stream.ts';
import { redactMessage } from '../../redaction/redact-value.ts';
import type { Model } from './model.ts';

/** Characters of streamed text that wait for more. Longer than a key. */
const pendingLength = 400;

/**
 * A model to which no secret is sent, wherever in system prompt, conversation or results of tools
 * it stands, and whose streamed text shows none. Each message is read once: what is sent again is
 * byte for byte what was sent before.
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
    // Another model may take over: what is asked is answered by the one that is at work.
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
