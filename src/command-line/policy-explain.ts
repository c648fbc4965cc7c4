import type { Config } from '../config/schema.ts';
import type { Hook } from '../contract/hooks.ts';
import type { Preset } from '../contract/levels.ts';
import { largest } from '../contract/lists.ts';
import type { Rule } from '../contract/rules.ts';
import { protectedGlobs } from '../permissions/gate/protected-paths.ts';
import { type LevelRow, levelTable } from '../permissions/policy/level-table.ts';
import { warningsOf } from '../run/policy/configuration-warnings.ts';
import type { CommandContext } from './local-run.ts';
import { oneOf, parseArguments, refuseWords } from './parse-arguments.ts';
import { policyOptions, presetFor, readPolicy } from './policy-source.ts';

/** Runs `anode policy explain`: prints the effect of a preset and a policy. */
export async function explainPolicy(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('policy', args, policyOptions);
  refuseWords('policy', positionals, 'explain');
  const format = oneOf(['policy', 'output'], values.output, ['text', 'json'], 'text');
  const config = await readPolicy(typeof values.policy === 'string' ? values.policy : undefined, context);
  const explained = explain(config, presetFor(values.preset, config), context);
  context.write(format === 'json' ? `${JSON.stringify(explained, null, 2)}\n` : render(explained));
  return 0;
}

function explain(config: Config, preset: Preset, { environment }: CommandContext) {
  const rules: readonly Rule[] = config.permissions?.rules ?? [];
  return {
    preset,
    on_ask: config.permissions?.onAsk ?? 'deny',
    sandbox:
      config.sandbox ?? 'not set: required for the App, preferred in a workflow and on the command line',
    hooks: [...hooksOf(config, 'before'), ...hooksOf(config, 'after')],
    rules: rules.map(({ folder: _, ...rule }, index) => ({ number: index + 1, ...rule })),
    levels: levelTable(preset),
    disabled_tools: config.tools?.disabled ?? [],
    protected: protectedGlobs.map(([path, reason]) => ({ path, reason })),
    protected_allow: config.protected?.allow ?? [],
    ceilings,
    warnings: warningsOf(config, environment),
  };
}

function hooksOf({ hooks }: Config, when: 'before' | 'after') {
  const list: readonly Hook[] = hooks?.[when] ?? [];
  return list.map(({ folder: _, ...hook }, index) => ({ when, number: index + 1, ...hook }));
}

/** Limits that no preset, rule, grant or person overrides. */
const ceilings = [
  'Paths outside the workspace, and places where credentials lie, can be neither read nor written.',
  'A run for a pull request from a fork, for somebody without write permission, or for a review runs only commands proven to read, and pushes nothing.',
  'A run for GitHub that only prefers a sandbox and has none runs only commands proven to read.',
];

function render(explained: ReturnType<typeof explain>): string {
  const { preset, on_ask, sandbox, hooks, rules, levels, disabled_tools, warnings } = explained;
  const asked =
    on_ask === 'comment'
      ? 'in a comment, and the run waits for the answer'
      : 'nobody is asked: the call is refused';
  const parts = [
    `Preset: ${preset}\nSandbox: ${sandbox}\nWhere it says ask: ${asked}`,
    `1. Never, whatever else says yes\n${ceilings.map((line) => `   ${line}`).join('\n')}`,
    `   Protected paths are not written${allowed(explained.protected_allow)}:\n${table(
      explained.protected.map(({ path, reason }) => [path, reason]),
    )}`,
    ...(hooks.length === 0
      ? []
      : [
          `   Hooks: before a call asked ahead of the rules, which they can only make stricter; after it, they add to its result\n${table(
            hooks.map(({ when, number, tool, run, name, source }) => [
              `${when} ${number}`,
              tool,
              run,
              [name, source].filter((one) => one !== undefined).join(', '),
            ]),
          )}`,
        ]),
    rules.length === 0
      ? '2. Rules: none'
      : `2. Rules: the first that matches decides, for each simple command and path; the strictest over all of them\n${table(
          rules.map((rule) => [
            `${rule.number}`,
            rule.action + (rule.to === undefined ? '' : ` to ${rule.to}`),
            rule.tool,
            matchesOf(rule.matches),
            rule.context === undefined ? '' : `in ${rule.context}`,
            [rule.name, rule.source].filter((one) => one !== undefined).join(', '),
          ]),
        )}`,
    `3. Without a rule that matches, the preset by level\n${table([
      ['level', 'calls', 'sandbox on', 'sandbox off'],
      ...levels.map((row: LevelRow) => [row.level, row.calls, row.sandboxed, row.unsandboxed]),
    ])}`,
    ...(disabled_tools.length === 0 ? [] : [`Tools that no run can call: ${disabled_tools.join(', ')}`]),
    ...warnings.map((message) => `! ${message}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

function allowed(globs: readonly string[]): string {
  return globs.length === 0 ? '' : `, but for ${globs.join(', ')}`;
}

function matchesOf(matches: Readonly<Record<string, unknown>> | undefined): string {
  const parts = Object.entries(matches ?? {}).map(([key, matcher]) => `${key} ${JSON.stringify(matcher)}`);
  return parts.length === 0 ? 'every call' : parts.join(', ');
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => largest(rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `   ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
