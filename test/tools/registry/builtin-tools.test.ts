import { expect, test } from 'vitest';
import * as z from 'zod';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import type { Tool } from '../../../src/tools/tool.ts';

/** The fields of an input, also where something is done to it before it is read. */
function fieldsOf(input: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (input instanceof z.ZodObject) return input.shape as Record<string, z.ZodType>;
  return input instanceof z.ZodPipe ? fieldsOf(input.out as z.ZodType) : {};
}

/** The value of each field after parsing this one, without the fields that refuse or keep it. */
function taken(input: z.ZodType, value: undefined | null): string {
  const made = Object.entries(fieldsOf(input)).flatMap(([name, field]) => {
    const read = field.safeParse(value);
    return read.success && read.data !== value ? [`${name} ${JSON.stringify(read.data) ?? 'left out'}`] : [];
  });
  return made.join(', ');
}

/** Everything that a tool says of itself, with each bound and default of its input. */
function described(tool: Tool): string {
  const { name, aliases = {}, argumentAliases = {}, description, exposure, level, readOnly, ownState } = tool;
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const reported = JSON.stringify(schema, (key, value) => (key === '$schema' ? undefined : value), 1);
  const byInput = (value: unknown) => (typeof value === 'function' ? 'by its input' : String(value));
  return [
    `== ${name} (${exposure ?? 'advertised'})`,
    description,
    `level ${byInput(level)}; only reads: ${byInput(readOnly)}; own state: ${ownState === true}`,
    `also has: ${['prepare', 'startsCommands', 'children'].filter((part) => part in tool).join(', ')}`,
    `aliases ${JSON.stringify(aliases)}`,
    `arguments ${JSON.stringify(argumentAliases)}`,
    reported.replaceAll(/\n\s*/g, ' ').replaceAll(', "maximum": 9007199254740991', ''),
    `left out: ${taken(tool.input, undefined)}`,
    `null: ${taken(tool.input, null)}`,
  ].join('\n');
}

test('every built-in tool matches its entry in the list', async () => {
  await expect(`${builtinTools.map(described).join('\n\n')}\n`).toMatchFileSnapshot('golden/every-tool.txt');
});
