import { append } from '../../contract/lists.ts';
import {
  countObjectLines,
  type FoundCalls,
  findCallTag,
  readCall,
  readLeadingCall,
  readTaggedCalls,
  type TextDirective,
} from './read-calls.ts';
import {
  countHereDocumentLines,
  endOfFence,
  type Fence,
  fenceOf,
  holdsShell,
  readProse,
} from './read-prose.ts';

interface Section {
  readonly word: Word | null;
  /** Form of its word; null for prose. */
  readonly directive: FoundDirective | null;
  readonly lines: string[];
}

/**
 * Splits a reply into directives. A directive is a word at the start of a line and reaches to the
 * next one; other text is prose. Tolerates habits of small models: fences around directives and
 * payloads, bold, indented or lower-case words, thinking blocks, and calls in trained tags or JSON.
 * Text after an action is dropped, because the model can only have invented it. If the reply was
 * `cutOff` at the output limit, a last action gets broken arguments: half a command could do other
 * things.
 */
export function parseTextReply(reply: string, cutOff = false): TextDirective[] {
  const text = reply.replace(/^\s*<think>[\s\S]*?<\/think>/, '').replaceAll('\r\n', '\n');
  const directives = split(text);
  const last = cutOff ? directives.pop() : undefined;
  if (last !== undefined) directives.push(broken(last));
  const first = directives.findIndex(isAction);
  return first < 0
    ? directives
    : directives.filter((directive, index) => index < first || isAction(directive));
}

function isAction({ kind }: TextDirective): boolean {
  return kind !== 'prose' && kind !== 'answer';
}

/** A patch is left as it is: a person decides on it. */
function broken(directive: TextDirective): TextDirective {
  if (directive.kind !== 'bash' && directive.kind !== 'tool') return directive;
  const name = directive.kind === 'bash' ? 'bash' : directive.name;
  const input = directive.kind === 'bash' ? { command: directive.command } : directive.input;
  const text = typeof input === 'string' ? input : JSON.stringify(input).slice(0, -1);
  return { kind: 'tool', name, input: `${text}…` };
}

/** Limits how often the rest of a reply is searched for an end that is not there. */
const maxSearches = 100;

/** Cuts at directives, but not inside a fence, a here-document or a string of one. */
function split(text: string): TextDirective[] {
  const found: TextDirective[] = [];
  let lines = text.split('\n');
  /** The index of the next line: taking lines off the list would move all others each time. */
  let at = 0;
  const searches = { most: maxSearches };
  let section = prose();
  let open: Fence | null = null;
  /** The fence around a directive rather than within one: its end ends the directive. */
  let around: Fence | null = null;
  const start = (directive: FoundDirective | null) => {
    // Only the end of a reply without any word may be shell without one: elsewhere it illustrates.
    const last =
      (directive === null ? at >= lines.length : directive.word === 'RESULT') && !found.some(isWord);
    append(found, read(section, last));
    section = { word: directive?.word ?? null, directive, lines: [] };
  };
  const take = (line: string) => {
    section.lines.push(line);
    const isShell = section.word === 'BASH' || (section.word === null && holdsShell(open));
    if (!isShell && (section.word !== null || !/^\s*\{/.test(line))) return;
    const count = (isShell ? countHereDocumentLines : countObjectLines)(line, lines, at, searches);
    append(section.lines, lines.slice(at, at + count));
    at += count;
  };
  for (let line = lines[at]; line !== undefined; line = lines[at]) {
    at += 1;
    const begins = beginningOf(line, lines[at], section, { open, found });
    if (begins !== null && open !== null) {
      section.lines.pop();
      around = open;
      open = null;
    }
    if (begins !== null) {
      if (begins.tag !== null) section = untilTag(section, line, begins.tag);
      const leading = leadingCalls(begins, () => [begins.rest, ...lines.slice(at)].join('\n'), searches);
      if (leading === null) {
        start(begins.directive);
        take(begins.rest);
        open = fenceOf(begins.rest);
      } else {
        start(null);
        append(found, leading.calls);
        lines = leading.rest.split('\n');
        at = 0;
      }
    } else if (line.trimEnd() === around?.marker) {
      around = null;
      start(null);
    } else {
      take(line);
      open = fenceAfter(open, line);
    }
  }
  start(null);
  return found;
}

/** The calls at the offset of a tag, or the directive, that a line begins; `rest` is its text. */
type Beginning =
  | { readonly tag: number; readonly directive: null; readonly rest: string }
  | { readonly tag: null; readonly directive: FoundDirective; readonly rest: string };

function beginningOf(
  line: string,
  next = '',
  section: Section,
  { open, found }: { readonly open: Fence | null; readonly found: readonly TextDirective[] },
): Beginning | null {
  if (open !== null && !mayStartIn(section, open)) return null;
  const tag = section.word === 'PATCH' ? -1 : findCallTag(line);
  if (tag >= 0) {
    const isCall = section.word === null || leads(line, tag);
    return isCall ? { tag, directive: null, rest: line.slice(tag) } : null;
  }
  const directive = findDirective(line, next);
  if (directive === null || !mayFollow(section, directive, found.some(isAction))) return null;
  return { tag: null, directive, rest: directive.rest };
}

/** Adds the text of a line before a tag to a section. */
function untilTag(section: Section, line: string, tag: number): Section {
  if (!leads(line, tag)) return { ...section, lines: [...section.lines, line.slice(0, tag)] };
  // The word by itself adds nothing to a tag, and would be a separate call.
  return section.word === 'TOOL' && section.lines.join('').trim() === '' ? prose() : section;
}

/** Reads calls in a known form at the start of the `rest` of a reply; null for none. */
function leadingCalls(
  { tag, directive }: Beginning,
  rest: () => string,
  searches: { most: number },
): FoundCalls | null {
  if (tag !== null) return readTaggedCalls(rest());
  if (directive.word !== 'TOOL' || searches.most <= 0) return null;
  const leading = readLeadingCall(rest());
  if (leading === null) searches.most -= 1;
  return leading;
}

function fenceAfter(open: Fence | null, line: string): Fence | null {
  if (open === null) return fenceOf(line);
  return line.trimEnd() === open.marker ? null : open;
}

function isWord({ kind }: TextDirective): boolean {
  return kind !== 'prose';
}

function prose(): Section {
  return { word: null, directive: null, lines: [] };
}

/** Returns true if at most the word for it precedes a tag in its line. */
function leads(line: string, tag: number): boolean {
  return /^\s*(?:(?:\*\*)?tool(?:\*\*)?:(?:\*\*)?\s*)?$/i.test(line.slice(0, tag));
}

/** Only at the very start of a fence, and not in a fence inside an explicit answer. */
function mayStartIn(section: Section, open: Fence): boolean {
  return section.word === null && (section.lines.at(-1)?.startsWith(open.marker) ?? false);
}

/**
 * Prose may be followed by any directive; a payload by a strict one, or one written like its own.
 */
function mayFollow(
  { word, directive: before, lines }: Section,
  next: FoundDirective,
  acted: boolean,
): boolean {
  if (next.word === 'RESULT' && word !== null) return acted || word !== 'ANSWER';
  if (next.word === 'RESULT') {
    // Computed once for a text, so many such lines do not cause as many passes over it.
    const first = !lines.some((line) => findDirective(line, '')?.word === 'RESULT');
    return acted || (first && readProse(lines, true).some(isAction));
  }
  if (next.strict || word === null) return true;
  const alike = before !== null && !before.strict && before.indent === next.indent;
  return alike && (word === 'BASH' || word === 'TOOL');
}

/**
 * Returns the directives of a section. `last`: no other text of the model follows, and no directive
 * precedes it.
 */
function read({ word, lines }: Section, last: boolean): TextDirective[] {
  const text = lines.join('\n').trim();
  const payload = unfence(lines, word === 'BASH');
  switch (word) {
    case 'BASH': {
      const command = payload.trim();
      return [{ kind: 'bash', command: /^`[^`]+`$/.test(command) ? command.slice(1, -1) : command }];
    }
    case 'PATCH':
      return [{ kind: 'patch', patch: `${payload.replace(/^\n+|\s+$/g, '')}\n` }];
    case 'TOOL':
      return [readCall(payload.trim())];
    case 'ANSWER':
      return text === '' ? [] : [{ kind: 'answer', text }];
    case 'RESULT':
      return [{ kind: 'prose', text }];
    case null:
      return readProse(lines, last);
  }
}

/** The content of the fence a payload starts with; all of it without one. */
function unfence(body: readonly string[], shell: boolean): string {
  const text = body.join('\n');
  const lines = text.replace(/^\s*\n/, '').split('\n');
  const fence = fenceOf(lines[0] ?? '');
  return fence === null ? text : lines.slice(1, endOfFence(lines, 1, fence, shell)).join('\n');
}

/** The keywords of the text protocol. A model never writes `RESULT`. */
export type Word = 'ANSWER' | 'BASH' | 'TOOL' | 'PATCH' | 'RESULT';

/** A line that starts a directive. */
export interface FoundDirective {
  readonly word: Word;
  readonly rest: string;
  readonly indent: string;
  /**
   * False for a word that is indented or not in capitals: it is a directive only if no other text
   * is likely.
   */
  readonly strict: boolean;
}

const form = /^([ \t]*)(?:\*\*)?([A-Za-z]+)(?:\*\*)?:(?:\*\*)?[ \t]?(.*)$/;
const result = /^(?:\*\*)?RESULTS?(?: \d+ of \d+)?(?: \(error\))?(?:\*\*)?:/;
const complaint = /: (?:command not found|no such file or directory|permission denied)|^line \d+:/i;

/** The directive a line starts, or null; `next` is the line after it. */
export function findDirective(line: string, next: string): FoundDirective | null {
  if (result.test(line)) return { word: 'RESULT', rest: '', indent: '', strict: true };
  const [, indent = '', written = '', rest = ''] = form.exec(line) ?? [];
  const word = written.toUpperCase();
  if (word !== 'ANSWER' && word !== 'BASH' && word !== 'TOOL' && word !== 'PATCH') return null;
  const strict = indent === '' && written === word;
  if (written !== word && !isIntended(word, written, rest.trim() === '' ? next : rest)) return null;
  return { word, rest, indent, strict };
}

/**
 * Returns true if a word in small letters starts a directive. Sentences and messages of the shell
 * start so too.
 */
function isIntended(word: Exclude<Word, 'RESULT'>, written: string, payload: string): boolean {
  switch (word) {
    case 'TOOL':
      return /^\s*(?:[\w.-]+\s*)?(?:[{(<]|`{3}|~{3})/.test(payload);
    case 'PATCH':
      return written === 'patch' && /^(?:---|diff |\*\*\*|`{3}|~{3})/.test(payload);
    case 'BASH':
      return written === 'bash' && payload.trim() !== '' && !complaint.test(payload);
    case 'ANSWER':
      return written === 'answer';
  }
}
