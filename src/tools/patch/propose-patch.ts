import { createHash } from 'node:crypto';
import { defineTool } from '../tool.ts';
import { applyPatch } from './apply-patch.ts';

/**
 * Handles a `PATCH:` of the text protocol: the patch is verified like any other and recorded for a
 * person; nothing is changed. Never advertised, since only that protocol calls it.
 */
export const proposePatch = defineTool({
  name: 'PATCH',
  description: 'Propose a patch for a person to approve; it is not applied.',
  exposure: 'hidden',
  input: applyPatch.input,
  level: 'interactive',
  readOnly: true,
  targets: (args) => applyPatch.targets(args),
  prepare: async (args, context) => {
    const prepared = await applyPatch.prepare?.(args, context);
    if (prepared === undefined) throw new Error('apply_patch verifies every patch before the gate.');
    return prepared;
  },
  async execute(_args, context, prepared) {
    const diff = prepared?.diff ?? '';
    const hash = createHash('sha256').update(diff).digest('hex').slice(0, 16);
    context.record({
      type: 'approval.required',
      approval: {
        tool: 'PATCH',
        what: prepared?.targets.what ?? '',
        reason: 'A PATCH is only applied by a person.',
        hash,
        diff,
        call_id: context.callId,
      },
    });
    return {
      content:
        'The patch fits and is stored for a person to approve. It is not applied: the files are unchanged. Use edit_file where the change should be made now.',
      data: { hash },
    };
  },
});
