import type { Document, LineCounter, YAMLMap } from 'yaml';

/** A change that a person should know of. */
export interface TranslationRemark {
  /** Line in the workflow that was translated, counted from 1. */
  readonly line: number;
  /** True if something of the workflow has no counterpart. */
  readonly lost: boolean;
  readonly message: string;
}

/** A workflow while it is translated. */
export interface Translation {
  readonly yaml: typeof import('yaml');
  readonly document: Document;
  readonly lines: LineCounter;
  readonly remarks: TranslationRemark[];
  /** Events that start the workflow. */
  readonly events: readonly string[];
}

/** Notes a remark at the line of a node of the original. */
export function remark(
  { yaml, lines, remarks }: Translation,
  node: unknown,
  lost: boolean,
  message: string,
): void {
  const at = yaml.isPair(node) ? node.key : node;
  const offset = yaml.isNode(at) ? (at.range?.[0] ?? 0) : 0;
  remarks.push({ line: lines.linePos(offset).line, lost, message: message.replaceAll(/\s+/g, ' ') });
}

/** Returns the maps that a map or a list holds. */
export function mapsBelow({ yaml }: Translation, node: unknown): YAMLMap[] {
  const values: unknown[] = [];
  if (yaml.isMap(node)) for (const { value } of node.items) values.push(value);
  if (yaml.isSeq(node)) for (const value of node.items) values.push(value);
  return values.filter((value): value is YAMLMap => yaml.isMap(value));
}
