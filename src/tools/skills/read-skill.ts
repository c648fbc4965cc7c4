import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { findSkill } from './find-skill.ts';
import { skillText, spendSkillCharacters } from './skill-text.ts';

/** Displays a skill's file as it is, with its front matter. */
export const readSkill = defineTool({
  name: 'read_skill',
  argumentAliases: { skill: 'name', skill_name: 'name' },
  description: 'Show the unchanged source of a skill and its origin, without following it.',
  exposure: 'deferred',
  findBy: ['skills'],
  input: z.object({ name: z.string().min(1) }),
  level: 'auto_read',
  targets: (args) => ({ what: args.name }),
  async execute(args, context) {
    const found = await findSkill(context, args.name);
    const { text } = await skillText(found);
    const content = `[${found.name}, ${found.source}: ${found.location}]\n${text.trimEnd()}`;
    spendSkillCharacters(context.state, content.length);
    return { content, data: { name: found.name, source: found.source, file: found.location } };
  },
});
