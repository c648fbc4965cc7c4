import type { Mailboxes } from '../services/mailboxes.ts';

/** Reports the number of waiting messages when it exceeds the last one reported. Otherwise null. */
export function mailNote(mailboxes: Mailboxes, name: string): () => string | null {
  let said = 0;
  return () => {
    const count = mailboxes.take(name, { reader: name, peek: true }).length;
    const more = count > said;
    said = count;
    if (!more) return null;
    return `${count} ${count === 1 ? 'message waits' : 'messages wait'} for you: receive_messages reads them.`;
  };
}
