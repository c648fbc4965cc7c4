import type { Message } from '../../contract/message.ts';

/**
 * The message a run starts with: what the repository looks like, what the thread says, then the task, last
 * because models weigh the end most. `threadContext` is sanitised and fenced as untrusted already.
 */
export function firstMessage(pack: string, threadContext: string, task: string): Message {
  const parts = [pack, ...(threadContext === '' ? [] : [threadContext]), `<task>\n${task}\n</task>`];
  return { role: 'user', parts: [{ type: 'text', text: parts.join('\n\n') }] };
}
