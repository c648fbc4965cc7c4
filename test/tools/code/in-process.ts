import { createRequire } from 'node:module';
import path from 'node:path';
import { analyseSource, type SyntaxTree } from '../../../src/tools/code/analyse-source.ts';
import { findGrammar } from '../../../src/tools/code/find-grammar.ts';
import type { FoundSymbol, NameQuery, SyntaxAnswer } from '../../../src/tools/code/grammars/syntax-symbol.ts';

/** The parts of the parser's package that are used. */
interface ParserPackage {
  readonly Parser: {
    init(): Promise<void>;
    new (): { setLanguage(language: unknown): void; parse(text: string): SyntaxTree };
  };
  readonly Language: { load(file: string): Promise<unknown> };
}

const program = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm');
const { Parser, Language }: ParserPackage = createRequire(import.meta.url)(program);
const started = Parser.init();
const loaded = new Map<string, Promise<unknown>>();

/** Answers as the program for syntax does, without a process of its own. */
export async function analyse(grammar: string, text: string, query: NameQuery): Promise<SyntaxAnswer> {
  await started;
  const language =
    loaded.get(grammar) ?? Language.load(path.join(path.dirname(program), `tree-sitter-${grammar}.wasm`));
  loaded.set(grammar, language);
  const parser = new Parser();
  parser.setLanguage(await language);
  return analyseSource(parser.parse(text), text, findGrammar(grammar), query);
}

/** One name in a line: `3:7 write Order(class).add(method).total, of this`. */
export function listed(symbol: FoundSymbol): string {
  const full = [...symbol.containers.map(({ name, kind }) => `${name}(${kind})`), symbol.name].join('.');
  return [
    `${symbol.line}:${symbol.column} ${symbol.role === 'definition' ? 'defines ' : ''}${symbol.kind} ${full}`,
    ...(symbol.local ? ['local'] : []),
    ...(symbol.declaration ? ['declared only'] : []),
    ...(symbol.receiver === null ? [] : [`of ${symbol.receiver}`]),
  ].join(', ');
}
