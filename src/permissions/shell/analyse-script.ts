import {
  type Command,
  forEachChild,
  type HereDoc,
  type Pipeline,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { downloaders } from './destructive.ts';
import { changeFolder, recordRedirection, type Walk, type WalkContext } from './files-and-folders.ts';
import { collectVariables, possibleValues } from './literal-variables.ts';
import { isSubstitution, recordGrammar, recordSyntax } from './record-syntax.ts';
import { assignmentWord, programName, shellWord } from './shell-word.ts';
import type { ScriptAnalysis, ShellWord, SimpleCommand } from './simple-command.ts';
import { unwrap } from './unwrap.ts';
import type { Wrapped } from './wrapped.ts';

/** Limits of a script in characters, nesting and commands. Larger scripts are rejected unread. */
const maxLength = 65_536;
const maxDepth = 24;
const maxCommands = 10_000;

/**
 * Splits a bash script into all simple commands it may run. Covers lists, pipes, groups, subshells,
 * substitutions, here-documents and functions. Also covers wrappers such as `sh -c`, `eval`,
 * `xargs`, `find -exec`, `env`, `timeout` and `sudo`.
 *
 * Runs nothing. Unknown parts are reported, never omitted.
 */
export function analyseScript(script: string): ScriptAnalysis {
  const walk: Walk = {
    commands: [],
    redirections: [],
    syntaxError: null,
    grammarError: null,
    unknown: null,
    doubt: null,
    destructive: null,
    variables: new Map(),
    lost: false,
  };
  const context: WalkContext = {
    folders: [''],
    depth: 0,
    repeated: false,
    posix: false,
    pipedFrom: [],
    wrappers: [],
    assignments: [],
  };
  walkText(walk, script, context);
  const { variables: _, ...seen } = walk;
  const found: ScriptAnalysis = {
    ...seen,
    syntaxError: shortened(walk.syntaxError),
    unknown: shortened(walk.unknown),
    doubt: shortened(walk.doubt),
  };
  if (!walk.lost) return found;
  return {
    ...found,
    commands: walk.commands.map((command) => ({ ...command, folders: null })),
    redirections: walk.redirections.map((file) =>
      file.paths?.every((path) => path.startsWith('/')) ? file : { ...file, paths: null },
    ),
  };
}

/** Reasons quote the script, which may be long. */
function shortened(reason: string | null): string | null {
  return reason === null || reason.length <= 200 ? reason : `${reason.slice(0, 199)}…`;
}

function walkText(walk: Walk, script: string, context: WalkContext): void {
  if (script.length > maxLength || context.depth > maxDepth) {
    walk.syntaxError ??= 'it is too long or nested too deeply to be evaluated';
    return;
  }
  // Bash drops NUL bytes; no parser can be trusted with the rest.
  if (script.includes('\0')) walk.syntaxError ??= 'it holds a NUL character';
  const parsed = parse(script);
  recordGrammar(walk, parsed, context.depth === 0 ? script : null);
  collectVariables(parsed, walk.variables);
  walkNode(walk, parsed, context);
}

function walkNode(walk: Walk, node: SyntaxNode, context: WalkContext): void {
  if (context.depth > maxDepth) {
    walk.syntaxError ??= 'it is nested too deeply to be evaluated';
    return;
  }
  if (node.type === 'Command') {
    walkCommand(walk, node, context);
  } else if (node.type === 'Pipeline') {
    walkPipeline(walk, node, context);
  } else {
    recordSyntax(walk, node, context.posix);
    if (node.type === 'Redirect' || node.type === 'HereDoc' || node.type === 'HereString')
      recordRedirection(walk, node, context);
    walkChildren(walk, node, contextWithin(node, context));
  }
}

/**
 * A process of its own cannot change the shell's folder. A repeated command may change it any
 * number of times.
 */
function contextWithin(node: SyntaxNode, context: WalkContext): WalkContext {
  if (isSubstitution(node)) return { ...context, pipedFrom: [], depth: context.depth + 1 };
  if (node.type === 'Subshell' || node.type === 'Coproc') return { ...context };
  const repeats = ['For', 'Select', 'While', 'ArithmeticFor', 'Function'].includes(node.type);
  return repeats ? { ...context, repeated: true } : context;
}

function walkChildren(walk: Walk, node: SyntaxNode, context: WalkContext): void {
  forEachChild(node, (child) => walkNode(walk, child, context));
}

function walkPipeline(walk: Walk, pipeline: Pipeline, context: WalkContext): void {
  const pipedFrom: string[] = [...context.pipedFrom];
  for (const command of pipeline.commands) {
    const before = walk.commands.length;
    // Each part runs in its own process, so its `cd` does not last.
    walkNode(
      walk,
      command,
      pipeline.commands.length > 1 ? { ...context, pipedFrom: [...pipedFrom] } : context,
    );
    for (const found of walk.commands.slice(before)) {
      const name = programName(found.words[0]?.value ?? '');
      if (downloaders.has(name) && !pipedFrom.includes(name)) pipedFrom.push(name);
    }
  }
}

function walkCommand(walk: Walk, command: Command, context: WalkContext): void {
  if (wordsTouch(command)) walk.syntaxError ??= 'it holds words that bash reads as one';
  const words: ShellWord[] = [];
  const assignments: string[] = [];
  if (command.name !== undefined) words.push(wordWithValues(walk, command.name));
  for (const item of command.prefix) if (item.type === 'Assignment') assignments.push(item.text);
  for (const item of command.suffix) {
    if (item.type === 'Word') words.push(wordWithValues(walk, item));
    else if (item.type === 'Assignment') words.push(assignmentWord(item));
  }
  addCommand(
    walk,
    words,
    { ...context, assignments: [...context.assignments, ...assignments] },
    command.redirects,
  );
  // Substitutions run before the command, in the shell's folder.
  walkChildren(walk, command, { ...context, pipedFrom: [] });
  if (words[0]?.value !== null) changeFolder(walk, words, context);
}

/** Returns a word with its possible values if bash computes it. */
function wordWithValues(walk: Walk, word: Word): ShellWord {
  const read = shellWord(word);
  const maybe = read.value === null ? possibleValues(word, walk.variables) : null;
  return maybe === null || maybe.length === 0 ? read : { ...read, maybe };
}

/** Returns true for two words without a gap: bash would read one word. */
function wordsTouch(command: Command): boolean {
  const words = [command.name, ...command.suffix].filter((item) => item?.type === 'Word');
  return words.some((word, index) => index > 0 && words[index - 1]?.end === word?.pos);
}

function addCommand(
  walk: Walk,
  words: readonly ShellWord[],
  context: WalkContext,
  redirects: readonly Redirection[],
): void {
  if (context.depth > maxDepth) {
    walk.syntaxError ??= 'it is nested too deeply to be evaluated';
    return;
  }
  if (walk.commands.length >= maxCommands) {
    walk.syntaxError ??= `it runs more than ${maxCommands} commands`;
    return;
  }
  const [program] = words;
  const own: SimpleCommand = {
    words,
    assignments: context.assignments,
    folders: context.folders,
    wrappers: context.wrappers,
    pipedFrom: context.pipedFrom,
  };
  const exported = /^(export|declare|typeset|readonly|local)$/.test(program?.value ?? '')
    ? words.slice(1)
    : [];
  for (const script of commandsInVariables([
    ...context.assignments,
    ...exported.map((word) => word.value ?? word.source),
  ]))
    walkText(walk, script, { ...context, assignments: [], depth: context.depth + 1, posix: true });
  if (program === undefined) {
    if (context.assignments.length > 0) walk.commands.push(own);
    return;
  }
  if (program.value === null)
    walk.unknown ??= `\`${program.source}\` names a program that is only known when it runs`;
  const wrapped = unwrap(words);
  if (
    wrapped === null ||
    wrapped.kind === 'unknown' ||
    wrapped.kind === 'standard_input' ||
    wrapped.includesSelf
  )
    walk.commands.push(own);
  if (wrapped !== null) addWrapped(walk, { own, wrapped, redirects }, context);
}

/** Adds what a command runs for others, as if it stood in the script itself. */
function addWrapped(
  walk: Walk,
  command: {
    readonly own: SimpleCommand;
    readonly wrapped: Wrapped;
    readonly redirects: readonly Redirection[];
  },
  context: WalkContext,
): void {
  const { own, wrapped, redirects } = command;
  const [program] = own.words;
  const elsewhere = 'elsewhere' in wrapped && wrapped.elsewhere === true;
  const inner: WalkContext = {
    ...context,
    folders: elsewhere ? null : context.folders,
    depth: context.depth + 1,
    wrappers: [...context.wrappers, programName(program?.value ?? '')],
  };
  if (wrapped.kind === 'unknown') {
    walk.unknown ??= wrapped.why;
    return;
  }
  if (wrapped.kind === 'standard_input') {
    walkInput(walk, redirects, { ...inner, posix: context.posix || wrapped.posix });
    return;
  }
  if (wrapped.unknown !== undefined) walk.unknown ??= wrapped.unknown;
  if (wrapped.kind === 'programs') {
    const assignments = [...context.assignments, ...(wrapped.assignments ?? [])];
    for (const words of wrapped.programs) addCommand(walk, words, { ...inner, assignments }, redirects);
    return;
  }
  walk.doubt ??= `\`${program?.source}\` runs a script of its own`;
  const within = { ...inner, assignments: [], posix: context.posix || wrapped.posix === true };
  for (const script of wrapped.scripts) walkText(walk, script, within);
  // A wrapped script's environment may change what its programs do.
  if (context.assignments.length > 0) walk.commands.push({ ...own, words: [] });
}

/** Reads the script of a shell's standard input if it is literal. */
function walkInput(walk: Walk, redirects: readonly Redirection[], inner: WalkContext): void {
  const inputs = redirects.filter(
    ({ descriptor, operator }) =>
      descriptor?.type !== 'FileDescriptorVariable' &&
      (descriptor === undefined ? operator.startsWith('<') : descriptor.value === 0),
  );
  const input = inputs.at(-1);
  const script = input === undefined ? null : literalInput(input);
  if (script === null)
    walk.unknown ??= `a shell runs what it reads${inner.pipedFrom.length > 0 ? ' from a pipe' : ''}`;
  else walkText(walk, script, { ...inner, assignments: [] });
}

/** Returns the literal text of a here-document or here-string; null if bash changes it. */
function literalInput(input: Redirection): string | null {
  if (input.type === 'HereString') return input.target === undefined ? null : shellWord(input.target).value;
  if (input.type !== 'HereDoc' || !isQuoted(input) || input.closing === undefined) return null;
  return input.operator === '<<-' ? input.body.text.replace(/^\t+/gm, '') : input.body.text;
}

function isQuoted(document: HereDoc): boolean {
  return document.delimiter?.quoted === true || !/[$`\\]/.test(document.body.text);
}

/** Variables whose value bash or other programs run as a command. */
const commandVariable =
  /^(GIT_(PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|BAT_PAGER|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|PROMPT_COMMAND|PS[014]|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|FZF_DEFAULT_COMMAND|MAILER|CC|CXX|RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER)$/;

/** Returns the commands in assignments: `a b` for `GIT_PAGER='a b' git log`. */
function commandsInVariables(assignments: readonly string[]): string[] {
  return assignments.flatMap((assignment) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(assignment) ?? [];
    if (!commandVariable.test(name)) return [];
    const inner = /^(['"])(.*)\1$/s.exec(value)?.[2] ?? value;
    const script = inner.replace(/^[|-]+\s*/, '');
    return script === '' ? [] : [script];
  });
}
