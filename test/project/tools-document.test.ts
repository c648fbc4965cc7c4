import { expect, test } from 'vitest';
import * as z from 'zod';
import { builtinTools } from '../../src/tools/registry/builtin-tools.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { readSource, trackedFiles } from './source-tree.ts';

/** The parts of a property that the document has to state. */
interface Property {
  readonly hidden?: boolean;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly maximum?: number;
  readonly maxItems?: number;
}

function schemaOf(tool: Tool): { properties: Record<string, Property>; required: readonly string[] } {
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return { properties: {}, required: [], ...JSON.parse(JSON.stringify(schema)) };
}

/** The defaults of a call with required arguments alone. */
function defaultsOf(tool: Tool): Record<string, unknown> {
  const { properties, required } = schemaOf(tool);
  const samples: Readonly<Record<string, unknown>> = { array: [], object: {}, integer: 1 };
  const given = required.map((name) => {
    const property = properties[name];
    return [name, property?.enum?.[0] ?? samples[property?.type ?? ''] ?? 'x'] as const;
  });
  const parsed = tool.input.safeParse(Object.fromEntries(given));
  if (!parsed.success) return {};
  const rest = Object.entries(parsed.data as Record<string, unknown>).filter(
    ([name]) => name in properties && !required.includes(name),
  );
  return Object.fromEntries(rest);
}

/** Splits where a mark stands outside of code and of every kind of bracket. */
function splitOutside(text: string, mark: string): string[] {
  const parts = [''];
  let depth = 0;
  let code = false;
  for (const character of text) {
    if (character === '`') code = !code;
    if (!code && '([{'.includes(character)) depth += 1;
    if (!code && ')]}'.includes(character)) depth -= 1;
    if (character === mark && depth === 0 && !code) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim());
}

const codeSpans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span ?? '');

const rows = readSource('docs/tools.md')
  .split('\n')
  .filter((line) => /^\| `/.test(line))
  .map((line) => {
    const [name = '', aliases = '', level = '', parameters = ''] = line.split('|').slice(1);
    const [listed = ''] = splitOutside(parameters, ';');
    return {
      name: codeSpans(name)[0] ?? '',
      deferred: name.includes('◦'),
      aliases: codeSpans(aliases.replaceAll(/\([^)]*\)/g, '')),
      level: level.trim(),
      parameters: splitOutside(listed, ',').filter((part) => part !== ''),
    };
  });

const documented = builtinTools.filter(({ exposure }) => exposure !== 'hidden');

/** The highest level of each tool whose level depends on its input; it comes first. */
const byInput: Readonly<Record<string, string>> = {
  shell_session: 'confirm_execute',
  task_list: 'state_write',
};

test('docs/tools.md has one row for each tool, with its other names and whether it is deferred', () => {
  const shape = (name: string, deferred: boolean, aliases: readonly string[]) => ({
    name,
    deferred,
    aliases: [...aliases].sort(),
  });
  expect(rows.map((row) => shape(row.name, row.deferred, row.aliases)).sort(byName)).toEqual(
    documented
      .map((tool) => shape(tool.name, tool.exposure === 'deferred', Object.keys(tool.aliases ?? {})))
      .sort(byName),
  );
});

test.each(rows)('docs/tools.md has the correct level and parameters of $name', (row) => {
  const tool = documented.find(({ name }) => name === row.name);
  if (tool === undefined) throw new Error(`there is no tool ${row.name}`);
  const { properties, required } = schemaOf(tool);
  expect(row.parameters.map((part) => /^[*\w]+•?/.exec(part)?.[0]).sort()).toEqual(
    Object.entries(properties)
      .map(([name, { hidden }]) => {
        const reported = hidden !== true && tool.exposure === undefined ? '•' : '';
        return `${required.includes(name) ? `**${name}**` : name}${reported}`;
      })
      .sort(),
  );
  const reply = (name: string) =>
    row.parameters.find((part) => part.replaceAll('*', '').match(/^\w+/)?.[0] === name) ?? '';
  const missing = [
    ...Object.entries(tool.argumentAliases ?? {}).map(([alias, name]) => [name, `\`${alias}\``] as const),
    ...Object.entries(defaultsOf(tool)).map(([name, value]) => [name, written(value)] as const),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(property.enum ?? []).map((word) => [name, `\`${word}\``] as const),
      // The length of a pair needs no words.
      ...[property.maximum, property.maxItems === 2 ? null : property.maxItems].map(
        (most) => [name, written(most)] as const,
      ),
    ]),
  ].filter(([name, words]) => words !== '' && !reply(name).includes(words));
  expect(missing).toEqual([]);
  if (row.name === 'use_tool') return;
  const own = tool.ownState === true ? ' (own)' : '';
  const level = typeof tool.level === 'string' ? `${tool.level}${own}` : byInput[row.name];
  expect(splitOutside(row.level, ';')[0]).toBe(level);
});

/** A default or limit in the document's notation; '' if the document may omit it. */
function written(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? '' : `\`${value}\``;
  if (typeof value !== 'number' || value >= Number.MAX_SAFE_INTEGER) return '';
  return value > 0 && value % 2 ** 20 === 0 ? `${value / 2 ** 20} MiB` : value.toLocaleString('en-US');
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

test('every tool has a file with its name below src/tools', () => {
  // `patch` is a tool as well.
  const fileOf = (name: string) => (name === 'PATCH' ? 'propose-patch' : name.replaceAll(/[._]/g, '-'));
  const files = new Set(
    trackedFiles().flatMap((file) => /^src\/tools\/.*?([^/]+)\.ts$/.exec(file)?.[1] ?? []),
  );
  expect(builtinTools.map(({ name }) => fileOf(name)).filter((name) => !files.has(name))).toEqual([]);
});
