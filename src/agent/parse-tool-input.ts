import { jsonrepair } from 'jsonrepair';
import type * as z from 'zod';
import { ToolError } from '../contract/errors.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { FoundTool } from './tool-set.ts';

/**
 * Turns what the model wrote into the tool's parsed input: broken JSON is repaired only where exactly one
 * reading is left (a cut-off string is not), argument aliases are renamed, an alias's fixed arguments added.
 * Throws `ToolError('invalid_input')` that names each wrong argument; never falls back to `{}`.
 */
export function parseToolInput(found: FoundTool, raw: Json): JsonObject {
  const { tool, fixed } = found;
  const value = typeof raw === 'string' ? repair(raw, tool.name) : raw;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolError(
      'invalid_input',
      `${tool.name} takes a JSON object of arguments, not ${describe(value)}.`,
    );
  }
  const renamed: JsonObject = { ...fixed };
  for (const [key, argument] of Object.entries(value)) {
    const name = tool.argumentAliases?.[key];
    // An argument under its own name wins over one under an alias.
    if (name === undefined) renamed[key] = argument;
    else if (!(name in value)) renamed[name] = argument;
  }
  const parsed = tool.input.safeParse(renamed);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => explain(issue)).join('; ');
    throw new ToolError(
      'invalid_input',
      `Wrong arguments for ${tool.name}: ${problems}. Call it again, corrected.`,
    );
  }
  return parsed.data as JsonObject;
}

function repair(text: string, toolName: string): Json {
  if (text.trim() === '') return {};
  const refuse = (why: string) =>
    new ToolError(
      'invalid_input',
      `The arguments of ${toolName} are not valid JSON (${why}) and were not run. Send one complete JSON object.`,
    );
  // What was cut off mid-way has more than one completion, and repairing it would run half of a command.
  if (!text.trimEnd().endsWith('}')) throw refuse('they end in the middle');
  try {
    return JSON.parse(jsonrepair(text)) as Json;
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

function explain(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return `${where}${issue.message}`;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
