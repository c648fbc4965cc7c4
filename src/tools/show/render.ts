import * as z from 'zod';
import { RenderSpec } from '../../contract/display-item.ts';
import { componentNames, shownTree } from '../../contract/display-tree.ts';
import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import { defineTool } from '../tool.ts';
import { drawShown } from './draw-shown.ts';

const input = z.object({
  root: z.string().describe('id of the first element'),
  elements: RenderSpec.shape.elements.describe('by id: {type, props, children: [id]}'),
});

/** Displays components to people in the report: cards, tables, charts. */
export const render = defineTool({
  name: 'render',
  description: `Show people ${componentNames.join(', ')} in the report.`,
  exposure: 'deferred',
  input,
  level: 'auto_read',
  readOnly: true,
  targets: ({ root }) => ({ what: root }),
  async execute(spec) {
    const shown = shownTree(spec);
    if ('problem' in shown) throw new ToolError('invalid_input', `Nothing is shown: ${shown.problem}.`);
    return { content: drawShown(shown), data: { render_spec: spec as Json } };
  },
});
