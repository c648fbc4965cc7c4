/** Other reviewers' words for severities, apart from ours. */
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

/** Normalises a severity: any case, and other reviewers' words. */
export function severityWord(word: unknown): unknown {
  if (typeof word !== 'string') return word ?? undefined;
  const plain = word.trim().toLowerCase();
  return otherWords[plain] ?? plain;
}
