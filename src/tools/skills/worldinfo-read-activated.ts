import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { integer, list, unlessNull } from '../input/lenient.ts';
import { textRange } from '../text/text-range.ts';
import { defineTool } from '../tool.ts';

/** Maximum characters of one entry, and of one call. */
const most = { entry: 8_000, call: 20_000 };

const input = z.object({
  entries: unlessNull(
    list(
      z
        .array(
          z.object({
            ref: z.string().min(1),
            start_char: unlessNull(integer(z.int().nonnegative())).describe('from 0'),
            max_chars: unlessNull(integer(z.int().positive().max(most.entry))).describe('at most 8,000'),
          }),
        )
        .max(20),
    ),
  ).describe('left out: the index'),
});

/** Reads the repository's instructions that were activated in this run. */
export const worldinfoReadActivated = defineTool({
  name: 'worldinfo.read_activated',
  description: "Read the repository's instructions that apply to this run; without entries, list them.",
  exposure: 'deferred',
  input,
  level: 'auto_read',
  targets: ({ entries = [] }) => ({ what: entries.map(({ ref }) => ref).join(', ') || 'the index' }),
  async execute({ entries = [] }, context) {
    const { activated } = context.instructions;
    const index = activated.map(({ ref, applies, text }) => ({ ref, applies, total_chars: text.length }));
    if (entries.length === 0) {
      const lines = index.map(
        ({ ref, applies, total_chars }) => `${ref}: for ${applies}, ${total_chars} characters`,
      );
      return {
        content: lines.join('\n') || 'No instructions of the repository apply so far.',
        data: { entries: index },
      };
    }
    const read = entries.map(({ ref, start_char, max_chars }) => {
      const found = activated.find((one) => one.ref === ref);
      if (found === undefined) {
        const refs = index.map((one) => one.ref).join(', ') || 'none';
        throw new ToolError('not_found', `No instructions "${ref}" hold in this run. There are: ${refs}.`);
      }
      if (start_char === undefined && max_chars === undefined && found.text.length > most.entry) {
        throw invalidInput(
          `${ref} has ${found.text.length} characters, and at most ${most.entry} are read at once: give start_char and max_chars.`,
        );
      }
      const range = textRange(ref, found.text, { start_char, max_chars: max_chars ?? most.entry });
      return { ref, applies: found.applies, ...range };
    });
    const total = read.reduce((sum, { text }) => sum + text.length, 0);
    if (total > most.call) {
      throw invalidInput(
        `These are ${total} characters, and a call gives at most ${most.call}: ask for fewer entries, or less of each.`,
      );
    }
    return {
      content: read
        .map(({ ref, applies, text, note }) => `===== ${ref} (for ${applies}) =====\n${text}${note}`)
        .join('\n\n'),
      data: { entries: read.map(({ ref, data }) => ({ ref, ...data })) },
    };
  },
});
