import * as z from 'zod';
import { PullDescription } from '../../contract/run-results.ts';
import { defineTool, toJson } from '../tool.ts';

const input = z.object({
  title: PullDescription.shape.title.describe('one line, only if the current one misleads'),
  body: PullDescription.shape.body.describe('Markdown'),
});

/** Proposes the description of the pull request; the report decides on it. */
export const describePullRequest = defineTool({
  name: 'describe_pull_request',
  description: 'State the description of this pull request; again to replace it.',
  findBy: [
    'title|headline',
    'change|describe|description|edit|update|write pull|pr|request body|description',
  ],
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: `${args.body.length} characters` }),
  async execute({ title, body }, context) {
    const description: PullDescription = { title, body };
    context.record({ type: 'description', description });
    return {
      content: `Recorded. It is written into the pull request when the run ends${title === undefined ? '' : '; the title only if the configuration of the repository permits it, so say in your last message what is wrong with the current one'}.`,
      data: toJson(description),
    };
  },
});
