import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

const input = z.object({
  path: z.string().min(1).describe('output/main.md, scratch/notes.md, …'),
  content: z.string().describe('the whole file, or exactly what is added'),
  mode: unlessNull(z.enum(['replace', 'append'])).describe('default replace'),
});

/** Writes one of the run's own files. */
export const workspaceWriteFile = defineTool({
  name: 'workspace.write_file',
  argumentAliases: { file_path: 'path', contents: 'content' },
  description:
    'Write a text file of your own outside the repository: drafts in scratch/, results in output/, notes for later runs in persist/.',
  exposure: 'deferred',
  findBy: ['run files'],
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: args.path }),
  async execute(args, context) {
    const { storage, callId } = context;
    const path = storage.locate(args.path);
    if (args.content.includes('\0')) {
      throw invalidInput('The content holds a NUL character; these files are text.');
    }
    const append = args.mode === 'append';
    let existed = false;
    let bytes = 0;
    const { memory } = await storage.open();
    await storage.change(path, { tool: 'workspace.write_file', callId }, (before) => {
      existed = before !== null;
      if (existed && !append) memory.check(path, before);
      const text = append ? `${before?.toString('utf8') ?? ''}${args.content}` : args.content;
      bytes = Buffer.byteLength(text);
      return text;
    });
    const changed = append ? 'Added to' : 'Replaced';
    const done = existed ? changed : 'Created';
    return {
      content: `${done} ${path} (${bytes} byte${bytes === 1 ? '' : 's'}).`,
      data: { path, bytes, created: !existed },
    };
  },
});
