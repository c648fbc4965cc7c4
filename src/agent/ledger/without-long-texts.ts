import type { RunEntry } from '../../contract/run-ledger.ts';

/**
 * What is left in memory of an entry that may be long: neither outcome nor session, nor what a parent makes of a child, needs
 * the texts of calls, results and changes. Findings are made from what reviews brought back, which stays.
 */
export function withoutLongTexts(entry: RunEntry): RunEntry {
  if (entry.type === 'tool.call') return { ...entry, input: null };
  if (entry.type === 'change') return { ...entry, change: { ...entry.change, diff: '' } };
  if (entry.type !== 'tool.result') return entry;
  const { data, ...rest } = entry;
  return { ...rest, content: '', ...(entry.tool === 'code_review' && data !== undefined ? { data } : {}) };
}
