import * as z from 'zod';
import { Finding } from '../contract/findings.ts';
import { integer } from './input/integer.ts';
import { list } from './input/list.ts';
import { toJson } from './text/to-json.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  findings: list(
    z.array(
      Finding.extend({
        line: integer(Finding.shape.line),
        start_line: integer(z.int().positive()).optional(),
        side: Finding.shape.side,
        suggestion: Finding.shape.suggestion.describe('new text for these lines'),
        check: Finding.shape.check.meta({ hidden: true }),
      }),
    ),
  ),
  summary: z.string().optional().meta({ hidden: true }),
});

/** States what a review found; the report turns it into inline comments. */
export const reportFindings = defineTool({
  name: 'report_findings',
  description: 'State what your review found, once, [] if nothing. side LEFT: deleted lines.',
  input,
  level: 'state_write',
  ownState: true,
  readOnly: false,
  targets: (args) => ({ what: `${args.findings.length} findings` }),
  async execute(args, context) {
    context.record({ type: 'findings', findings: args.findings });
    const count = args.findings.length;
    return {
      content: `${count} finding${count === 1 ? '' : 's'} recorded.`,
      data: toJson(args),
    };
  },
});
