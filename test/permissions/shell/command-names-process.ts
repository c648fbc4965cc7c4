import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** The parts of the parser's package that are used. */
interface Package {
  readonly Parser: {
    init(): Promise<void>;
    new (): { setLanguage(language: unknown): void; parse(text: string): Tree };
  };
  readonly Language: { load(file: string): Promise<unknown> };
}
interface Tree {
  readonly rootNode: {
    readonly hasError: boolean;
    descendantsOfType(type: string): readonly { readonly text: string }[];
  };
  delete(): void;
}

/**
 * A separate process, because compiling the grammar needs much memory. It reads a JSON list of
 * scripts and prints the command names that tree-sitter finds in each, or null if it cannot parse
 * the script.
 */
const require = createRequire(import.meta.url);
const folder = path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json'));
const { Parser, Language }: Package = require(path.join(folder, 'wasm', 'tree-sitter.js'));
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(path.join(folder, 'wasm', 'tree-sitter-bash.wasm')));
const scripts: string[] = JSON.parse(await text(process.stdin));
const names = scripts.map((script) => {
  const tree = parser.parse(script);
  const found = tree.rootNode.hasError
    ? null
    : tree.rootNode.descendantsOfType('command_name').map((node) => node.text);
  tree.delete();
  return found;
});
process.stdout.write(JSON.stringify(names));
