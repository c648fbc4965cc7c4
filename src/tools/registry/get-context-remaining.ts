import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { defineTool, toJson } from '../tool.ts';

/** Reports the use of the context, and the rest of the run's limits. */
export const getContextRemaining = defineTool({
  name: 'get_context_remaining',
  aliases: { context_remaining: {} },
  description: 'See how full your context is, and what turns, calls, tokens, money and time are left.',
  exposure: 'deferred',
  input: z.object({}),
  level: 'auto_read',
  targets: () => ({ what: 'the context' }),
  async execute(_args, { conversation }) {
    if (!conversation) throw new ToolError('unavailable', 'This call is part of no conversation.');
    const { window, used, full, recent } = conversation.size();
    const limits = conversation.left();
    const share = Math.round((100 * used) / window);
    const remaining = Math.max(0, window - used);
    const next =
      full === null
        ? 'When it is full, the results of the oldest calls make room.'
        : `Above ${full} tokens the turns before the newest ${recent} tokens are summarised.`;
    return {
      content: [
        `${used} of ${window} tokens used (${share} %), ${remaining} left. ${next}`,
        `Left of this run: ${limits.join(', ')}.`,
      ].join('\n'),
      data: toJson({ window, used, remaining, full, recent, limits }),
    };
  },
});
