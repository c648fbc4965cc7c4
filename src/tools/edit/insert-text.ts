import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { integer } from '../input/lenient.ts';
import { decodeTextFile, encodeTextFile, splitLines, withLineEndings } from '../text/text-file.ts';
import { defineTool } from '../tool.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { readKnownFile } from '../write/read-for-change.ts';
import { endingAt } from './line-endings.ts';
import { refuseOmission } from './omitted-text.ts';

const input = z.object({
  path: z.string().min(1),
  line: integer(z.int().min(-1)).describe(
    'the text goes after this line; 0: before the first, -1: at the end',
  ),
  text: z.string().describe('whole lines'),
});

/** Inserts lines into an existing text file after a given line number. */
export const insertText = defineTool({
  name: 'insert_text',
  aliases: { insert: {} },
  argumentAliases: {
    file_path: 'path',
    insert_line: 'line',
    insert_text: 'text',
    content: 'text',
    new_str: 'text',
  },
  description: 'Insert lines into a text file after the line with a number.',
  exposure: 'deferred',
  findBy: ['line inserts', 'insert line|text'],
  input,
  level: 'confirm_write',
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'write' }] }),
  async prepare(args, context) {
    const { workspace } = context;
    const path = workspace.files.relative(args.path);
    const before = await readKnownFile(workspace, path, 'place');
    const file = decodeTextFile(path, before.content);
    const { text, firstLine, count } = insertLines(path, file.text, args.line, args.text);
    refuseOmission(path, file.text, args.text);
    const after = { content: encodeTextFile(path, { ...file, text }), mode: before.mode };
    const where = `line${count === 1 ? '' : 's'} ${firstLine}${count === 1 ? '' : `-${firstLine + count - 1}`}`;
    const places = changedPlaces(file.text, text);
    const message = `Inserted ${where} into ${path}${places === '' ? '.' : `:\n${places}`}`;
    const data = { path, line: firstLine, lines: count };
    return new ProposedChange([{ path, before, after }], message, data).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'insert_text'),
});

/** A text with inserted lines: the number of the first new line (from 1), and their count. */
interface InsertedLines {
  readonly text: string;
  readonly firstLine: number;
  readonly count: number;
}

/**
 * Inserts whole lines after line `after`: 0 is before the first, -1 at the end. They get the line
 * endings around them. The file keeps its final newline or its absence; an empty file gets one.
 * Throws `ToolError('invalid_input')` for a line past the end.
 */
export function insertLines(path: string, file: string, after: number, inserted: string): InsertedLines {
  const total = splitLines(file).length;
  const place = after === -1 ? total : after;
  if (place > total) {
    throw invalidInput(
      `${path} has ${total} line${total === 1 ? '' : 's'}; line ${after} is past its end. Give 0 to ${total}, or -1 for the end.`,
    );
  }
  const lines = withLineEndings(inserted, '\n').replace(/\n$/, '').split('\n');
  const at = offsetOfLine(file, place);
  const ending = `${endingAt(file, place === 0 ? 0 : at - 1, at)}\n`;
  const block = lines.join(ending);
  const openEnd = at === file.length && file !== '' && !file.endsWith('\n');
  const text = openEnd ? file + ending + block : file.slice(0, at) + block + ending + file.slice(at);
  return { text, firstLine: place + 1, count: lines.length };
}

/** Returns the offset after line `line` (from 1); the text's length after the last. */
function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed += 1) {
    const newline = text.indexOf('\n', at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}
