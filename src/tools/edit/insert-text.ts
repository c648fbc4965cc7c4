import * as z from 'zod';
import { integer } from '../input/integer.ts';
import { decodeTextFile, encodeTextFile } from '../text/text-file.ts';
import { defineTool } from '../tool.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { readKnownFile } from '../write/read-for-change.ts';
import { insertLines } from './insert-lines.ts';
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
  input,
  level: 'confirm_write',
  readOnly: false,
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
