import { createRequire } from 'node:module';
import path from 'node:path';
import { analyseSource, type SyntaxTree } from './tools/code/analyse-source.ts';
import { findGrammar } from './tools/code/find-grammar.ts';
import type { SyntaxAnswer, SyntaxRequest } from './tools/code/grammars/syntax-symbol.ts';

/** What is used of the parser's package, which is loaded by the path it was found at. */
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

/** Parsing stops by itself after this long, so that the process ends even where its parent is gone. */
const parseMs = 2000;

/**
 * The root of the process that parses what strangers wrote: it gets texts and gives names, and can open no files
 * but its own program and the grammars; the network is open to it, and nothing in it asks for anything. Started by `createSyntaxParser`, with the folder of the grammars.
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
    // What fails here, out of memory above all, leaves the parser unusable: the process ends, and is started again.
    void answer(request, parserOf).then((found) => process.send?.(found));
  });
  process.send?.('ready');
}

/** Null where the text could not be parsed in time. */
async function answer(
  request: SyntaxRequest,
  parserOf: (grammar: string) => Promise<InstanceType<ParserPackage['Parser']>>,
): Promise<SyntaxAnswer | null> {
  const parser = await parserOf(request.grammar);
  const until = performance.now() + parseMs;
  const tree = parser.parse(request.text, null, { progressCallback: () => performance.now() > until });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    return analyseSource(tree, request.text, findGrammar(request.grammar), request.query);
  } finally {
    tree.delete();
  }
}

await serve(process.argv[2] ?? '');
