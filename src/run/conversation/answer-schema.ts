import type { AnswerForm } from '../../agent/loop/answer-form.ts';
import { ConfigError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import { schemaChecker } from '../../extensions/protocol/input-schema.ts';

/** Characters of a schema: each request to the model pays for it. */
const mostCharacters = 32_000;

/** Problems of one answer, reported to the model. */
const mostProblems = 20;

/**
 * Returns the form of an answer that is JSON and valid by a JSON Schema (any draft since 4).
 * `source` names the schema in errors. Throws `ConfigError` for text that is no schema, and for
 * keywords that cannot be checked here.
 */
export function answerSchema(text: string, source: string): AnswerForm {
  const schema = readSchema(text, source);
  const checker = checkerOf(schema, source);
  return {
    instructions:
      'Your final answer must be one JSON value and nothing else: no words around it, no code fence. ' +
      `It must be valid by this JSON Schema:\n${JSON.stringify(schema)}`,
    check(answer) {
      const value = parsed(answer);
      if (value === undefined) return { problem: 'It is not JSON.' };
      const { success, error } = checker.safeParse(value);
      // The value as it was written: a checker may add defaults or drop keys.
      if (success) return { value };
      const problems = error.issues
        .slice(0, mostProblems)
        .map((issue) => `${issue.path.length === 0 ? 'the value' : issue.path.join('.')}: ${issue.message}`);
      return { problem: `Its problems by the schema: ${problems.join('; ')}.` };
    },
  };
}

function readSchema(text: string, source: string): JsonObject {
  const fault = (why: string, cause?: unknown) =>
    new ConfigError(`${source} is no JSON Schema: ${why}.`, { key: source }, { cause });
  if (text.length > mostCharacters)
    throw fault(`it has ${text.length} characters, and ${mostCharacters} are the most`);
  let value: Json;
  try {
    value = parseJson(text) as Json;
  } catch (error) {
    throw fault(error instanceof Error ? error.message : String(error), error);
  }
  if (isJsonObject(value)) return value;
  throw fault('it is not an object');
}

function checkerOf(schema: JsonObject, source: string): ReturnType<typeof schemaChecker> {
  const fault = (why: string, cause?: unknown) =>
    new ConfigError(`${source} cannot be checked: ${why}.`, { key: source }, { cause });
  const pattern = findPattern(schema);
  // A pattern would meet text of the model, and may take time without end.
  if (pattern !== null) throw fault(`${pattern} is not supported`);
  try {
    return schemaChecker(schema);
  } catch (error) {
    throw fault(error instanceof Error ? error.message.replace(/\.$/, '') : String(error), error);
  }
}

/** Returns the first keyword of a regular expression in a schema; null without one. */
function findPattern(schema: Json): string | null {
  if (Array.isArray(schema)) return firstOf(schema.map(findPattern));
  if (!isJsonObject(schema)) return null;
  const own = ['pattern', 'patternProperties'].find((key) => Object.hasOwn(schema, key));
  if (own !== undefined) return own;
  const { enum: _, const: __, default: ___, examples: ____, properties, ...below } = schema;
  // A property may be called `pattern`.
  const named = isJsonObject(properties) ? Object.values(properties) : [];
  return firstOf([...named, ...Object.values(below)].map(findPattern));
}

const firstOf = (found: readonly (string | null)[]): string | null =>
  found.find((one) => one !== null) ?? null;

/** Reads an answer as JSON, also from the one code fence that it consists of. */
function parsed(answer: string): Json | undefined {
  const whole = answer.trim();
  const fenced = /^```(?:json)?\n([\s\S]*)\n```$/.exec(whole)?.[1];
  try {
    return parseJson(fenced ?? whole) as Json;
  } catch {
    return undefined;
  }
}
