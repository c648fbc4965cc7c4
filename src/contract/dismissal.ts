/**
 * Answers that dismiss a finding. Only the start of an answer counts, so a sentence about a
 * dismissal does not.
 */
const dismissalPattern =
  /^\W*(?:(?:this|that|it) is |it['’]s |that['’]s )?(?:a |an |as |works as |working as )?(?:wont ?fix|won['’]?t fix|will not fix|not an? (?:bug|issue|problem|defect)|false positive|intended|intentional|by design|dismiss(?:ed)?)\b/iu;

/** A first sentence that is a question, such as "false positive?". */
const asks = /^[^.!?\n]{0,200}\?/u;

/**
 * Returns the text of an answer that dismisses a finding; null for any other. Quoted lines and
 * questions do not count.
 */
export function dismissalIn(body: string): string | null {
  const unquoted = body
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('>'))
    .join('\n')
    .trim();
  if (unquoted.length > 2_000 || asks.test(unquoted)) return null;
  return dismissalPattern.test(unquoted) ? unquoted : null;
}
