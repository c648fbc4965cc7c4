import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../../contract/json.ts';
import type { ImagePart, TextPart } from '../../contract/message.ts';
import { toolDefinition } from '../../tools/registry/json-schema.ts';
import type { Tool, ToolOutput } from '../../tools/tool.ts';
import type { ParsedInput } from './parse-tool-input.ts';

/** Maximum bytes of one result for the model, in UTF-8. The full text is stored in a file. */
const resultBudget = 50 * 1024;

/** A result for the model, its text for the record, and the file with all of it. */
export interface BoundedOutput {
  readonly parts: (TextPart | ImagePart)[];
  readonly text: string;
  readonly spill: string | null;
}

/**
 * Bounds a result to the model's budget and loses none of it. Text beyond 50 KB is written whole to
 * `<folder>/<call id>.txt`, and replaced by its head, its tail and the path. Everything is redacted
 * first.
 */
export async function boundOutput(
  output: ToolOutput,
  options: { folder: string; callId: string; redact: (text: string) => string },
): Promise<BoundedOutput> {
  const parts = typeof output.content === 'string' ? [textPart(output.content)] : [...output.content];
  const text = options.redact(parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n'));
  const images = parts.filter((part) => part.type === 'image');
  if (Buffer.byteLength(text) <= resultBudget) {
    return { parts: [textPart(text), ...images], text, spill: output.spill ?? null };
  }
  const file = output.spill ?? path.join(options.folder, `${options.callId.replaceAll(/[^\w-]/g, '_')}.txt`);
  if (output.spill === undefined) await writeFile(file, text);
  const half = Math.floor(resultBudget / 2) - 200;
  const bytes = Buffer.from(text);
  const [head, tail] = [cutText(bytes.subarray(0, half)), cutText(bytes.subarray(-half))];
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const preview = `${head}\n\n[… ${left} bytes left out; the whole output is in ${file}: use read or grep on it …]\n\n${tail}`;
  return { parts: [textPart(preview), ...images], text: preview, spill: file };
}

const textPart = (text: string): TextPart => ({ type: 'text', text });

/** Decodes a slice of UTF-8, dropping the halves of characters that the slice cut. */
function cutText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll(/^�+|�+$/g, '');
}

/**
 * Returns a reminder of arguments that were not understood, which may have had a purpose. Null if
 * all were understood.
 */
export function argumentReminder(tool: Tool, { ignored, undeclared }: ParsedInput): string | null {
  if (ignored.length > 0) {
    const { properties } = toolDefinition(tool).input_schema;
    const taken = Object.keys(isJsonObject(properties) ? properties : {}).slice(0, 20);
    return `[Ignored: ${ignored.join(', ')}. ${tool.name} takes: ${taken.join(', ') || 'no argument'}.]`;
  }
  return undeclared.length === 0
    ? null
    : `[${tool.name} was given what it does not declare, and may have ignored it: ${undeclared.join(', ')}]`;
}
