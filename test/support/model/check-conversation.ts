import { Ajv2020 } from 'ajv/dist/2020.js';
import { must } from './read-body.ts';
import type { NeutralRequest } from './script.ts';

/** Shared by all servers of a process: it holds nothing but compiled schemas, and compiling takes its time. */
const ajv = new Ajv2020({ strict: false });
const knownSchemas = new Set<string>();

/** Holds a request to the rules which all three endpoints enforce; throws `RejectedRequest`. */
export function checkConversation(request: NeutralRequest): void {
  checkTools(request);
  checkMessages(request);
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function checkTools(request: NeutralRequest): void {
  const names = new Set<string>();
  for (const [index, tool] of request.tools.entries()) {
    must(
      namePattern.test(tool.name),
      `tools.${index}.name: ${JSON.stringify(tool.name)} does not match '^[a-zA-Z0-9_-]{1,64}$'`,
    );
    must(!names.has(tool.name), `tools: names must be unique, ${tool.name} is there twice`);
    names.add(tool.name);
    const text = JSON.stringify(tool.schema);
    if (knownSchemas.has(text)) continue;
    must(
      ajv.validateSchema(tool.schema) === true,
      `tools.${index}: the input schema of ${tool.name} is no JSON Schema: ${ajv.errorsText()}`,
    );
    must(tool.schema.type === 'object', `tools.${index}: the input schema of ${tool.name} is no object`);
    knownSchemas.add(text);
  }
}

function checkMessages({ messages }: NeutralRequest): void {
  must(messages.length > 0, 'messages: at least one message is required');
  must(messages[0]?.role === 'user', 'messages: the first message must be from the user');
  const ids = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    must(message.parts.length > 0, `messages.${index}: content must not be empty`);
    if (message.role === 'assistant') {
      must(open.size === 0, `messages.${index}: calls without results: ${[...open].join(', ')}`);
      for (const part of message.parts) {
        if (part.type !== 'tool_call') continue;
        must(!ids.has(part.id), `messages.${index}: the call id ${part.id} is there twice`);
        must(namePattern.test(part.name), `messages.${index}: the called name ${part.name} is not allowed`);
        ids.add(part.id);
        open.add(part.id);
      }
      continue;
    }
    for (const part of message.parts) {
      if (part.type !== 'tool_result') continue;
      must(open.delete(part.call_id), `messages.${index}: no call is open for the result ${part.call_id}`);
    }
    must(
      open.size === 0,
      `messages.${index}: each call must have its result in the next message; missing: ${[...open].join(', ')}`,
    );
    open = new Set();
  }
  must(open.size === 0, `messages: calls without results: ${[...open].join(', ')}`);
}
