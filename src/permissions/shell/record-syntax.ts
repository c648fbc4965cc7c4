import {
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type Word,
} from 'unbash';
import type { Walk } from './files-and-folders.ts';
import { shellWord } from './shell-word.ts';

/** Records what a node means for the script, apart from its commands. `posix`: `sh` reads it. */
export function recordSyntax(walk: Walk, node: SyntaxNode, posix: boolean): void {
  const different = posix ? readDifferently(node) : null;
  if (different !== null) walk.unknown ??= `${different} means something else to other shells than bash`;
  recordStructure(walk, node);
  recordExpansion(walk, node);
}

/**
 * Records a grammar error. `text` is the script, or null for an inner one, whose lines have no
 * number.
 */
export function recordGrammar(walk: Walk, { errors }: ParsedScript, text: string | null): void {
  const [error] = errors ?? [];
  if (error === undefined || walk.syntaxError !== null) return;
  walk.syntaxError = error.message;
  // An unfinished construct breaks after the last line.
  walk.grammarError = { line: text === null ? null : text.trimEnd().slice(0, error.pos).split('\n').length };
}

/** Records what a compound command or redirection means for the script. */
function recordStructure(walk: Walk, node: SyntaxNode): void {
  if (node.type === 'Script') recordGrammar(walk, node, null);
  else if (node.type === 'Subshell') walk.doubt ??= 'it runs a subshell';
  else if (node.type === 'Coproc') walk.doubt ??= 'it starts a coprocess';
  else if (node.type === 'Statement' && node.background)
    walk.doubt ??= 'it starts something in the background';
  else if (node.type === 'For' || node.type === 'Select') {
    const heeded = isHeeded(node.name.value);
    if (heeded) walk.unknown ??= `\`${node.name.value}\` changes what programs run`;
    if (heeded || !/^[a-z_][a-z0-9_]*$/.test(node.name.value))
      walk.doubt ??= 'it sets a variable that programs may heed';
  } else if (node.type === 'Function') {
    walk.doubt ??= 'it defines a function';
    if (callsItself(node.name.value, node.body))
      walk.destructive ??= 'a function that starts itself without end fills the machine with processes';
  }
}

/** Records expansions that may run or change something. */
function recordExpansion(walk: Walk, node: SyntaxNode): void {
  if (isSubstitution(node)) {
    if (node.script === undefined) walk.syntaxError ??= `\`${shortened(node.text)}\` could not be parsed`;
    // Bash versions differ in whether they drop this backslash.
    if (node.text.startsWith('`') && node.text.includes('\\"'))
      walk.syntaxError ??= 'it holds an escaped quote between backticks, which is better written with `$(…)`';
  } else if (node.type === 'ExtendedGlob')
    walk.syntaxError ??= `\`${shortened(node.text)}\` is an extended pattern, which bash reads only where it is switched on`;
  else if (node.type === 'ParameterExpansion') recordParameter(walk, node);
  else walk.unknown ??= evaluation(node);
}

function recordParameter(walk: Walk, node: ParameterExpansionPart): void {
  const text = `\`${shortened(node.text)}\``;
  const evaluated = evaluates(node);
  if (evaluated !== null) walk.unknown ??= `${text} ${evaluated}`;
  if (node.index !== undefined) walk.doubt ??= `${text} evaluates a variable`;
  if (node.operation?.type !== 'Default' || !node.operation.operator.endsWith('=')) return;
  walk.doubt ??= `${text} sets a variable`;
  if (isHeeded(node.parameter)) walk.unknown ??= `${text} changes what programs run`;
}

/** Returns a clause about a node that evaluates text, which may run commands; else null. */
function evaluation(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return 'arithmetic may set variables and run what they hold';
    case 'ArithmeticExpansion':
      return isSum(node.text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, ''))
        ? null
        : 'arithmetic may run what variables hold';
    case 'TestBinary': {
      const operands = [node.left, node.right].map((word) => shellWord(word).value);
      const isPlain =
        !/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) || operands.every((one) => one !== null && isSum(one));
      return isPlain ? null : `\`${node.operator}\` evaluates its operands`;
    }
    case 'TestUnary':
      return /^-[vR]$/.test(node.operator) ? `\`${node.operator}\` evaluates its operands` : null;
    case 'Assignment':
      return node.index === undefined || isPlainIndex(node.index) ? null : indexReason;
    case 'ArrayValue':
      return node.elements.some(({ text }) => /^\[(?!\d+\]=)/.test(text)) ? indexReason : null;
    default:
      return null;
  }
}

const indexReason = 'the place in an array may run what variables hold';

/**
 * Returns a clause about an expansion that evaluates text and so may run commands, such as
 * `x[$(…)]`; else null.
 */
function evaluates({ operation, prefix, index }: ParameterExpansionPart): string | null {
  const kind = operation?.type;
  if (kind === 'Transform' || prefix === '!') return 'may run what a variable holds';
  const sums = operation?.type === 'Slice' ? [operation.offset, operation.length] : [];
  if (
    sums.every((word) => word === undefined || isSumWord(word)) &&
    (index === undefined || isPlainIndex(index))
  )
    return kind === 'Unknown' ? 'is no expansion that is known' : null;
  return 'computes with its arguments, which may run commands';
}

/** Returns true for arithmetic of numbers alone. A name's value would itself be evaluated. */
function isSum(text: string): boolean {
  return /^[-+*/%()<>=!&|^~?:,\s\d]*$/.test(text);
}

function isSumWord(word: Word): boolean {
  const { value } = shellWord(word);
  return value !== null && isSum(value);
}

/** Returns true for a numeric array index, or for all elements. */
function isPlainIndex(word: Word): boolean {
  return /^[@*]$/.test(word.text) || isSumWord(word);
}

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }
>;

/** Returns true for a substitution, which runs in its own shell. */
export function isSubstitution(node: SyntaxNode): node is Substitution {
  return (
    node.type === 'CommandExpansion' ||
    node.type === 'ProcessSubstitution' ||
    node.type === 'ArithmeticCommandExpansion'
  );
}

/** Returns true for a variable that determines what bash or other programs run. */
function isHeeded(name: string): boolean {
  return /^(PATH|PS[0-4]|BASH.*|ENV|IFS|SHELL.*|LD_.*|GIT_.*|.*PAGER|.*EDITOR|VISUAL|BROWSER|PROMPT_COMMAND|CDPATH|HOME|XDG_.*|.*_OPTIONS|.*OPTS|.*FLAGS|PYTHON.*|PERL5?.*|RUBY.*|NODE_.*|npm_config_.*|NPM_.*|GO.*|CARGO_.*|RUST.*|CC|CXX|LESS.*|MAN.*|GLOBIGNORE|POSIXLY_CORRECT|RIPGREP_CONFIG_PATH|.*_ASKPASS|.*_COMMAND)$/.test(
    name,
  );
}

/**
 * Returns true for a function that calls itself in a pipe or in the background, like a fork bomb.
 */
function callsItself(name: string, body: SyntaxNode): boolean {
  let multiplies = false;
  const visit = (node: SyntaxNode, parallel: boolean): void => {
    const here =
      parallel || node.type === 'Pipeline' || (node.type === 'Statement' && node.background === true);
    if (node.type === 'Command' && here && node.name?.value === name) multiplies = true;
    forEachChild(node, (child) => visit(child, here));
  };
  visit(body, false);
  return multiplies;
}

/** Truncates a text that is quoted in a reason. */
function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/**
 * Returns the name of a construct that bash and a plain `sh`, such as dash, read differently, or
 * null. `sh` might run what bash takes for a string or arithmetic: `[[ a && b ]]`, `((a; b))`,
 * `$'a\\'b'`.
 */
function readDifferently(node: SyntaxNode): string | null {
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
