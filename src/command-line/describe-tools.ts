import { extraTools, languageTools, remoteAgentTools, webTools } from '../agent/profiles/builtin-profiles.ts';
import { isAdvertised } from '../agent/profiles/select-tools.ts';
import type { JsonObject } from '../contract/json.ts';
import { largest } from '../contract/lists.ts';
import { acceptedSchema, toolDefinition } from '../tools/registry/json-schema.ts';
import type { Tool } from '../tools/tool.ts';

/** One tool as `anode tools list --json` prints it. */
export interface ListedTool {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Permission level; `by input` if it depends on the input. */
  readonly permission: string;
  readonly read_only: boolean;
  /** Source: `built-in`, `toolbox`, `mcp`, `plugin`, `language server`, `web`, `a2a` or `extra`. */
  readonly source: string;
}

/** Describes one tool in a list. */
function listedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    aliases: Object.keys(tool.aliases ?? {}),
    permission: typeof tool.level === 'string' ? tool.level : 'by input',
    read_only: tool.readOnly === true,
    source: sourceOf(tool.name),
  };
}

const sources = [
  ['tb__', 'toolbox'],
  ['mcp__', 'mcp'],
  ['plugin__', 'plugin'],
] as const;

const named: Readonly<Record<string, string>> = Object.fromEntries([
  ...languageTools.map((name) => [name, 'language server']),
  ...remoteAgentTools.map((name) => [name, 'a2a']),
  ...webTools.map((name) => [name, 'web']),
  ...extraTools.map((name) => [name, 'extra']),
]);

/** Names of built-in tools never look like those of other sources. */
const sourceOf = (name: string): string =>
  named[name] ?? sources.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 'built-in';

/**
 * Describes tools with their exposure: advertised in the first request, or deferred to a search.
 */
export function listedTools(tools: readonly Tool[]): (ListedTool & { readonly exposure: string })[] {
  return tools.map((tool) => ({
    ...listedTool(tool),
    exposure: isAdvertised(tool, tools) ? 'advertised' : 'deferred',
  }));
}

/** Renders one line per tool in columns; a ring marks those found by `tool_search`. */
export function renderToolList(tools: readonly Tool[]): string {
  const rows = listedTools(tools).map(({ name, permission, aliases, exposure }) => {
    return [
      `${exposure === 'deferred' ? '○' : '●'} ${name}`,
      permission,
      aliases.length === 0 ? '' : `also ${aliases.join(', ')}`,
    ] as const;
  });
  const width = (column: 0 | 1) =>
    largest(
      rows.map((row) => row[column].length),
      0,
    );
  const line = (row: (typeof rows)[number]) =>
    `${row[0].padEnd(width(0))}  ${row[1].padEnd(width(1))}  ${row[2]}`.trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}

/**
 * Describes one tool in full. `input_schema` is what it accepts, `unadvertised` the fields that
 * models do not see.
 */
export function describeTool(tool: Tool) {
  const input_schema = acceptedSchema(tool);
  const advertised = propertiesOf(toolDefinition(tool).input_schema);
  return {
    ...listedTool(tool),
    description: tool.description,
    /** `advertised` in every request, `deferred` until tool_search finds it, or `hidden`. */
    exposure: tool.exposure ?? 'advertised',
    argument_aliases: { ...tool.argumentAliases },
    input_schema,
    unadvertised: propertiesOf(input_schema).filter((name) => !advertised.includes(name)),
  };
}

const propertiesOf = ({ properties }: JsonObject): string[] => Object.keys(properties ?? {});

/** Renders the same as text. */
export function renderTool(tool: Tool): string {
  const {
    name,
    aliases,
    permission,
    read_only,
    source,
    description,
    exposure,
    argument_aliases,
    input_schema,
    unadvertised,
  } = describeTool(tool);
  const renamed = Object.entries(argument_aliases).map(([from, to]) => `${from} for ${to}`);
  const rows: readonly (readonly [string, string])[] = [
    ['level', `${permission}${read_only ? ', only reads' : ''}`],
    ['source', `${source}, ${exposure}`],
    ['aliases', aliases.join(', ')],
    ['arguments', renamed.length === 0 ? '' : `also ${renamed.join(', ')}`],
    [
      'not told',
      unadvertised.length === 0 ? '' : `understood, but no model is told: ${unadvertised.join(', ')}`,
    ],
  ];
  const lines = rows.filter(([, text]) => text !== '').map(([label, text]) => `${label.padEnd(10)}${text}`);
  return `${name}: ${description}\n\n${lines.join('\n')}\n\n${JSON.stringify(input_schema, null, 2)}\n`;
}
