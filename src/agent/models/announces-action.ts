const intent =
  /\b(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|we'll|we need to|going to)\s+(?:(?:also|begin by|first|go ahead and|just|next|now|quickly|start by|start with|then)\s+)*(?:add|apply|call|change|check|continue|creat|edit|examin|execut|explor|fetch|find|fix|get|grep|implement|inspect|investigat|list|look|locat|make|modify|open|patch|read|replac|review|rewrit|run|scan|search|see|show|start|take a|test|trac|try|updat|us(?:e|ing)|verify|view|writ)/i;
const inProgress =
  /^(?:(?:now|next|first|then),?\s+)?(?:add|apply|check|creat|edit|examin|execut|explor|fix|inspect|list|look|open|read|runn|search|updat|view|writ)ing\b.*(?::|\.\.\.|…)$/i;
/** What follows is the other's turn, as at the end of an answer. */
const offer = /\b(?:let me know|if you|would you|when you|once you|should i|shall i)\b/i;

/** A word of the protocol behind a bullet or a backtick, and the names other protocols have for it. */
const unreadWord =
  /^[^\w\n]{1,6}(?:BASH|TOOL|PATCH): *\S|^(?:Action|Tool): .*\n+(?:(?:Action|Tool) )?(?:Input|Arguments|Args):/m;

/**
 * Whether a text without a directive seems meant as an action: it ends by announcing one ("Let me look at the
 * tests.") which it then does not take, in English, or holds a word where it is not read as one.
 */
export function announcesAction(text: string): boolean {
  if (unreadWord.test(text)) return true;
  const sentences = text
    .trim()
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+|\n+/);
  const last = sentences.at(-1)?.trim() ?? '';
  return !offer.test(last) && (intent.test(last) || inProgress.test(last));
}
