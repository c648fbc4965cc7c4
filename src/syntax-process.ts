import { createRequire } from 'node:module';
import path from 'node:path';
import { monotonicMs } from './contract/monotonic-ms.ts';
import { analyseSource, type SyntaxTree } from './tools/code/analyse-source.ts';
import { codeWithoutComments } from './tools/code/code-without-comments.ts';
import { findGrammar } from './tools/code/find-grammar.ts';
import type { SyntaxAnswer, SyntaxRequest } from './tools/code/grammars/syntax-symbol.ts';

/** Part of the parser package that is used; loaded from the path where it was found. */
interface ParserPackage {
  readonly Parser: {
    init(): Promise<void>;
    new (): {
      setLanguage(language: unknown): void;
      parse(text: string, old: null, options: { progressCallback: () => boolean }): ParsedTree | null;
      reset(): void;
    };
  };
  readonly Language: { load(file: string): Promise<unknown> };
}
type ParsedTree = SyntaxTree & { delete(): void };

/** Milliseconds after which parsing stops, so the process ends even without its parent. */
const parseMs = 2000;

/**
 * Entry point of the process that parses untrusted text and returns names. It can read only its own
 * program and the grammars. The network is not blocked, but nothing uses it. Started by
 * `createSyntaxParser` with the folder of the grammars.
 */
async function serve(folder: string): Promise<void> {
  const { Parser, Language }: ParserPackage = createRequire(import.meta.url)(
    path.join(folder, 'tree-sitter.js'),
  );
  await Parser.init();
  const parsers = new Map<string, Promise<InstanceType<typeof Parser>>>();
  const parserOf = (grammar: string) => {
    const known = parsers.get(grammar);
    if (known !== undefined) return known;
    const made = Language.load(path.join(folder, `tree-sitter-${grammar}.wasm`)).then((language) => {
      const parser = new Parser();
      parser.setLanguage(language);
      return parser;
    });
    parsers.set(grammar, made);
    return made;
  };
  process.on('message', (request: SyntaxRequest) => {
    // A failure here, such as out of memory, leaves the parser unusable: the process ends and is
    // restarted.
    void answer(request, parserOf).then((found) => process.send?.(found));
  });
  process.send?.('ready');
}

/** Returns null if the text was not parsed in time. */
async function answer(
  request: SyntaxRequest,
  parserOf: (grammar: string) => Promise<InstanceType<ParserPackage['Parser']>>,
): Promise<SyntaxAnswer | null> {
  const parser = await parserOf(request.grammar);
  const until = monotonicMs() + parseMs;
  const tree = parser.parse(request.text, null, { progressCallback: () => monotonicMs() > until });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    const { grammar, text, query } = request;
    if (query !== null) return analyseSource(tree, text, findGrammar(grammar), query);
    const code = codeWithoutComments(tree.rootNode, text, grammar);
    return { symbols: [], cut: false, sound: !tree.rootNode.hasError, code };
  } finally {
    tree.delete();
  }
}

await serve(process.argv[2] ?? '');
