import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { ConfigError } from '../contract/errors.ts';

/** A YAML or JSON file, with the positions of its values. */
export interface ConfigDocument {
  readonly value: unknown;
  /**
   * Returns the position of a key or its value, from 1. A path deeper than the file gives its
   * nearest parent.
   */
  readonly locate: (path: readonly PropertyKey[], part: 'key' | 'value') => { line: number; column: number };
  /** False for a file written on one line, as programs do. */
  readonly hasLines: boolean;
}

/**
 * Reads YAML or JSON, which is YAML. Aliases are refused, since they could blow a small file up
 * into a huge one. Throws `ConfigError` with file, line and column of a syntax error. `file` is the
 * name an operator knows it by.
 */
export function readDocument(text: string, file: string): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what = error.message.split(/ at line \d+|\n/, 1)[0];
    throw new ConfigError(`${file}:${line}:${col}: ${what}.`, { file }, { cause: error });
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new ConfigError(
      `${file}: aliases (*name) are not supported; write the value out.`,
      { file },
      { cause },
    );
  }
  return {
    value,
    hasLines: text.trim().includes('\n'),
    locate(path, part) {
      const offset = offsetOf(document.contents, path, part);
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

function offsetOf(root: Node | null, path: readonly PropertyKey[], part: 'key' | 'value'): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, step] of path.entries()) {
    if (isSeq(node)) node = node.items[Number(step)];
    else if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
      const key = pair?.key as Node | undefined;
      offset = key?.range?.[0] ?? offset;
      if (part === 'key' && depth === path.length - 1) return offset;
      node = pair?.value;
    } else return offset;
    offset = (node as Node | null | undefined)?.range?.[0] ?? offset;
  }
  return offset;
}
