import type { ToolCallPart } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage.ts';
import type { ModelReply } from './model.ts';
import type { ProviderError } from './provider-error.ts';
import { findCallTag, namelessTool, readBareCalls, readTaggedCalls } from './read-calls.ts';
import { uniqueIds } from './wire-calls.ts';

/**
 * The reply of a model that wrote a call its provider could not read (Groq's `tool_use_failed`).
 * The call is read by us where it can be, so that the tool itself says what is wrong with it; else
 * the reply ended with a call that nobody could read, in the provider's words. `said` is the text
 * that came before.
 */
export function unreadCallReply(error: ProviderError, streamed: string): ModelReply {
  const written = error.failedCall?.trim() ?? '';
  const calls = readCalls(written);
  // The model sees the text that it wrote in place of a call, so that it can mend it.
  const text =
    calls.length > 0 || streamed.includes(written)
      ? streamed
      : `${streamed}${streamed === '' ? '' : '\n'}${written}`;
  const parts = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
  const message = { role: 'assistant' as const, parts };
  return calls.length > 0
    ? { message, usage: noUsage, stop: 'tool_calls' }
    : { message, usage: noUsage, stop: 'unread_call', problem: error.message };
}

/** The calls in what a model wrote; none where there is no one reading of it. */
function readCalls(text: string): ToolCallPart[] {
  const read = findCallTag(text) === 0 ? readTaggedCalls(text).calls : (readBareCalls(text) ?? []);
  const id = uniqueIds(new Set());
  return read.some(({ name }) => name === namelessTool)
    ? []
    : read.map(({ name, input }) => ({ type: 'tool_call', id: id(''), name, input }));
}
