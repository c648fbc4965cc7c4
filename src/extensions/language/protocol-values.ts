import { isJsonObject, type Json } from '../../contract/json.ts';

/** A position in a text, from 0; `character` in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A range in a file. */
export interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** Reads a position; null if invalid. */
function readPosition(value: Json | undefined): Position | null {
  if (!isJsonObject(value)) return null;
  const { line, character } = value;
  return isIndex(line) && isIndex(character) ? { line, character } : null;
}

export function readRange(value: Json | undefined): Range | null {
  if (!isJsonObject(value)) return null;
  const [start, end] = [readPosition(value.start), readPosition(value.end)];
  return start === null || end === null ? null : { start, end };
}

/** A `Location` or a `LocationLink`. */
export function readLocation(value: Json | undefined): Location | null {
  if (!isJsonObject(value)) return null;
  const uri = value.targetUri ?? value.uri;
  const range = readRange(value.targetSelectionRange ?? value.range);
  return typeof uri === 'string' && range !== null ? { uri, range } : null;
}

/** Reads an answer with locations: one, a list, or null. Invalid ones are omitted. */
export function readLocations(value: Json): Location[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map(readLocation).filter((one) => one !== null);
}

const isIndex = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Names of symbol kinds by number (Language Server Protocol 3.17, `SymbolKind`). */
const symbolKinds: readonly string[] = [
  'symbol',
  ...['file', 'module', 'namespace', 'package', 'class', 'method', 'property', 'field', 'constructor'],
  ...['enum', 'interface', 'function', 'variable', 'constant', 'string', 'number', 'boolean', 'array'],
  ...['object', 'key', 'null', 'enum member', 'struct', 'event', 'operator', 'type parameter'],
];

export function kindName(kind: Json | undefined): string {
  return symbolKinds[typeof kind === 'number' ? kind : 0] ?? 'symbol';
}
