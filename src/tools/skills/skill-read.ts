import * as z from 'zod';
import { invalidInput } from '../../contract/errors.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { type TextRange, textRange } from '../text/text-range.ts';
import { defineTool } from '../tool.ts';
import { findSkill } from './find-skill.ts';
import { skillText, spendSkillCharacters } from './skill-text.ts';

const characters = { default: 20_000, most: 80_000 };

const input = z.object({
  name: z.string().min(1),
  path: unlessNull(z.string()).describe('default SKILL.md'),
  max_chars: unlessNull(integer(z.int().positive().max(characters.most))).describe(
    'default 20,000, at most 80,000',
  ),
  start_line: unlessNull(integer(z.int().positive())).describe('from 1'),
  line_count: unlessNull(integer(z.int().positive())),
  start_char: unlessNull(integer(z.int().nonnegative())).describe('from 0, in place of lines'),
});

/** Reads all or part of a skill's file. The text counts against the run's limit for skills. */
export const skillRead = defineTool({
  name: 'skill.read',
  description: 'Read a text file of a skill, whole or by lines or characters, not both.',
  exposure: 'deferred',
  findBy: ['skills'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: `${args.name}/${args.path ?? 'SKILL.md'}` }),
  async execute(args, context) {
    if (args.start_char !== undefined && (args.start_line !== undefined || args.line_count !== undefined)) {
      throw invalidInput(
        'Lines and characters cannot be mixed: give start_line and line_count, or start_char.',
      );
    }
    const skill = await findSkill(context, args.name);
    const { path, text } = await skillText(skill, args.path ?? 'SKILL.md');
    const range: TextRange = textRange(path, text, {
      ...args,
      max_chars: args.max_chars ?? characters.default,
    });
    spendSkillCharacters(context.state, range.text.length);
    return {
      content: range.text === '' ? '(the file is empty)' : range.text + range.note,
      data: { skill: skill.name, path, ...range.data },
    };
  },
});
