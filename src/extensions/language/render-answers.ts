import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { visibleLine, visibleText } from '../../tools/text/visible-text.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ServerState } from './operations.ts';
import { kindName, type Position, type Range, readLocations, readRange } from './protocol-values.ts';
import type { ServerSymbol } from './read-symbols.ts';
import {
  numbersNote,
  renderLocations,
  renderPosition,
  resolveUri,
  type SourceLines,
  sourceLines,
} from './resolve-uri.ts';
import { plainName } from './symbol-names.ts';

/** Text for the model, and the same for programs. */
export interface Rendered {
  readonly content: string;
  readonly data: Json;
}

/** The workspace, limit and server state of an answer. */
export interface AnswerOptions {
  readonly workspace: Pick<Workspace, 'root' | 'files'>;
  readonly limit: number;
  readonly state: ServerState;
  /** Files that contain the name and were not opened. */
  readonly unopened?: number;
}

const partialNote = '[the server is still loading the project: there may be more, ask again]';
const more = (count: number): string => `[${count} more; raise limit or ask more narrowly]`;

/** The lines of an answer, with notes on numbers and missing parts. */
function whole(
  head: string,
  lines: readonly string[],
  hidden: number,
  { state, unopened = 0 }: Pick<AnswerOptions, 'state' | 'unopened'>,
): string {
  return [
    head,
    ...lines,
    ...(hidden > 0 ? [more(hidden)] : []),
    ...(unopened > 0
      ? [`[the name stands in ${unopened} more files, which the server may not know: grep finds it there]`]
      : []),
    ...(state.partial ? [partialNote] : []),
    // Why there is nothing: no project, a broken build file.
    ...(lines.length === 0 && state.messages.length > 0
      ? [`[the server said: ${state.messages.join(' | ')}]`]
      : []),
    ...(lines.length > 0 ? [numbersNote] : []),
  ].join('\n');
}

/** Renders locations, one a line with its source. */
export async function answerWithPlaces(
  subject: string,
  what: string,
  result: Json,
  options: AnswerOptions,
): Promise<Rendered> {
  const { workspace, limit } = options;
  const { text, shown, total, places } = await renderLocations(readLocations(result), {
    root: workspace.root,
    lines: sourceLines(workspace),
    limit,
    sorted: what === 'reference',
  });
  const head = total === 0 ? `No ${what} of ${subject}` : `${counted(total, what)} of ${subject}`;
  return {
    content: whole(head, text, total - shown, options),
    data: { locations: places.map((one) => ({ ...one })), total },
  };
}

/** Renders symbols of a file as a tree, or of the workspace with their locations. */
export async function answerWithSymbols(
  subject: string,
  symbols: readonly ServerSymbol[],
  options: AnswerOptions,
  path: string | null,
): Promise<Rendered> {
  const { workspace, limit } = options;
  const source = sourceLines(workspace);
  const shown = await Promise.all(
    symbols.slice(0, limit).map(async (symbol) => {
      if (symbol.uri === null) return symbol;
      // Some servers give the start of the definition instead of the name.
      const line = await source.whole(resolveUri(symbol.uri, workspace.root), symbol.start.line);
      const at = line.indexOf(plainName(symbol.name), symbol.start.character);
      return at < 0 ? symbol : { ...symbol, start: { line: symbol.start.line, character: at } };
    }),
  );
  const lines = shown.map((symbol) => {
    const file = symbol.uri === null ? { shown: path ?? '', path } : resolveUri(symbol.uri, workspace.root);
    const at = renderPosition(file, symbol.start);
    const tail = symbol.detail === '' ? '' : ` ${symbol.detail}`;
    // A tree shows the containers; a list names them.
    const inside =
      path === null && symbol.within.length > 0 ? ` in ${visibleLine(symbol.within.join('.'), 120)}` : '';
    return `${'  '.repeat(path === null ? 0 : symbol.depth)}${at}  ${symbol.kind} ${symbol.name}${tail}${inside}`;
  });
  const head =
    symbols.length === 0 ? `No symbol ${subject}.` : `${counted(symbols.length, 'symbol')} ${subject}`;
  const data = {
    symbols: shown.map(({ name, kind, uri, start, within }) => ({
      ...{ name, kind, within: [...within], line: start.line, character: start.character },
      path: uri === null ? path : resolveUri(uri, workspace.root).shown,
    })),
    total: symbols.length,
  };
  return { content: whole(head, lines, symbols.length - shown.length, options), data };
}

/** An item of a call hierarchy: what it is and where. */
function hierarchyItem(item: JsonObject, root: string) {
  const range = readRange(item.selectionRange) ?? readRange(item.range);
  if (typeof item.uri !== 'string' || range === null) return null;
  const file = resolveUri(item.uri, root);
  const name = visibleLine(String(item.name), 200);
  return { file, start: range.start, text: `${kindName(item.kind)} ${name}`, name };
}

/** Renders the call hierarchy items of a position. */
export function answerWithItems(subject: string, items: Json, options: AnswerOptions): Rendered {
  const { workspace, limit } = options;
  const read = (Array.isArray(items) ? items : []).flatMap((item) => {
    const one =
      typeof item === 'object' && item !== null ? hierarchyItem(item as JsonObject, workspace.root) : null;
    return one === null ? [] : [one];
  });
  const shown = read.slice(0, limit);
  const lines = shown.map(({ file, start, text }) => `${renderPosition(file, start)}  ${text}`);
  const head = read.length === 0 ? `Nothing callable is at ${subject}` : `Call hierarchy of ${subject}`;
  const data = { items: shown.map((one) => itemData(one)), total: read.length };
  return { content: whole(head, lines, read.length - shown.length, options), data };
}

/** Renders callers or callees, each with the positions of its calls. */
export async function answerWithCalls(
  subject: string,
  direction: 'from' | 'to',
  { item, calls }: { readonly item: JsonObject; readonly calls: readonly JsonObject[] },
  options: AnswerOptions,
): Promise<Rendered> {
  const { workspace, limit } = options;
  const source = sourceLines(workspace);
  const caller = typeof item.uri === 'string' ? resolveUri(item.uri, workspace.root) : null;
  const read = calls.flatMap((call) => {
    const other = call[direction];
    const one =
      typeof other === 'object' && other !== null ? hierarchyItem(other as JsonObject, workspace.root) : null;
    if (one === null) return [];
    // Some servers report a call twice.
    const ranges = onePerStart((Array.isArray(call.fromRanges) ? call.fromRanges : []).map(readRange));
    // The ranges lie in the caller.
    return [{ one, ranges, file: direction === 'from' ? one.file : caller }];
  });
  const shown = read.slice(0, limit);
  const lines: string[] = [];
  for (const { one, ranges, file } of shown) {
    const outside = one.file.path === null ? ' [outside the workspace]' : '';
    lines.push(`${renderPosition(one.file, one.start)}  ${one.text}${outside}`);
    if (file === null) continue;
    for (const range of ranges.slice(0, 5))
      lines.push(`  call at ${await withSource(source, file, range.start)}`);
    if (ranges.length > 5) lines.push(`  [${counted(ranges.length - 5, 'more call')}]`);
  }
  const what = direction === 'from' ? 'caller' : 'callee';
  const head = read.length === 0 ? `No ${what} of ${subject}` : `${counted(read.length, what)} of ${subject}`;
  const data = {
    calls: shown.map(({ one, ranges }) => ({
      ...itemData(one),
      at: ranges.map(({ start }) => ({ ...start })),
    })),
    total: read.length,
  };
  return { content: whole(head, lines, read.length - shown.length, options), data };
}

/** Removes ranges with the same start. */
function onePerStart(ranges: readonly (Range | null)[]): Range[] {
  // A server may send a hundred thousand ranges, so this must be linear.
  const found = new Map<string, Range>();
  for (const range of ranges) {
    if (range === null) continue;
    const start = `${range.start.line}:${range.start.character}`;
    if (!found.has(start)) found.set(start, range);
  }
  return [...found.values()];
}

async function withSource(
  source: SourceLines,
  file: ReturnType<typeof resolveUri>,
  start: Position,
): Promise<string> {
  const line = await source.at(file, start.line);
  return line === '' ? renderPosition(file, start) : `${renderPosition(file, start)}  ${line}`;
}

const itemData = ({ name, file, start }: NonNullable<ReturnType<typeof hierarchyItem>>) => ({
  name,
  path: file.shown,
  line: start.line,
  character: start.character,
});

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const longest = 20_000;

/** Renders hover text as Markdown; empty if there is none. */
export function renderHover(result: Json): string {
  const contents = isJsonObject(result) ? result.contents : null;
  const parts = (Array.isArray(contents) ? contents : [contents]).slice(0, 50).map((part) => {
    if (typeof part === 'string') return part;
    if (!isJsonObject(part) || typeof part.value !== 'string') return '';
    // A marked string has a language.
    return typeof part.language === 'string' ? `\`\`\`${part.language}\n${part.value}\n\`\`\`` : part.value;
  });
  const text = visibleText(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('\n\n')
      // Some keep what is set in with these, for pages.
      .replaceAll('&nbsp;', ' ')
      .slice(0, longest),
  );
  return text.length >= longest ? `${text}\n[cut]` : text;
}
