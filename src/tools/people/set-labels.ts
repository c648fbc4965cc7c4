import * as z from 'zod';
import { invalidInput, ToolError } from '../../contract/errors.ts';
import { Triage } from '../../contract/run-results.ts';
import { integer, list, stringList } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';

const input = z.object({
  labels: stringList(Triage.shape.labels).default([]),
  duplicate_of: list(z.array(integer(z.int().positive(), /^#?(\d{1,15})$/)).max(5)).default([]),
});

/** Proposes labels of the repository for the thread, and the threads it duplicates. */
export const setLabels = defineTool({
  name: 'set_labels',
  findBy: ['label'],
  description:
    'State the labels this thread should get and the numbers of those it is a duplicate of; again to replace it.',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: [...args.labels, ...args.duplicate_of.map((one) => `#${one}`)].join(', ') }),
  async execute(args, context) {
    const { choices } = context;
    if (choices === null)
      throw new ToolError('unavailable', 'This run has no thread that could get labels. Answer in words.');
    const byFolded = new Map(choices.labels.map((label) => [label.toLowerCase(), label]));
    const unknown = args.labels.filter((label) => !byFolded.has(label.toLowerCase()));
    const strange = args.duplicate_of.filter((number) => !choices.candidates.includes(number));
    const known = args.labels.flatMap((label) => byFolded.get(label.toLowerCase()) ?? []);
    const alike = args.duplicate_of.filter((number) => choices.candidates.includes(number));
    const triage: Triage = { labels: [...new Set(known)], duplicates: [...new Set(alike)] };
    const problems = [
      ...(unknown.length === 0
        ? []
        : [`Not labels of this repository: ${unknown.join(', ')}. There are: ${choices.labels.join(', ')}.`]),
      ...(strange.length === 0
        ? []
        : [
            `Not among the threads that were found alike: ${strange.join(', ')}. There are: ${choices.candidates.join(', ') || 'none'}.`,
          ]),
    ];
    if (problems.length > 0) {
      // The run may end before it tries again, so valid parts are recorded.
      const right = [...triage.labels, ...triage.duplicates.map((number) => `#${number}`)];
      if (right.length > 0) context.record({ type: 'triage', triage });
      const recorded = right.length === 0 ? '' : ` Recorded of it: ${right.join(', ')}.`;
      throw invalidInput(`${problems.join(' ')}${recorded} State all of it again, corrected.`);
    }
    context.record({ type: 'triage', triage });
    return { content: 'Recorded. It is done when the run ends.', data: toJson(triage) };
  },
});
