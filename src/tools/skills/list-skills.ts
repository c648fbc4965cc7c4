import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { visibleSkills } from './find-skill.ts';

/** Lists the skills by name. */
export const listSkills = defineTool({
  name: 'list_skills',
  aliases: { ListSkills: {} },
  description: 'List the skills there are: instructions for kinds of work, which skill loads.',
  exposure: 'deferred',
  input: z.object({}),
  level: 'auto_read',
  targets: () => ({ what: 'the skills' }),
  async execute(_args, context) {
    const { skills, problems } = await visibleSkills(context);
    const listed = skills.filter((skill) => skill.listed);
    const lines = listed.map(
      ({ name, source, description }) =>
        `${name}${source === 'built-in' ? '' : ` (${source})`}: ${description}`,
    );
    const unused = problems.map((problem) => `[${problem}]`);
    const none = lines.length === 0 ? ['There are no skills in this run.'] : [];
    return {
      content: [...none, ...lines, ...unused].join('\n'),
      data: { skills: listed.map(({ name, source, description }) => ({ name, source, description })) },
    };
  },
});
