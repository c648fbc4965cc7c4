import type { SyntaxNode } from 'unbash';

/**
 * What bash reads in one way and a plain `sh`, such as dash, in another, so that it might run what bash takes
 * for a string or a sum: `[[ a && b ]]`, `((a; b))`, `$'a\\'b'`. The name of the construct, or null.
 */
export function readDifferently(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'TestCommand':
      return '`[[`';
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return '`((`';
    case 'AnsiCQuoted':
    case 'LocaleString':
      return 'a string behind a dollar sign';
    case 'ProcessSubstitution':
      return 'a process substitution';
    case 'HereString':
      return '`<<<`';
    case 'Coproc':
      return '`coproc`';
    case 'Select':
      return '`select`';
    case 'BraceExpansion':
      return 'a list in braces';
    case 'ArrayValue':
      return 'an array';
    default:
      return null;
  }
}
