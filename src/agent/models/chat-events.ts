import { _iterSSEMessages } from 'openai/core/streaming';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';

/** A chunk of Chat Completions as a server sent it, or `[DONE]`, by which it says that nothing is missing. */
export type ChatEvent = Json;

/**
 * The events of a stream. OpenAI's own reader keeps `[DONE]` to itself and drops a chunk that holds an error, with the counts
 * in it. Throws `ProviderError` for an error in the stream, and `SyntaxError` where a line is no JSON.
 */
export async function* chatEvents(response: Response): AsyncGenerator<ChatEvent> {
  for await (const { event, data } of _iterSSEMessages(response, new AbortController())) {
    if (data === '[DONE]') {
      yield data;
      return;
    }
    const value = JSON.parse(data) as Json;
    const error = errorIn(value, event);
    if (error === undefined) yield value;
    else {
      if (isJsonObject(value) && isJsonObject(value.usage)) yield { usage: value.usage };
      throw (await import('./to-provider-error.ts')).streamError(error);
    }
  }
}

/** The error that an event is or holds; undefined for none. */
function errorIn(value: Json, event: string | null): Json | undefined {
  if (!isJsonObject(value)) return event === 'error' ? value : undefined;
  const error = value.error ?? groqError(value);
  if (error !== undefined && error !== null) return error;
  return event === 'error' ? value : undefined;
}

/** Groq tells of an error in a field of its own. */
function groqError({ x_groq: own }: JsonObject): Json | undefined {
  return isJsonObject(own) ? own.error : undefined;
}
