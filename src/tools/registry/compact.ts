import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { defineTool } from '../tool.ts';

const input = z.object({
  instructions: z.string().max(2_000).optional().describe('what to keep above all'),
});

/** Minimum tokens of older turns. Below it the loop makes no summary. */
const leastTokens = 1_000;

/** Summarises the older turns of the conversation before the next request. */
export const compact = defineTool({
  name: 'compact',
  aliases: { compact_context: {} },
  argumentAliases: { focus: 'instructions' },
  description: 'Have older turns summarised now, before a new part of the work.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  targets: () => ({ what: 'the conversation' }),
  async execute({ instructions }, { conversation }) {
    if (!conversation) throw new ToolError('unavailable', 'This call is part of no conversation.');
    const { used, recent, older } = conversation.size();
    if (older < leastTokens) {
      throw new ToolError(
        'nothing_to_do',
        `The conversation has ${used} tokens, but only ${older} of them are older turns: the newest ${recent}, and each turn that reaches into them, stay as they are. There is nothing to gain yet. Go on.`,
      );
    }
    conversation.compact(instructions ?? null);
    return {
      content: `The turns before the newest ${recent} tokens are summarised before your next step.`,
      data: { used_tokens: used },
    };
  },
});
