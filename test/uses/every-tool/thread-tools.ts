/** The tools that only a run on a thread has; `every-verb.test.ts` has them called through the App. */
export const threadTools = ['chat.search', 'chat.read_messages', 'set_labels'] as const;
