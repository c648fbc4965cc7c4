import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';

/** What a message may be about. */
export const messageTypes = ['status', 'question', 'result', 'error', 'broadcast'] as const;
export type MessageType = (typeof messageTypes)[number];

/** The mailbox of the main run: what its children call their parent. */
export const parentMailbox = 'parent';

/** What is read by every run of the family, each once. */
const everybody = 'broadcast';

/** A message between the runs of one family. `sender` is who sent it, whatever `from` says. */
export interface MailMessage {
  readonly id: number;
  readonly recipient: string;
  readonly type: MessageType;
  readonly from: string;
  readonly sender: string;
  readonly message: string;
  readonly metadata?: { readonly [key: string]: Json };
}

/** Mailboxes of a run and its children, known by name and made when first written to. They end with the run. */
export interface Mailboxes {
  /** Throws `ToolError('quota')` where a mailbox, or all of them, are full. */
  send(message: Omit<MailMessage, 'id'>): MailMessage;
  /** What waits in a mailbox, oldest first; it is gone afterwards unless `peek`. */
  take(name: string, options: { readonly reader: string; readonly peek: boolean }): MailMessage[];
  /** Mailboxes in which something waits, by name, with how much. */
  waiting(): { readonly name: string; readonly count: number }[];
}

const mostInOne = 200;
const mostMailboxes = 100;

/** Mailboxes of one family of runs. Names count without the case of their letters. */
export function createMailboxes(): Mailboxes {
  const boxes = new Map<string, MailMessage[]>();
  const broadcasts: MailMessage[] = [];
  /** The last broadcast that was taken out of each mailbox. */
  const heard = new Map<string, number>();
  let last = 0;

  const nameOf = (given: string): string => given.trim().toLowerCase();
  const unheard = (name: string, reader: string) =>
    broadcasts.filter(({ id, sender }) => id > (heard.get(name) ?? 0) && sender !== reader);

  return {
    send(message) {
      const name = message.type === everybody ? everybody : nameOf(message.recipient);
      const box = name === everybody ? broadcasts : (boxes.get(name) ?? []);
      if (box.length >= mostInOne) {
        if (box === broadcasts)
          throw new ToolError(
            'quota',
            `All were sent ${mostInOne} messages, as many as may be. Write to one.`,
          );
        throw new ToolError(
          'quota',
          `The mailbox ${name} holds ${mostInOne} messages, as many as it may. Whoever it is for has to read them first.`,
        );
      }
      if (name !== everybody && !boxes.has(name)) {
        if (boxes.size >= mostMailboxes) {
          throw new ToolError('quota', `There are ${mostMailboxes} mailboxes, as many as there may be.`);
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
      const taken = [...own, ...unheard(name, reader)].sort((a, b) => a.id - b.id);
      if (!peek) {
        own.length = 0;
        heard.set(name, broadcasts.at(-1)?.id ?? 0);
      }
      return taken;
    },
    waiting: () =>
      [...boxes].filter(([, box]) => box.length > 0).map(([name, box]) => ({ name, count: box.length })),
  };
}
