import type { Command, HereDoc, ParsedScript, Pipeline, Redirection, SyntaxNode } from 'unbash';
import { forEachChild, parse } from 'unbash';
import { changeFolder, noteRedirection } from './files-and-folders.ts';
import { assignmentWord, shellWord } from './shell-word.ts';
import type { ScriptAnalysis, ShellWord, SimpleCommand } from './simple-command.ts';
import { programName, unwrap } from './unwrap.ts';
import type { Place, Walk } from './walk.ts';

/** Longer scripts and deeper nesting are not judged but refused. */
const maxLength = 65_536;
const maxDepth = 24;

/**
 * Takes a bash script apart into every simple command that it may run: in lists, pipes, groups, subshells,
 * substitutions, here-documents, functions, and behind wrappers such as `sh -c`, `eval`, `xargs`,
 * `find -exec`, `env`, `timeout` and `sudo`. Runs nothing. What could not be seen is told, never left out.
 */
export function analyseScript(script: string): ScriptAnalysis {
  const walk: Walk = {
    commands: [],
    redirections: [],
    syntaxError: null,
    unknown: null,
    doubt: null,
    destructive: null,
    lost: false,
  };
  const place: Place = {
    folders: [''],
    depth: 0,
    repeated: false,
    pipedFrom: [],
    wrappers: [],
    assignments: [],
  };
  walkText(walk, script, place);
  if (!walk.lost) return walk;
  return {
    ...walk,
    commands: walk.commands.map((command) => ({ ...command, folders: null })),
    redirections: walk.redirections.map((file) =>
      file.paths?.every((path) => path.startsWith('/')) ? file : { ...file, paths: null },
    ),
  };
}

function walkText(walk: Walk, script: string, place: Place): void {
  if (script.length > maxLength || place.depth > maxDepth) {
    walk.syntaxError ??= 'it is too long or nested too deeply to be judged';
    return;
  }
  // Bash drops NUL bytes; no parser can be trusted with what is left.
  if (script.includes('\0')) walk.syntaxError ??= 'it holds a NUL character';
  walkNode(walk, parse(script), place);
}

function walkNode(walk: Walk, node: SyntaxNode, place: Place): void {
  if (place.depth > maxDepth) {
    walk.syntaxError ??= 'it is nested too deeply to be judged';
    return;
  }
  if (node.type === 'Command') {
    walkCommand(walk, node, place);
  } else if (node.type === 'Pipeline') {
    walkPipeline(walk, node, place);
  } else {
    noteStructure(walk, node, place);
    noteExpansion(walk, node);
    walkChildren(walk, node, placeWithin(node, place));
  }
}

/** What a compound or a redirection says about the script, beside the commands in it. */
function noteStructure(walk: Walk, node: SyntaxNode, place: Place): void {
  if (node.type === 'Script') noteErrors(walk, node);
  else if (node.type === 'Redirect') noteRedirection(walk, node, place);
  else if (node.type === 'Subshell') walk.doubt ??= 'it runs a subshell';
  else if (node.type === 'Coproc') walk.doubt ??= 'it starts a coprocess';
  else if (node.type === 'Statement' && node.background)
    walk.doubt ??= 'it starts something in the background';
  else if (node.type === 'For' && !/^[a-z_][a-z0-9_]*$/.test(node.name.value))
    walk.doubt ??= 'it sets a variable that programs may heed';
  else if (node.type === 'Function') {
    walk.doubt ??= 'it defines a function';
    if (callsItself(node.name.value, node.body))
      walk.destructive ??= 'a function that starts itself without end fills the machine with processes';
  }
}

/** What bash would evaluate inside words, where that may run or change something. */
function noteExpansion(walk: Walk, node: SyntaxNode): void {
  if (isSubstitution(node)) {
    if (node.script === undefined) walk.syntaxError ??= `\`${node.text}\` could not be parsed`;
  } else if (node.type === 'ExtendedGlob') {
    walk.syntaxError ??= `\`${node.text}\` is an extended pattern, which bash reads only where it is switched on`;
  } else if (node.type === 'ParameterExpansion') {
    if (node.operation?.type === 'Transform')
      walk.unknown ??= `\`${node.text}\` may run what a variable holds`;
    if (node.prefix === '!' || node.index !== undefined)
      walk.doubt ??= `\`${node.text}\` evaluates a variable`;
    if (node.operation?.type === 'Default' && node.operation.operator.endsWith('='))
      walk.doubt ??= `\`${node.text}\` sets a variable`;
  } else if (node.type === 'ArithmeticCommand' || node.type === 'ArithmeticFor') {
    walk.doubt ??= 'arithmetic may set variables and run what they hold';
  } else if (node.type === 'ArithmeticExpansion') {
    if (/[A-Za-z_`"']/.test(node.text)) walk.doubt ??= 'arithmetic may run what variables hold';
  } else if (node.type === 'TestBinary' || node.type === 'TestUnary') {
    if (/^-(eq|ne|lt|le|gt|ge|v|R)$/.test(node.operator))
      walk.doubt ??= `\`${node.operator}\` evaluates its operands`;
  }
}

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }
>;

function isSubstitution(node: SyntaxNode): node is Substitution {
  return (
    node.type === 'CommandExpansion' ||
    node.type === 'ProcessSubstitution' ||
    node.type === 'ArithmeticCommandExpansion'
  );
}

/** What runs in a process of its own cannot move the shell; what runs repeatedly may move it any number of times. */
function placeWithin(node: SyntaxNode, place: Place): Place {
  if (isSubstitution(node)) return { ...place, pipedFrom: [], depth: place.depth + 1 };
  if (node.type === 'Subshell' || node.type === 'Coproc') return { ...place };
  const repeats = ['For', 'Select', 'While', 'ArithmeticFor', 'Function'].includes(node.type);
  return repeats ? { ...place, repeated: true } : place;
}

function walkChildren(walk: Walk, node: SyntaxNode, place: Place): void {
  forEachChild(node, (child) => walkNode(walk, child, place));
}

function noteErrors(walk: Walk, script: ParsedScript): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) walk.syntaxError ??= error.message;
}

function walkPipeline(walk: Walk, pipeline: Pipeline, place: Place): void {
  const pipedFrom: string[] = [...place.pipedFrom];
  for (const command of pipeline.commands) {
    const before = walk.commands.length;
    // Each part runs in a process of its own, so that its `cd` does not last.
    walkNode(walk, command, pipeline.commands.length > 1 ? { ...place, pipedFrom: [...pipedFrom] } : place);
    for (const found of walk.commands.slice(before)) pipedFrom.push(programName(found.words[0]?.value ?? ''));
  }
}

function walkCommand(walk: Walk, command: Command, place: Place): void {
  const words: ShellWord[] = [];
  const assignments: string[] = [];
  if (command.name !== undefined) words.push(shellWord(command.name));
  for (const item of command.prefix) if (item.type === 'Assignment') assignments.push(item.text);
  for (const item of command.suffix) {
    if (item.type === 'Word') words.push(shellWord(item));
    else if (item.type === 'Assignment') words.push(assignmentWord(item));
  }
  addCommand(
    walk,
    words,
    { ...place, assignments: [...place.assignments, ...assignments] },
    command.redirects,
  );
  // What stands in substitutions runs before the command, in the folder that the shell is in.
  walkChildren(walk, command, { ...place, pipedFrom: [] });
  if (words[0]?.value !== null) changeFolder(walk, words, place);
}

function addCommand(
  walk: Walk,
  words: readonly ShellWord[],
  place: Place,
  redirects: readonly Redirection[],
): void {
  if (place.depth > maxDepth) {
    walk.syntaxError ??= 'it is nested too deeply to be judged';
    return;
  }
  const [program] = words;
  const own: SimpleCommand = {
    words,
    assignments: place.assignments,
    folders: place.folders,
    wrappers: place.wrappers,
    pipedFrom: place.pipedFrom,
  };
  if (program === undefined) {
    if (place.assignments.length > 0) walk.commands.push(own);
    return;
  }
  if (program.value === null)
    walk.unknown ??= `\`${program.source}\` names a program that is only known when it runs`;
  const wrapped = unwrap(words);
  const inner: Place = {
    ...place,
    depth: place.depth + 1,
    wrappers: [...place.wrappers, programName(program.value ?? '')],
  };
  if (wrapped === null || wrapped.kind === 'unknown' || wrapped.kind === 'standard_input' || wrapped.keep)
    walk.commands.push(own);
  if (wrapped?.kind === 'unknown') walk.unknown ??= wrapped.why;
  else if (wrapped?.kind === 'scripts') {
    walk.doubt ??= `\`${program.source}\` runs a script of its own`;
    for (const script of wrapped.scripts) walkText(walk, script, { ...inner, assignments: [] });
  } else if (wrapped?.kind === 'standard_input') walkInput(walk, redirects, inner, place);
  else if (wrapped?.kind === 'programs')
    for (const program of wrapped.programs)
      addCommand(
        walk,
        program,
        { ...inner, assignments: [...place.assignments, ...wrapped.assignments] },
        redirects,
      );
  // A wrapped script's own environment may change what its programs do.
  if (wrapped?.kind === 'scripts' && place.assignments.length > 0) walk.commands.push({ ...own, words: [] });
}

/** A shell that reads its script from standard input: seen where it stands in the script itself. */
function walkInput(walk: Walk, redirects: readonly Redirection[], inner: Place, place: Place): void {
  const inputs = redirects.filter((item) => item.type !== 'Redirect' || item.operator.startsWith('<'));
  const input = inputs.at(-1);
  if (input?.type === 'HereDoc' && isQuoted(input))
    walkText(walk, input.body.text, { ...inner, assignments: [] });
  else if (
    input?.type === 'HereString' &&
    input.target !== undefined &&
    shellWord(input.target).value !== null
  )
    walkText(walk, shellWord(input.target).value ?? '', { ...inner, assignments: [] });
  else walk.unknown ??= `a shell runs what it reads${place.pipedFrom.length > 0 ? ' from a pipe' : ''}`;
}

function isQuoted(document: HereDoc): boolean {
  return document.delimiter?.quoted === true || !/[$`\\]/.test(document.body.text);
}

/** A function that calls itself in a pipe or in the background, as the classic fork bomb does. */
function callsItself(name: string, body: SyntaxNode): boolean {
  let multiplies = false;
  const look = (node: SyntaxNode, parallel: boolean): void => {
    const here =
      parallel || node.type === 'Pipeline' || (node.type === 'Statement' && node.background === true);
    if (node.type === 'Command' && here && node.name?.value === name) multiplies = true;
    forEachChild(node, (child) => look(child, here));
  };
  look(body, false);
  return multiplies;
}
