import type { ToolCallPart } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage.ts';
import type { ModelReply } from './model.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Asks by `ask`, which is given the listener of the text. Where the provider answers that the model wrote a call it cannot read
 * (Groq's `tool_use_failed`), that call becomes the reply: read by us where it can be, so that the tool itself says what is wrong with it, else
 * as a reply that ended with a call nobody could read, in the provider's words.
 */
export async function withUnreadCalls(
  onText: (text: string) => void,
  ask: (push: (text: string) => void) => Promise<ModelReply>,
): Promise<ModelReply> {
  let said = '';
  try {
    return await ask((text) => {
      said += text;
      onText(text);
    });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.problem !== 'unread_call') throw error;
    const written = error.failedCall?.trim() ?? '';
    const calls = await readCalls(written);
    // What was written in place of a call is shown to the model as its own words: it has to see them to mend them.
    const text =
      calls.length > 0 || said.includes(written) ? said : `${said}${said === '' ? '' : '\n'}${written}`;
    return {
      message: {
        role: 'assistant',
        parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
      },
      usage: noUsage,
      ...(calls.length > 0 ? { stop: 'tool_calls' } : { stop: 'unread_call', problem: error.message }),
    };
  }
}

/** The calls in what a model wrote; none where there is no one reading of it. Loaded then only: few runs come here. */
async function readCalls(text: string): Promise<ToolCallPart[]> {
  const { readBareCalls } = await import('./read-call-text.ts');
  const { findCallTag, readTaggedCalls } = await import('./read-tagged-calls.ts');
  const { uniqueIds } = await import('./call-ids.ts');
  const { namelessTool } = await import('./text-directive.ts');
  const read = findCallTag(text) === 0 ? readTaggedCalls(text).calls : (readBareCalls(text) ?? []);
  const id = uniqueIds(new Set());
  return read.some(({ name }) => name === namelessTool)
    ? []
    : read.map(({ name, input }) => ({ type: 'tool_call', id: id(''), name, input }));
}
