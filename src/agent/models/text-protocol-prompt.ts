import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { Advert } from '../../contract/message.ts';

/**
 * What a model without native tool calls is told about how to act, with the tools as signatures: a tenth of
 * their JSON Schemas, which such models read no better.
 */
export function textProtocolPrompt(tools: readonly Advert[]): string {
  return `# How you act

Every reply is one of these, with its word at the very start of a line:

ANSWER: your final answer to the user. It ends the task.
BASH: a shell command to run in the repository. It may have several lines.
TOOL: {"name": "TOOL_NAME", "args": {…}} on one line, as valid JSON.
PATCH: a unified diff on the lines below, as a proposal; a person decides on it.

After BASH, TOOL or PATCH stop and wait: the result is the next message. Never write results yourself. Text
without one of these words counts as the final answer.

# Tools for TOOL

${tools.map((tool) => `${tool.name}(${signature(tool.input_schema)})\n  ${tool.description.replaceAll('\n', '\n  ')}`).join('\n')}`;
}

/** The properties of an object schema as a parameter list: `path: string, limit?: integer`. */
function signature(schema: JsonObject): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asObject(schema.properties))
    .map(
      ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeName(asObject(property))}`,
    )
    .join(', ');
}

function typeName(schema: JsonObject): string {
  const choices = schema.enum ?? schema.anyOf ?? schema.oneOf;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(choices)) {
    return choices
      .map((choice) => (isJsonObject(choice) ? typeName(choice) : JSON.stringify(choice)))
      .join(' | ');
  }
  if (schema.type === 'array') return `[${typeName(asObject(schema.items))}]`;
  if (schema.type === 'object') return `{${signature(schema)}}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
