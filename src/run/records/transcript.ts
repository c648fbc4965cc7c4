import type { Message } from '../../contract/message.ts';
import type { PastMessage } from '../../contract/past-run.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';

/** Maximum characters of a message, of a result or call, and of all that is stored. */
const limits = { message: 4_000, result: 1_000, all: 150_000 };

/** The text of a conversation, collected as it grows. */
export interface Transcript {
  /** Adds a recorded entry, in order and without secrets. Other entries are ignored. */
  add(entry: RunEntry): void;
  /**
   * Returns the first message and the newest others that fit. If some do not fit, the newest
   * summary follows the first.
   */
  messages(): PastMessage[];
}

/**
 * Collects the text of a conversation, including compacted messages, in bounded memory. A ledger
 * may be too long to be read again when the run ends.
 */
export function createTranscript(): Transcript {
  let first: PastMessage | null = null;
  let summary: PastMessage | null = null;
  let rest: PastMessage[] = [];
  let characters = 0;
  let isCut = false;
  const dropOldest = (most: number) => {
    let gone = 0;
    while (characters > most) characters -= rest[gone++]?.text.length ?? characters;
    if (gone === 0) return;
    isCut = true;
    rest = rest.slice(gone);
  };
  return {
    add(entry) {
      if (entry.type === 'compaction' && entry.kept !== undefined)
        summary = { role: 'user', text: cutWithRemainder(entry.kept, limits.message) };
      if (entry.type !== 'message') return;
      for (const message of messagesOf(entry.message)) {
        if (first === null) first = message;
        else {
          rest.push(message);
          characters += message.text.length;
        }
      }
      dropOldest(limits.all - (first?.text.length ?? 0));
    },
    messages() {
      if (first === null) return [];
      const most = limits.all - first.text.length;
      if (isCut && summary !== null) dropOldest(most - summary.text.length);
      return [first, ...(isCut && summary !== null ? [summary] : []), ...rest];
    },
  };
}

function messagesOf({ role, parts }: Message): PastMessage[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [`[${part.name} ${cutWithRemainder(JSON.stringify(part.input), limits.result)}]`]
      : [],
  );
  const results = parts.flatMap((part): PastMessage[] => {
    if (part.type !== 'tool_result') return [];
    const text = part.content.map((one) => (one.type === 'text' ? one.text : '[image]')).join('\n');
    return [{ role: 'tool', text: cutWithRemainder(text, limits.result) }];
  });
  const text = cutWithRemainder([...texts, ...calls].join('\n').trim(), limits.message);
  return [...results, ...(text === '' ? [] : [{ role, text }])];
}

/** Cuts a text after `most` characters and states how many more there were. */
export function cutWithRemainder(text: string, most: number): string {
  if (text.length <= most) return text;
  // A slice would keep the whole text in memory. Half a character at the end becomes a replacement
  // character.
  const cut = Buffer.from(text.slice(0, most)).toString();
  return `${cut}… [${text.length - most} more]`;
}
