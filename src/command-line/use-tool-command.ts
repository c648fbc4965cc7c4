import type { ToolSet } from '../agent/profiles/tool-set.ts';
import { type Json, type JsonObject, parseJson } from '../contract/json.ts';
import { SandboxMode } from '../contract/levels.ts';
import type { ImagePart, TextPart } from '../contract/message.ts';
import { askByHand } from './ask-at-terminal.ts';
import { describeCheckout, findCheckout } from './find-checkout.ts';
import { inputLines } from './input-lines.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { openLocalTools } from './local-tools.ts';
import { oneOf, type ParsedArguments, parseArguments, usageError } from './parse-arguments.ts';
import { type UsedTool, useOneTool } from './use-one-tool.ts';

const options = {
  arg: { type: 'string', multiple: true },
  'arg-json': { type: 'string', multiple: true },
  json: { type: 'string' },
  cwd: { type: 'string' },
  output: { type: 'string' },
  sandbox: { type: 'string' },
  config: { type: 'string' },
  'allow-non-read': { type: 'boolean' },
} as const;

/** Levels that `anode tools use` runs without confirmation. */
const readLevels: readonly string[] = ['auto_read', 'external_read'];

/**
 * Runs `anode tools use NAME`: one call as in a run. Exit code 0 with the result, or 1 with the
 * tool's error; `--output json` prints either as one object. Notes go to standard error.
 */
export async function useToolCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('tools', args, options);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw usageError('tools', 'use takes the name of one tool.');
  const format = oneOf(['tools', 'output'], values.output, ['text', 'json'], 'text');
  const config = await localConfig(
    typeof values.config === 'string' ? values.config : undefined,
    context.environment,
  );
  const sandbox = oneOf(
    ['tools', 'sandbox'],
    values.sandbox,
    SandboxMode.options,
    config.sandbox ?? 'preferred',
  );
  const input = inputOf(values);
  const { root, start, hasRepository } = await findCheckout('tools', values.cwd);
  if (start !== '') context.writeError(`${describeCheckout({ root, start, hasRepository })}\n`);
  const { environment, signal } = context;
  const opened = await openLocalTools({ ...context, root, profile: null, config, sandbox });
  const lines = inputLines(signal);
  try {
    for (const problem of opened.problems) context.writeError(`${problem}\n`);
    const tools = opened.set;
    refuseUnknown(name, tools);
    const levels = values['allow-non-read'] === true ? null : readLevels;
    const used = await useOneTool({
      ...{ name, input, tools, root, start, config, levels, environment, signal },
      cwd: typeof values.cwd === 'string' ? values.cwd : null,
      sandbox,
      ask: (question) => askByHand(question, { ...context, ...lines }),
    });
    print(used, format, context);
    return used.ok ? 0 : 1;
  } finally {
    lines.close();
    await opened.close();
  }
}

/** Throws a usage error for an unknown tool. */
function refuseUnknown(name: string, tools: ToolSet): void {
  if (tools.find(name) !== undefined) return;
  const near = tools.near(name);
  const absent = tools.absent(name);
  if (absent !== null) throw usageError('tools', `there is no tool "${name}" here. ${absent}`);
  const advice =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'anode tools list prints all of them.';
  throw usageError('tools', `there is no tool "${name}". ${advice}`);
}

/** Merges the arguments: `--json`, then each `--arg-json`, then each `--arg`. */
function inputOf(values: ParsedArguments['values']): JsonObject {
  const whole = values.json === undefined ? {} : objectOf(values.json as string);
  const pairs = (option: 'arg' | 'arg-json') =>
    (values[option] as unknown as readonly string[] | undefined) ?? [];
  const parsed = pairs('arg-json').map((pair) => {
    const [key, text] = split('arg-json', pair);
    const value = parseJson(text);
    if (value === undefined) throw usageError('tools', `--arg-json ${key}: ${text} is not JSON.`);
    return [key, value as Json] as const;
  });
  return { ...whole, ...Object.fromEntries([...parsed, ...pairs('arg').map((pair) => split('arg', pair))]) };
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw usageError('tools', '--json takes one JSON object of arguments.');
}

function split(option: string, pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageError('tools', `--${option} takes name=value, not "${pair}".`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

function print(used: UsedTool, format: 'text' | 'json', context: CommandContext): void {
  const { notes, ...shown } = used;
  if (format === 'json') context.write(`${JSON.stringify(shown, null, 2)}\n`);
  else if (!used.ok) context.writeError(`${used.error.message}\n`);
  else context.write(`${textOf(used.content)}\n`);
  for (const note of notes) context.writeError(`${note}\n`);
}

function textOf(content: string | readonly (TextPart | ImagePart)[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) =>
      part.type === 'text'
        ? part.text
        : `[${part.media_type}, ${Buffer.byteLength(part.data, 'base64')} bytes; --output json has it]`,
    )
    .join('\n');
}
