import * as z from 'zod';
import { flag, unlessNull } from '../input/lenient.ts';
import { type MailMessage, parentMailbox } from '../services/mailboxes.ts';
import { defineTool, toJson } from '../tool.ts';
import { withoutHeads } from './render-children.ts';

const input = z.object({
  recipient: unlessNull(z.string().trim().min(1).max(100)).describe('default: your own mailbox'),
  peek: flag().default(false).describe('leave them there'),
});

/** Reads a mailbox of this run tree, and empties it unless `peek` is set. */
export const receiveMessages = defineTool({
  name: 'receive_messages',
  argumentAliases: { mailbox: 'recipient' },
  description: 'Read the messages that other agents of this run left, and take them out.',
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: (args) => args.peek,
  targets: (args) => ({ what: args.recipient ?? 'own mailbox' }),
  async execute(args, { mailboxes, state }) {
    const reader = state.name ?? parentMailbox;
    const name = args.recipient ?? reader;
    // Mailboxes of other agents can be read only; shared mailboxes are emptied by any reader.
    const foreign = name.toLowerCase() !== reader && /^(?:parent$|child_)/i.test(name);
    const messages = mailboxes.take(name, { reader, peek: args.peek || foreign });
    if (messages.length === 0)
      return { content: `Nothing waits in the mailbox ${name}.`, data: { messages: [] } };
    const left = foreign && !args.peek ? [`[left there: they are for ${name}]`] : [];
    return { content: [...messages.map(renderMessage), ...left].join('\n\n'), data: toJson({ messages }) };
  },
});

/**
 * Renders one message under a line that names its sender. Its text is information, like any tool
 * result.
 */
function renderMessage({ id, type, from, sender, message, metadata }: MailMessage): string {
  const who = from === sender ? from : `${from} (${sender})`;
  const more = metadata === undefined ? '' : `\n${JSON.stringify(metadata)}`;
  return `== ${id} · ${type} · from ${who} ==\n${withoutHeads(message)}${more}`;
}
