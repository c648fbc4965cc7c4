import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';

/** Types of messages. */
export const messageTypes = ['status', 'question', 'result', 'error', 'broadcast'] as const;
type MessageType = (typeof messageTypes)[number];

/** The mailbox of the main run, as its children name it. */
export const parentMailbox = 'parent';

/** The mailbox that every run of the tree reads, each message once. */
const broadcastMailbox = 'broadcast';

/** A message between runs of one run tree. `sender` is the real sender, even if `from` differs. */
export interface MailMessage {
  readonly id: number;
  readonly recipient: string;
  readonly type: MessageType;
  readonly from: string;
  readonly sender: string;
  readonly message: string;
  readonly metadata?: { readonly [key: string]: Json } | undefined;
}

/** Mailboxes of a run and its children, by name, created on first use. They end with the run. */
export interface Mailboxes {
  /** Throws `ToolError('quota')` if a mailbox, or all of them, are full. */
  send(message: Omit<MailMessage, 'id'>): MailMessage;
  /** Returns the messages of a mailbox, oldest first, and removes them unless `peek`. */
  take(name: string, options: { readonly reader: string; readonly peek: boolean }): MailMessage[];
  /** Returns the mailboxes with waiting messages, and their number. */
  waiting(): { readonly name: string; readonly count: number }[];
}

const mostInOne = 200;
const mostMailboxes = 100;

/** Creates the mailboxes of one run tree. Names are case-insensitive. */
export function createMailboxes(): Mailboxes {
  const boxes = new Map<string, MailMessage[]>();
  const broadcasts: MailMessage[] = [];
  /** The last broadcast taken from each mailbox. */
  const lastBroadcasts = new Map<string, number>();
  let last = 0;

  const nameOf = (given: string): string => given.trim().toLowerCase();
  const unreadBroadcasts = (name: string, reader: string) =>
    broadcasts.filter(({ id, sender }) => id > (lastBroadcasts.get(name) ?? 0) && sender !== reader);

  return {
    send(message) {
      const name = message.type === broadcastMailbox ? broadcastMailbox : nameOf(message.recipient);
      const box = name === broadcastMailbox ? broadcasts : (boxes.get(name) ?? []);
      if (box.length >= mostInOne) throw full(name);
      if (name !== broadcastMailbox && !boxes.has(name)) {
        if (boxes.size >= mostMailboxes) {
          throw new ToolError('quota', `There are ${mostMailboxes} mailboxes, which is the maximum.`);
        }
        boxes.set(name, box);
      }
      last += 1;
      const sent = { ...message, recipient: name, id: last };
      box.push(sent);
      return sent;
    },
    take(given, { reader, peek }) {
      const name = nameOf(given);
      const own = boxes.get(name) ?? [];
      const taken = [...own, ...unreadBroadcasts(name, reader)].sort((a, b) => a.id - b.id);
      if (!peek) {
        own.length = 0;
        lastBroadcasts.set(name, broadcasts.at(-1)?.id ?? 0);
      }
      return taken;
    },
    waiting: () =>
      [...boxes].filter(([, box]) => box.length > 0).map(([name, box]) => ({ name, count: box.length })),
  };
}

function full(name: string): ToolError {
  return new ToolError(
    'quota',
    name === broadcastMailbox
      ? `All were sent ${mostInOne} messages, as many as may be. Write to one.`
      : `The mailbox ${name} holds ${mostInOne} messages and is full. Its owner must read them first.`,
  );
}

/** Reports the number of waiting messages when it exceeds the last one reported. Otherwise null. */
export function mailReminder(mailboxes: Mailboxes, name: string): () => string | null {
  let reported = 0;
  return () => {
    const count = mailboxes.take(name, { reader: name, peek: true }).length;
    const more = count > reported;
    reported = count;
    if (!more) return null;
    return `${count} ${count === 1 ? 'message waits' : 'messages wait'} for you: receive_messages reads them.`;
  };
}
