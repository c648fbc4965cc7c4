import { ConfigError } from '../contract/errors.ts';

/** A node of a YAML file. */
export interface Located {
  /** Line of its key, counted from 1; of itself for an item of a list. */
  readonly line: number;
  /** Line of a scalar's first text: a block scalar begins below its `|`. */
  readonly textLine: number;
  /** A scalar is its text, '' for null. */
  readonly value: string | readonly Located[] | ReadonlyMap<string, Located>;
}

/** Maximum characters of a file. */
const longest = 512 * 1024;
/** Maximum nodes of a file, with those of its aliases. */
const mostNodes = 50_000;
/** Maximum nodes one within the other. */
const deepest = 100;

/**
 * Parses a YAML file with the line of every node. Throws `ConfigError` with the file and the line
 * for a text that is no YAML, is larger than 512 KiB, has more than 50,000 nodes, or is nested
 * deeper than 100.
 */
export async function readLocatedYaml(text: string, file: string): Promise<Located> {
  if (text.length > longest) throw new ConfigError(`${file}: it has over ${longest} characters.`, { file });
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const [problem] = document.errors;
  if (problem !== undefined) {
    // The parser quotes the place below its first line.
    const [first = ''] = problem.message.split('\n');
    const message = first.replace(/(?: at line \d+, column \d+)?:?$/, '.').replace(/\.\.$/, '.');
    throw new ConfigError(`${file}:${lineAt(problem.pos[0])}: ${message}`, { file });
  }
  let left = mostNodes;
  const locate = (node: unknown, above: number, depth: number): Located => {
    left -= 1;
    if (left < 0) throw new ConfigError(`${file}: it has over ${mostNodes} nodes.`, { file });
    // An alias may lead to a node around it.
    if (depth > deepest) throw new ConfigError(`${file}: it is nested deeper than ${deepest}.`, { file });
    const line = yaml.isNode(node) && node.range ? lineAt(node.range[0]) : above;
    if (yaml.isAlias(node)) return locate(node.resolve(document), line, depth + 1);
    if (yaml.isSeq(node))
      return { line, textLine: line, value: node.items.map((item) => locate(item, line, depth + 1)) };
    if (yaml.isMap(node)) return { line, textLine: line, value: entries(node.items, line, depth + 1) };
    return yaml.isScalar(node) ? scalarAt(node, line) : { line, textLine: line, value: '' };
  };
  const entries = (
    pairs: readonly { readonly key: unknown; readonly value: unknown }[],
    line: number,
    depth: number,
  ) =>
    new Map(
      pairs.map(({ key, value }) => {
        const name = locate(key, line, depth);
        // A reader looks for an entry at its key, not at its first inner line.
        return [String(name.value), { ...locate(value, name.line, depth), line: name.line }] as const;
      }),
    );
  return locate(document.contents, 1, 0);
}

function scalarAt(
  { type, value }: { readonly type?: unknown; readonly value: unknown },
  line: number,
): Located {
  const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
  const text = value === null || value === undefined ? '' : String(value);
  return { line, textLine: isBlock ? line + 1 : line, value: text };
}

/** Returns an entry of a map by its keys from the outside in; null if there is none. */
export function entryAt(node: Located | null, ...keys: readonly string[]): Located | null {
  let at = node;
  for (const key of keys) at = at?.value instanceof Map ? (at.value.get(key) ?? null) : null;
  return at;
}

/** Returns the entries of a map; none for any other node. */
export const entriesOf = (node: Located | null): readonly (readonly [string, Located])[] =>
  node?.value instanceof Map ? [...node.value] : [];

/** Returns the items of a list; none for any other node. */
export const itemsOf = (node: Located | null): readonly Located[] =>
  node !== null && Array.isArray(node.value) ? node.value : [];

/** Returns the text of a scalar; null for any other node. */
export const textAt = (node: Located | null, ...keys: readonly string[]): string | null => {
  const found = entryAt(node, ...keys);
  return typeof found?.value === 'string' ? found.value : null;
};
