import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { visibleLine } from '../../tools/text/visible-text.ts';
import { kindName, type Location, type Position, readLocation, readRange } from './protocol-values.ts';
import { hasName } from './symbol-names.ts';

/** A symbol of a server. */
export interface ServerSymbol {
  readonly name: string;
  readonly kind: string;
  readonly detail: string;
  /** Null where the answer is about one file. */
  readonly uri: string | null;
  readonly start: Position;
  /** The number of containing symbols. */
  readonly depth: number;
  /** Their names, the outermost first. */
  readonly within: readonly string[];
}

const deepest = 32;
const most = 20_000;

/** Reads nested `DocumentSymbol`s or `SymbolInformation`, at most 20,000. */
export function readSymbols(value: Json): readonly ServerSymbol[] {
  const found: ServerSymbol[] = [];
  const walk = (list: Json | undefined, within: readonly string[]) => {
    if (!Array.isArray(list) || within.length > deepest) return;
    for (const one of list) {
      if (found.length >= most) return;
      if (!isJsonObject(one) || typeof one.name !== 'string') continue;
      const symbol = readSymbol(one, within);
      if (symbol !== null) found.push(symbol);
      walk(one.children, [...within, one.name]);
    }
  };
  walk(value, []);
  return found;
}

function readSymbol(value: JsonObject, within: readonly string[]): ServerSymbol | null {
  const location = isJsonObject(value.location) ? locationOf(value.location) : null;
  const range = readRange(value.selectionRange) ?? readRange(value.range);
  const start = location?.start ?? range?.start;
  if (start === undefined) return null;
  const container =
    typeof value.containerName === 'string' && value.containerName !== '' ? [value.containerName] : [];
  return {
    name: visibleLine(String(value.name), 200),
    kind: kindName(value.kind),
    detail: typeof value.detail === 'string' ? visibleLine(value.detail, 120) : '',
    uri: location?.uri ?? null,
    start,
    depth: within.length,
    within: within.length > 0 ? within : container,
  };
}

/** A location whose range is optional, as in `WorkspaceSymbol`. */
function locationOf(value: JsonObject): { uri: string; start: Position } | null {
  const location: Location | null = readLocation(value);
  if (location !== null) return { uri: location.uri, start: location.range.start };
  return typeof value.uri === 'string' ? { uri: value.uri, start: { line: 0, character: 0 } } : null;
}

/**
 * The definition of a name by its parts, the outermost first. Of several the least nested. Null:
 * none.
 */
export function findDefined(value: Json, parts: readonly string[]): Position | null {
  const fitting = readSymbols(value).filter((symbol) => hasName(symbol, parts));
  const [first] = fitting.sort((a, b) => a.depth - b.depth);
  return first?.start ?? null;
}
