import type { ToolCallPart } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage-sums.ts';
import type { ModelReply } from './model.ts';
import type { ProviderError } from './provider-error.ts';
import { findCallTag, namelessTool, readBareCalls, readTaggedCalls } from './read-calls.ts';
import { uniqueIds } from './wire-calls.ts';

/**
 * The reply of a model that wrote a call its provider could not read (Groq's `tool_use_failed`). We
 * parse the call if possible, so the tool itself reports the fault. Otherwise the reply ends with
 * an unreadable call and the provider's message. `streamed` is the text that came before.
 */
export function unreadCallReply(error: ProviderError, streamed: string): ModelReply {
  const written = error.failedCall?.trim() ?? '';
  const calls = readCalls(written);
  // The model sees the text that it wrote instead of a call, so it can correct it.
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

/** The calls in a model's text; none if there is more than one reading. */
function readCalls(text: string): ToolCallPart[] {
  const read = findCallTag(text) === 0 ? readTaggedCalls(text).calls : (readBareCalls(text) ?? []);
  const id = uniqueIds(new Set());
  return read.some(({ name }) => name === namelessTool)
    ? []
    : read.map(({ name, input }) => ({ type: 'tool_call', id: id(''), name, input }));
}
