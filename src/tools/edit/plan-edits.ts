import { invalidInput, ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { decodeTextFile, encodeTextFile, splitLines, type TextFile } from '../text/text-file.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { editEffort } from '../write/edit-effort.ts';
import type { ProposedFile } from '../write/proposed-change.ts';
import { type CurrentFile, readForChange, readKnownFile } from '../write/read-for-change.ts';
import type { Strategy } from './find-text.ts';
import { type ReplacedText, type Replacement, replaceText } from './replace-text.ts';

/** A replacement in one of several files. */
export interface FileEdit {
  readonly path: string;
  readonly replacement: Replacement;
}

/** Planned edits: the new files, the message for the model, and the strategy of each edit. */
export interface PlannedEdits {
  readonly files: readonly ProposedFile[];
  readonly message: string;
  /** Number of replaced locations. */
  readonly places: number;
  readonly data: { readonly [key: string]: Json };
}

interface Entry {
  readonly path: string;
  readonly before: CurrentFile | null;
  readonly original: TextFile;
  text: string;
}

/**
 * Plans replacements in order, each on the result of the ones before it. An empty old text creates
 * a missing file. Throws `ToolError` naming the first edit that fails; none is made then.
 */
export async function planEdits(workspace: Workspace, edits: readonly FileEdit[]): Promise<PlannedEdits> {
  const entries = new Map<string, Entry>();
  const done: ReplacedText[] = [];
  const effort = editEffort();
  for (const [index, { path, replacement }] of edits.entries()) {
    try {
      const shown = workspace.files.relative(path);
      refuseFolder(path, replacement);
      const entry = entries.get(shown) ?? (await openEntry(workspace, shown, replacement));
      const isNew = entry.before === null && !entries.has(shown);
      if (entries.has(shown)) effort(shown, entry.text.length);
      entries.set(shown, entry);
      const replaced = isNew ? created(replacement) : replaceText(shown, entry.text, replacement);
      entry.text = replaced.text;
      done.push(replaced);
    } catch (error) {
      throw explained(error, index, edits.length);
    }
  }
  const changed = [...entries.values()].filter(
    ({ before, original, text }) => before === null || text !== original.text,
  );
  if (changed.length === 0) {
    throw invalidInput(`The edit would change nothing in ${[...entries.keys()].join(', ')}.`);
  }
  const files = changed.map(({ path, before, original, text }) => ({
    path,
    before,
    after: { content: encodeTextFile(path, { ...original, text }), mode: before?.mode ?? 0o644 },
  }));
  return {
    files,
    message: describe(changed, done),
    places: done.reduce((sum, { count }) => sum + count, 0),
    data: { strategies: done.map(({ strategy }) => strategy) },
  };
}

async function openEntry(workspace: Workspace, path: string, { old }: Replacement): Promise<Entry> {
  if (old === '' && (await readForChange(workspace, path)) === null) {
    return { path, before: null, original: { text: '', encoding: 'utf8', bom: false }, text: '' };
  }
  const before = await readKnownFile(workspace, path, 'text');
  const original = decodeTextFile(path, before.content);
  return { path, before, original, text: original.text };
}

/** Refuses a path that ends as a folder's for a new file. */
function refuseFolder(path: string, { old }: Replacement): void {
  if (old !== '' || !path.endsWith('/')) return;
  throw invalidInput(`${path} names a folder; give the path of a file in it.`);
}

function created({ new: text }: Replacement): ReplacedText {
  return { text, strategy: 'exact', count: 1, firstLine: 1 };
}

/** Names the failed edit among several, and states that none was made. */
function explained(error: unknown, index: number, count: number): unknown {
  if (count === 1 || !(error instanceof ToolError)) return error;
  return new ToolError(error.kind, `Edit ${index + 1} of ${count}: ${error.message} No edit was made.`, {
    cause: error,
  });
}

/** Time limit in milliseconds for rendering the changed locations of all files. */
const placesMs = 1_000;

function describe(changed: readonly Entry[], done: readonly ReplacedText[]): string {
  const [only] = changed;
  if (only === undefined || changed.length > 1) {
    const until = monotonicMs() + placesMs;
    const each = changed.map((entry) => {
      const left = Math.max(0, until - monotonicMs());
      return `${entry.path}${after(':\n', placesOf(entry, left))}`;
    });
    return `Edited ${changed.length} files, ${summary(done)}.${replacedBy(done)}\n${each.join('\n')}`;
  }
  if (only.before === null) {
    const lines = splitLines(only.text).length;
    return `Created ${only.path} (${lines} line${lines === 1 ? '' : 's'}).`;
  }
  const replaced = replacedBy(done);
  const places = placesOf(only);
  if (replaced !== '') return `Edited ${only.path}, ${summary(done)}.${replaced}${after('\nNow:\n', places)}`;
  return `Edited ${only.path}, ${summary(done)}${after(':\n', places) || '.'}`;
}

function placesOf({ before, original, text }: Entry, timeoutMs = placesMs): string {
  return before === null ? '(new)' : changedPlaces(original.text, text, timeoutMs);
}

function after(mark: string, text: string): string {
  return text === '' ? '' : mark + text;
}

/** Summarises the edits: `line 4`, `3 places`, `2 edits (edit 2 matched line-trimmed)`. */
function summary(done: readonly ReplacedText[]): string {
  const [only] = done;
  if (only !== undefined && done.length === 1) {
    const where = only.count === 1 ? `line ${only.firstLine}` : `${only.count} places`;
    return [where, ...matchNotes(only)].join(', ');
  }
  const notes = done.flatMap((one, index) => {
    const parts = [...(one.count === 1 ? [] : [`in ${one.count} places`]), ...matchNotes(one)];
    return parts.length === 0 ? [] : [`edit ${index + 1} ${parts.join(', ')}`];
  });
  return `${done.length} edits${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** Describes the match if the old text was not found literally. */
function matchNotes({ strategy }: ReplacedText): string[] {
  return strategy === 'exact' ? [] : [strategyNotes[strategy]];
}

const similar = 'found only by similar text: check what was replaced';
const strategyNotes: Readonly<Record<Exclude<Strategy, 'exact'>, string>> = {
  'indentation-flexible': 'found with other indentation',
  'line-trimmed': 'found with other indentation',
  typographic: 'found with other quotes, dashes or spaces',
  'whitespace-normalized': 'found with other spaces',
  'escape-normalized': 'found with its escapes undone',
  'trimmed-boundary': 'found without the blank lines or spaces around it',
  'line-number-stripped': 'found without its line numbers',
  'block-anchor': similar,
  'context-aware': similar,
};

/** Maximum lines, and characters of each, displayed of the similar text that one edit replaced. */
const shownLines = 24;
const shownCharacters = 200;

/** Renders replaced similar text as removed lines of a diff. Empty if all was found literally. */
function replacedBy(done: readonly ReplacedText[]): string {
  const texts = done.flatMap(({ replaced }) => (replaced === undefined ? [] : [replaced]));
  if (texts.length === 0) return '';
  const shown = texts.map((text) => {
    const lines = splitLines(text).map((line) => `-${line.slice(0, shownCharacters)}`);
    const rest = lines.length > shownLines ? [`[${lines.length - shownLines} more lines]`] : [];
    return [...lines.slice(0, shownLines), ...rest].join('\n');
  });
  return ` Replaced:\n${shown.join('\n…\n')}`;
}
