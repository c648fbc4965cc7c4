import { cSharp } from './grammars/c-sharp.ts';
import { cpp } from './grammars/cpp.ts';
import { go } from './grammars/go.ts';
import type { Grammar } from './grammars/grammar.ts';
import { java } from './grammars/java.ts';
import { javascript } from './grammars/javascript.ts';
import { php } from './grammars/php.ts';
import { python } from './grammars/python.ts';
import { ruby } from './grammars/ruby.ts';
import { rust } from './grammars/rust.ts';
import { bashGrammar } from './grammars/shell-script.ts';

/** The tables by name of the grammar; several share those of JavaScript. */
const grammars: Readonly<Record<string, Grammar>> = {
  ...{ typescript: javascript, tsx: javascript, javascript, python, go, rust, java, cpp },
  ...{ 'c-sharp': cSharp, ruby, php, bash: bashGrammar },
};

/** Returns the grammar tables by name. Throws `TypeError` for an unknown name. */
export function findGrammar(name: string): Grammar {
  const grammar = grammars[name];
  if (grammar === undefined) throw new TypeError(`there is no grammar called ${name}`);
  return grammar;
}
