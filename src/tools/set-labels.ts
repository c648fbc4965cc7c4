import * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import { Triage } from '../contract/triage.ts';
import { integer } from './input/integer.ts';
import { list, stringList } from './input/list.ts';
import { toJson } from './text/to-json.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  labels: stringList(Triage.shape.labels).default([]),
  duplicate_of: list(z.array(integer(z.int().positive())).max(5)).default([]),
});

/** Proposes labels for the thread, of those the repository has, and the threads that it repeats. */
export const setLabels = defineTool({
  name: 'set_labels',
  description:
    'State the labels this thread should get and the numbers of those it is a duplicate of; again to replace it.',
  input,
  level: 'state_write',
  ownState: true,
  readOnly: false,
  targets: (args) => ({ what: [...args.labels, ...args.duplicate_of.map((one) => `#${one}`)].join(', ') }),
  async execute(args, context) {
    const { choices } = context;
    if (choices === null)
      throw new ToolError('unavailable', 'This run has no thread that could get labels. Answer in words.');
    const byFolded = new Map(choices.labels.map((label) => [label.toLowerCase(), label]));
    const unknown = args.labels.filter((label) => !byFolded.has(label.toLowerCase()));
    if (unknown.length > 0) {
      throw new ToolError(
        'invalid_input',
        `Not labels of this repository: ${unknown.join(', ')}. There are: ${choices.labels.join(', ')}.`,
      );
    }
    const strange = args.duplicate_of.filter((number) => !choices.candidates.includes(number));
    if (strange.length > 0) {
      throw new ToolError(
        'invalid_input',
        `Not among the threads that were found alike: ${strange.join(', ')}. Name only those.`,
      );
    }
    const labels = [...new Set(args.labels.map((label) => byFolded.get(label.toLowerCase()) ?? label))];
    const triage: Triage = { labels, duplicates: [...new Set(args.duplicate_of)] };
    context.record({ type: 'triage', triage });
    return { content: 'Recorded. It is done when the run ends.', data: toJson(triage) };
  },
});
