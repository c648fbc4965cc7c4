import { parseJson } from '../../contract/json.ts';
import { type DeclaredTool, readDeclaredTool } from '../protocol/declared-tool.ts';
import { readTextDescription } from './text-description.ts';

/** What a toolbox program says of itself; it is registered as `tb__` and its name in plain letters. */
export interface ToolboxDescription extends Omit<DeclaredTool, 'given'> {
  /** What its arguments are given as: one JSON object, or lines `key: value` where it described itself in lines. */
  readonly takes: 'json' | 'lines';
}

/**
 * Reads what a program printed when it was asked to describe itself: a JSON object, or lines `name: …`,
 * `description: …`, `argument: type description`. Returns a problem, a clause with the program as its subject, for
 * anything else.
 */
export function readDescription(printed: string): ToolboxDescription | { readonly problem: string } {
  const text = printed.trim();
  if (text === '') return { problem: 'described itself with nothing' };
  const lines = text.startsWith('{') ? null : readTextDescription(text);
  const json = lines === null ? parseJson(text) : lines;
  if (json === undefined)
    return {
      problem: `described itself by neither JSON nor lines such as "name: …": ${JSON.stringify(text.slice(0, 80))}`,
    };
  const declared = readDeclaredTool(json, { prefix: 'tb__', verb: 'described itself' });
  if ('problem' in declared) return declared;
  const { given: _, ...description } = declared;
  return { ...description, takes: lines === null ? 'json' : 'lines' };
}
