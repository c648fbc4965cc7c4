/** What other reviewers call a severity; the words of our own scale are not among them. */
const otherWords: Readonly<Record<string, string>> = {
  blocker: 'critical',
  severe: 'critical',
  error: 'high',
  major: 'high',
  warning: 'medium',
  warn: 'medium',
  moderate: 'medium',
  minor: 'low',
  nit: 'info',
  nitpick: 'info',
  note: 'info',
  trivial: 'info',
  suggestion: 'info',
  informational: 'info',
};

/** A severity by our own word for it, also where it is told in another case or in a reviewer's other word. */
export function severityWord(word: unknown): unknown {
  if (typeof word !== 'string') return word ?? undefined;
  const plain = word.trim().toLowerCase();
  return otherWords[plain] ?? plain;
}
