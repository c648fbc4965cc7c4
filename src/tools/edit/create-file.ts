import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import { flag } from '../input/lenient.ts';
import { splitLines, withLineEndings } from '../text/text-file.ts';
import { defineTool } from '../tool.ts';
import { makeProposedChange, ProposedChange } from '../write/proposed-change.ts';
import { readForChange } from '../write/read-for-change.ts';
import { refuseOmission } from './omitted-text.ts';

const input = z.object({
  path: z.string().min(1),
  content: z.string(),
  overwrite: flag().default(false),
});

/** Writes a whole text file. */
export const createFile = defineTool({
  name: 'create_file',
  aliases: {
    write_file: { overwrite: true },
    Write: { overwrite: true },
    write_to_file: { overwrite: true },
  },
  argumentAliases: { file_path: 'path', contents: 'content' },
  description: 'Create a text file; overwrite replaces an existing one.',
  input,
  level: 'confirm_write',
  targets: (args) => ({ what: args.path, paths: [{ path: args.path, access: 'write' }] }),
  async prepare(args, context) {
    const { workspace } = context;
    const path = workspace.files.relative(args.path);
    const before = await readForChange(workspace, path);
    if (before === null) {
      if (args.path.endsWith('/')) {
        throw invalidInput(`${args.path} names a folder; give the path of a file in it.`);
      }
      const after = { content: Buffer.from(args.content), mode: 0o644 };
      const { message, data } = describeWrite('Created', path, args.content, '');
      return new ProposedChange([{ path, before, after }], message, data).prepared();
    }
    if (!args.overwrite) {
      throw new ToolError(
        'file_exists',
        `${path} exists already. Change it with edit_file, or set overwrite to replace all of it.`,
      );
    }
    workspace.memory.check(path, before.content);
    refuseOmission(path, before.content.toString('utf8'), args.content);
    const { content, preserved } = overwritten(before.content, args.content);
    const { message, data } = describeWrite('Overwrote', path, args.content, preserved);
    return new ProposedChange(
      [{ path, before, after: { content, mode: before.mode } }],
      before.content.equals(content) ? `${path} has this content already; nothing changed.` : message,
      data,
    ).prepared();
  },
  execute: (_args, context, prepared) => makeProposedChange(prepared, context, 'create_file'),
});

function describeWrite(verb: string, path: string, content: string, preserved: string) {
  const lines = splitLines(content).length;
  return {
    message: `${verb} ${path} (${lines} line${lines === 1 ? '' : 's'}${preserved}).`,
    data: { path, lines },
  };
}

/** The bytes of an overwritten file, and a note such as `, CRLF line endings kept`. */
interface Overwritten {
  readonly content: Buffer;
  readonly preserved: string;
}

/**
 * Returns the new content of an existing file. Models see a file without its byte order mark and
 * carriage returns. So the mark is preserved, and CRLF endings if all lines have them and the text
 * has none of its own.
 */
export function overwritten(before: Buffer, text: string): Overwritten {
  if (isBinary(before) || !isUtf8(before)) return { content: Buffer.from(text), preserved: '' };
  const old = before.toString('utf8');
  const mark = old.startsWith('\ufeff') && !text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = old.split('\n').slice(0, -1);
  const crlf = lines.length > 0 && lines.every((line) => line.endsWith('\r'));
  const converts = crlf && text.includes('\n') && !text.includes('\r');
  return {
    content: Buffer.from(mark + (converts ? withLineEndings(text, '\r\n') : text)),
    preserved: (mark === '' ? '' : ', byte order mark kept') + (converts ? ', CRLF line endings kept' : ''),
  };
}
