import { fileURLToPath } from 'node:url';
import { invalidInput } from '../../contract/errors.ts';
import { isCredentialPath } from '../../permissions/gate/credential-paths.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { textOf } from './open-documents.ts';
import type { Location, Position } from './protocol-values.ts';
import { linesOfSource } from './resolve-position.ts';

/** A file that a server named. */
export interface ResolvedFile {
  /**
   * From the workspace; for one outside of it the absolute path, or the address where it has none.
   */
  readonly shown: string;
  /** Null for a file outside, which is never opened. */
  readonly path: string | null;
}

/** Maximum displayed characters of one line of source. */
const longestLine = 200;

/** Resolves an address. Servers are not trusted: only a file inside the workspace has a path. */
export function resolveUri(uri: string, root: string): ResolvedFile {
  const file = filePathOf(uri);
  if (file === null) return { shown: visibleLine(uri, 300), path: null };
  if (!file.startsWith(`${root}/`)) return { shown: visibleLine(file, 300), path: null };
  const path = file.slice(root.length + 1);
  return { shown: visibleLine(path, 300), path };
}

/** The absolute path of a `file:` address, without `.` and `..`; null for any other. */
function filePathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

/** Lines of source for places, each file read once and through the confined files. */
export interface SourceLines {
  /** The line, trimmed; empty where it cannot be shown. */
  at(file: ResolvedFile, line: number): Promise<string>;
  /** The same as it stands there. */
  whole(file: ResolvedFile, line: number): Promise<string>;
}

/** Maximum files whose lines are displayed; bounds reading for a hostile answer. */
const mostFiles = 300;

export function sourceLines(workspace: Pick<Workspace, 'root' | 'files'>): SourceLines {
  const known = new Map<string, Promise<readonly string[]>>();
  const whole: SourceLines['whole'] = async ({ path }, line) => {
    // Files that no tool may read are not displayed here either.
    if (path === null || isCredentialPath(path) !== null) return '';
    let lines = known.get(path);
    if (lines === undefined) {
      if (known.size >= mostFiles) return '';
      // A file that cannot be read is displayed by name alone.
      lines = textOf(path, workspace).then(linesOfSource, () => []);
      known.set(path, lines);
    }
    return (await lines)[line] ?? '';
  };
  return { whole, at: async (file, line) => visibleLine(await whole(file, line), longestLine) };
}

/** `path:line:column`, both counted from 1, as `read` and compilers print them. */
export const renderPosition = ({ shown }: ResolvedFile, { line, character }: Position): string =>
  `${shown}:${line + 1}:${character + 1}`;

/** A note on line numbers for answers with positions. */
export const numbersNote =
  '[path:line:column count from 1, as read shows lines; as input, line and character count from 0, one less]';

/** Renders locations as lines with their source, each once; by file and line if `sorted`. */
export async function renderLocations(
  locations: readonly Location[],
  { root, lines, limit, sorted }: { root: string; lines: SourceLines; limit: number; sorted: boolean },
): Promise<{
  readonly text: string[];
  readonly shown: number;
  readonly total: number;
  readonly places: PlacedLocation[];
}> {
  const seen = new Set<string>();
  const placed = locations.flatMap(({ uri, range }) => {
    const file = resolveUri(uri, root);
    const at = renderPosition(file, range.start);
    if (seen.has(at)) return [];
    seen.add(at);
    return [{ file, at, start: range.start }];
  });
  if (sorted)
    placed.sort(
      (a, b) =>
        Number(a.file.path === null) - Number(b.file.path === null) ||
        Number(a.file.shown > b.file.shown) - Number(a.file.shown < b.file.shown) ||
        a.start.line - b.start.line ||
        a.start.character - b.start.character,
    );
  const shown = placed.slice(0, limit);
  const text: string[] = [];
  for (const { file, at, start } of shown) {
    const line = await lines.at(file, start.line);
    text.push(
      line === '' ? `${at}${file.path === null ? '  [outside the workspace]' : ''}` : `${at}  ${line}`,
    );
  }
  const places = shown.map(({ file, start }) => ({
    path: file.shown,
    line: start.line,
    character: start.character,
  }));
  return { text, shown: shown.length, total: placed.length, places };
}

/** A location for the data field; numbers from 0. */
interface PlacedLocation {
  readonly path: string;
  readonly line: number;
  readonly character: number;
}

/** The path of a workspace file. Throws `ToolError` for a folder, or a file outside. */
export async function ownPath(given: string, { files }: Pick<Workspace, 'files'>): Promise<string> {
  const path = files.relative(given);
  if (path.startsWith('../') || path.startsWith('/'))
    throw invalidInput(
      `Language servers see the workspace alone, and ${given} lies outside of it. Use code_search or grep with this path.`,
    );
  const info = path === '' ? null : await files.stat(path);
  if (path === '' || info?.kind === 'directory')
    throw invalidInput(`${given} is a folder; name a file. For a whole folder there is diagnostics.`);
  // For a missing file the reader's error suggests similar names.
  if (info === null) await files.read(path, 1);
  return path;
}
