import type { Workspace } from '../../workspace/workspace.ts';
import { type LeftOut, readSource } from './read-source.ts';
import type { ParseFailure, SyntaxParser } from './syntax-parser.ts';
import type { FoundSymbol } from './syntax-symbol.ts';

/**
 * Everything a file defines, in its order, local variables left out; or why it cannot be told. Null where this
 * machine has no parser.
 */
export async function outlineFile(
  services: { readonly workspace: Workspace; readonly syntax: SyntaxParser; readonly signal: AbortSignal },
  path: string,
): Promise<readonly FoundSymbol[] | LeftOut | ParseFailure | null> {
  const source = await readSource(services.workspace, path);
  if (typeof source === 'string') return source;
  const request = { grammar: source.language.grammar, text: source.text, query: null };
  const answer = await services.syntax.analyse(request, services.signal);
  return answer === null || typeof answer === 'string' ? answer : answer.symbols;
}
