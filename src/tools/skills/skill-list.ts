import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { visibleSkills } from './find-skill.ts';
import { skillFiles } from './skill-text.ts';

/** Lists the visible skills with their files. */
export const skillList = defineTool({
  name: 'skill.list',
  description: 'List the skills you may see, with their files; skill_search and skill_read look into one.',
  exposure: 'deferred',
  input: z.object({}),
  level: 'auto_read',
  targets: () => ({ what: 'the skills' }),
  async execute(_args, context) {
    const { skills } = await visibleSkills(context);
    const listed = await Promise.all(
      skills
        .filter((skill) => skill.listed)
        .map(async (skill) => {
          const { name, source, description } = skill;
          return { name, source, description, files: await skillFiles(skill) };
        }),
    );
    const lines = listed.map(({ name, source, description, files }) => {
      const shown = files.slice(0, 10).join(', ');
      const more = files.length > 10 ? `, and ${files.length - 10} more` : '';
      return `${name} (${source}): ${description}\n  ${shown}${more}`;
    });
    return { content: lines.join('\n') || 'No skill is visible in this run.', data: { skills: listed } };
  },
});
