import { isJsonObject } from '../contract/json.ts';
import type { RunLedgerLine } from '../contract/run-ledger.ts';
import type { ScriptedAnswer } from './scripted-endpoint.ts';

/**
 * Makes a script from the record of a run: the calls of each answer, and the texts without calls.
 * Answers of children are not recorded, so a run that used them cannot be played again whole.
 */
export function transcriptOfRun(lines: readonly RunLedgerLine[]): ScriptedAnswer[] {
  return lines.flatMap(({ entry }): ScriptedAnswer[] => {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') return [];
    const { parts } = entry.message;
    const calls = parts.flatMap((part) =>
      part.type === 'tool_call' && isJsonObject(part.input) ? [{ name: part.name, input: part.input }] : [],
    );
    if (calls.length > 0) return [{ calls }];
    return [{ text: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }];
  });
}
