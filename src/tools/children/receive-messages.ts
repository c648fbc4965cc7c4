import * as z from 'zod';
import { flag } from '../input/flag.ts';
import { unlessNull } from '../input/unless-null.ts';
import { type MailMessage, parentMailbox } from '../services/mailboxes.ts';
import { toJson } from '../text/to-json.ts';
import { defineTool } from '../tool.ts';
import { withoutHeads } from './without-heads.ts';

const input = z.object({
  recipient: unlessNull(z.string().trim().min(1).max(100)).describe('default: your own mailbox'),
  peek: flag().default(false).describe('leave them there'),
});

/** Reads a mailbox of this run's family, and empties it unless it only looks. */
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
    // Others may look into the mailbox of an agent; only what is nobody's own is emptied by whoever comes.
    const foreign = name.toLowerCase() !== reader && /^(?:parent$|child_)/i.test(name);
    const messages = mailboxes.take(name, { reader, peek: args.peek || foreign });
    if (messages.length === 0)
      return { content: `Nothing waits in the mailbox ${name}.`, data: { messages: [] } };
    const left = foreign && !args.peek ? [`[left there, as they are for ${name}]`] : [];
    return { content: [...messages.map(rendered), ...left].join('\n\n'), data: toJson({ messages }) };
  },
});

/** One message under a line that says whose it is. What another agent says is information, as any tool result. */
function rendered({ id, type, from, sender, message, metadata }: MailMessage): string {
  const who = from === sender ? from : `${from} (${sender})`;
  const more = metadata === undefined ? '' : `\n${JSON.stringify(metadata)}`;
  return `== ${id} · ${type} · from ${who} ==\n${withoutHeads(message)}${more}`;
}
