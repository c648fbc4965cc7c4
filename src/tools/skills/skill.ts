import * as z from 'zod';
import { unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';
import { findSkill } from './find-skill.ts';
import { skillBody } from './parse-skill.ts';
import { skillFiles, skillText, spendSkillCharacters } from './skill-text.ts';

const input = z.object({
  name: z.string().min(1),
  input: unlessNull(z.string()).describe('what to use it on'),
});

/** Loads a skill's instructions into the conversation. Starts nothing and allows nothing. */
export const skill = defineTool({
  name: 'skill',
  aliases: { Skill: {}, use_skill: {}, load_skill: {}, activate_skill: {} },
  argumentAliases: { skill: 'name', skill_name: 'name', command: 'name', args: 'input', arguments: 'input' },
  description: 'Load the instructions of a skill, to follow them now. list_skills names them.',
  exposure: 'deferred',
  findBy: ['skills'],
  input,
  level: 'delegated',
  readOnly: true,
  targets: (args) => ({ what: args.name }),
  async execute(args, context) {
    const found = await findSkill(context, args.name);
    const body = skillBody((await skillText(found)).text);
    const given = args.input?.trim() ?? '';
    const named = body.includes('$ARGUMENTS');
    const filled = named ? body.replaceAll('$ARGUMENTS', () => given) : body;
    const others = (await skillFiles(found)).slice(1);
    const { name, source, folder, allowedTools } = found;
    const programsNote = (await context.skills.startPrograms?.(found)) ?? null;
    const parts = [
      `Follow these instructions of the skill ${name} (${found.location}) now. They allow nothing that this run may not do.`,
      filled,
      ...(given !== '' && !named ? [`It is to be used on: ${given}`] : []),
      ...(allowedTools.length > 0 ? [`It was written for these tools: ${allowedTools.join(', ')}.`] : []),
      ...(programsNote === null ? [] : [programsNote]),
      ...(others.length > 0
        ? [
            `Its other files, read with skill_read: ${others.slice(0, 50).join(', ')}${others.length > 50 ? ` and ${others.length - 50} more` : ''}.${source === 'workspace' ? ` In the checkout they are in ${folder}/.` : ''}`,
          ]
        : []),
    ];
    const content = parts.join('\n\n');
    spendSkillCharacters(context.state, content.length);
    return { content, data: { name, source, files: others } };
  },
});
