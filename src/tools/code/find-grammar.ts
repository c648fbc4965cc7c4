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
import { bash } from './grammars/shell-script.ts';

/** Returns the grammar tables by name. Throws `TypeError` for an unknown name. */
export function findGrammar(name: string): Grammar {
  switch (name) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return javascript;
    case 'python':
      return python;
    case 'go':
      return go;
    case 'rust':
      return rust;
    case 'java':
      return java;
    case 'cpp':
      return cpp;
    case 'c-sharp':
      return cSharp;
    case 'ruby':
      return ruby;
    case 'php':
      return php;
    case 'bash':
      return bash;
    default:
      throw new TypeError(`there is no grammar called ${name}`);
  }
}
