import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import { unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

/** Maximum characters of GitHub's comments, less the report's frame. */
const mostCharacters = 60_000;

const input = z.object({
  path: z.string().min(1).default('output/main.md'),
  mode: unlessNull(z.enum(['replace', 'append'])).describe('default replace'),
  reason: unlessNull(z.string()),
});

/** Makes one of the run's own files the posted message. */
export const workspaceCommit = defineTool({
  name: 'workspace.commit',
  argumentAliases: { file_path: 'path' },
  description:
    'Publish one of your own files as this run’s message, in place of your last text: the whole message, or added to what was published before.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: args.path }),
  async execute(args, { storage, state, record }) {
    const { message } = state;
    if (message === undefined) {
      throw new ToolError(
        'unavailable',
        'A child run posts no message: its parent does. Give your result back as your answer.',
      );
    }
    const path = storage.locate(args.path);
    const { files } = await storage.open();
    const { bytes } = await files.read(path);
    if (isBinary(bytes)) {
      throw invalidInput(`${path} is no text, and only text can be a message.`);
    }
    const text = bytes.toString('utf8');
    if (text.trim() === '') {
      throw invalidInput(`${path} is empty. Write the message into it first.`);
    }
    const mode = args.mode ?? 'replace';
    const whole = mode === 'append' && message.text !== null ? message.text + text : text;
    if (whole.length > mostCharacters) {
      throw new ToolError(
        'too_large',
        `The message would have ${whole.length} characters, and at most ${mostCharacters} are posted. Shorten ${path}.`,
      );
    }
    message.text = whole;
    record({ type: 'answer.committed', path, mode, text, reason: args.reason });
    const count = `${whole.length} character${whole.length === 1 ? '' : 's'}`;
    return {
      content: `${path} is ${mode === 'append' && whole !== text ? 'added to' : 'now'} the message of this run (${count}). It is posted when the run ends.`,
      data: { path, mode, characters: whole.length },
    };
  },
});
