import * as z from 'zod';
import { Handoff } from '../contract/handoff.ts';
import { toJson } from './text/to-json.ts';
import { defineTool } from './tool.ts';

const list = (description?: string) => {
  const strings = z.array(z.string()).default([]);
  return description === undefined ? strings : strings.describe(description);
};

const input = z.object({
  target: Handoff.shape.target.default('user'),
  reason: z.string().optional(),
  summary: z.string().min(1),
  goal: z.string().optional().describe('the next task in one sentence'),
  completed: list(),
  open_questions: list(),
  recommended_next_steps: list(),
  artifacts: list(),
  relevant_files: list(),
  follow: z.boolean().default(false).meta({ hidden: true }),
});

/** Packs what was done and what is left for whoever goes on; the report makes an issue of it. */
export const handoff = defineTool({
  name: 'handoff',
  description: 'Pass unfinished work on to a person or a later run.',
  input,
  level: 'delegated',
  readOnly: false,
  targets: (args) => ({ what: `to ${args.target}: ${args.summary}` }),
  async execute(args, context) {
    const { reason, goal, ...rest } = args;
    const package_: Handoff = {
      ...rest,
      ...(reason === undefined ? {} : { reason }),
      ...(goal === undefined ? {} : { goal }),
    };
    context.record({ type: 'handoff', handoff: package_ });
    return {
      content: `Handoff to ${args.target} recorded; it is delivered when the run ends. Finish your answer now.`,
      data: toJson({ handoff: package_ }),
    };
  },
});
