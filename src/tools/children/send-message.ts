import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { unlessNull } from '../input/lenient.ts';
import { messageTypes, parentMailbox } from '../services/mailboxes.ts';
import { defineTool, toJson } from '../tool.ts';

const mostCharacters = 16_000;
const mostMetadata = 4_000;

const input = z.object({
  recipient: z.string().trim().min(1).max(100).describe('parent, aggman, broadcast, or the id of a child'),
  message: z.string().min(1).max(mostCharacters),
  type: z.enum(messageTypes).default('status'),
  from: unlessNull(z.string().max(100)),
  metadata: unlessNull(z.record(z.string(), z.json())),
});

/** Puts a message into a mailbox of this run tree. */
export const sendMessage = defineTool({
  name: 'send_message',
  argumentAliases: { to: 'recipient', content: 'message' },
  description: 'Leave a message for another agent of this run: its parent, a child, or all of them.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: `${args.type} to ${args.recipient}` }),
  async execute(args, { mailboxes, state }) {
    const { metadata } = args;
    if (metadata !== undefined && JSON.stringify(metadata).length > mostMetadata) {
      throw new ToolError(
        'too_large',
        `The metadata has more than ${mostMetadata} characters of JSON. Put it into a file and name that.`,
      );
    }
    const sender = state.name ?? parentMailbox;
    const sent = mailboxes.send({
      recipient: args.recipient,
      type: args.type,
      from: args.from?.replaceAll(/\s+/g, ' ').trim() || sender,
      sender,
      message: args.message,
      metadata,
    });
    const to = sent.recipient === 'broadcast' ? 'every agent of this run' : `the mailbox ${sent.recipient}`;
    return { content: `Message ${sent.id} is left for ${to}.`, data: toJson(sent) };
  },
});
