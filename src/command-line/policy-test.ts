import path from 'node:path';
import * as z from 'zod';
import { readDocument } from '../config/read-document.ts';
import type { Config } from '../config/schema.ts';
import type { Decision } from '../contract/decision.ts';
import { ConfigError, ToolError } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import { Action } from '../contract/levels.ts';
import { describeRule } from '../permissions/policy/match-rules.ts';
import { countOf } from '../reporting/text/markdown.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { oneOf, parseArguments, usageError } from './parse-arguments.ts';
import { openPolicyEvaluator, type PolicyEvaluator } from './policy-evaluator.ts';
import { policyOptions, presetFor, readPolicy, readText, warnOf } from './policy-source.ts';

const Sandbox = z.union([z.enum(['on', 'off']), z.boolean()]);

const Expectation = z.strictObject({
  name: z.string().optional(),
  tool: z.string().min(1),
  args: z.record(z.string(), z.json()).optional(),
  preset: z.string().optional(),
  context: z.enum(['main', 'child', 'child_run']).optional(),
  sandbox: Sandbox.optional(),
  readOnly: z.boolean().optional(),
  expect: Action,
  /** Required deciding rule, by name or by number from 1; null for none. */
  rule: z.union([z.string(), z.int().positive(), z.null()]).optional(),
});
type Expectation = z.infer<typeof Expectation>;

/** A table of expectations, with defaults. */
const Table = z.strictObject({
  policy: z.string().optional(),
  preset: z.string().optional(),
  sandbox: Sandbox.optional(),
  tests: z.array(Expectation).min(1),
});
type Table = z.infer<typeof Table>;

/** Result of one expectation; `problem` is null if it is met. */
interface Tested {
  readonly name: string;
  readonly place: string;
  readonly problem: string | null;
  readonly decision: Decision | null;
}

/** Runs `anode policy test FILE`. Exit code 0 if all expectations are met, else 1. */
export async function testPolicy(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('policy', args, {
    ...policyOptions,
    sandbox: { type: 'string' },
    cwd: { type: 'string' },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw usageError('policy', 'test takes one file of expectations.');
  const format = oneOf(['policy', 'output'], values.output, ['text', 'json'], 'text');
  const sandbox = oneOf(['policy', 'sandbox'], values.sandbox, ['on', 'off'], 'off');
  const { table, places } = readTable(await readText(file), file);
  const named = table.policy === undefined ? undefined : path.join(path.dirname(file), table.policy);
  const config = await readPolicy(typeof values.policy === 'string' ? values.policy : named, context);
  warnOf(config, context);
  const evaluator = await openPolicyEvaluator({
    ...context,
    ...(await findCheckout('policy', values.cwd)),
    config,
  });
  const tested: Tested[] = [];
  const defaults = { preset: values.preset ?? table.preset, sandbox: table.sandbox ?? sandbox, config };
  try {
    for (const [index, expectation] of table.tests.entries())
      tested.push(await testOne(expectation, places[index] ?? file, defaults, evaluator));
  } finally {
    await evaluator.close();
  }
  const failed = tested.filter(({ problem }) => problem !== null);
  context.write(format === 'json' ? asJson(tested) : describe(tested));
  return failed.length === 0 ? 0 : 1;
}

interface TestDefaults {
  readonly preset: string | boolean | undefined;
  readonly sandbox: z.infer<typeof Sandbox>;
  readonly config: Config;
}

async function testOne(
  expectation: Expectation,
  place: string,
  defaults: TestDefaults,
  evaluator: PolicyEvaluator,
): Promise<Tested> {
  const { tool, args, preset, context, readOnly, expect, name } = expectation;
  const about = { name: name ?? `${tool} ${JSON.stringify(args ?? {})}`, place };
  const on = expectation.sandbox ?? defaults.sandbox;
  try {
    const decision = await evaluator.evaluate({
      tool,
      args: (args ?? {}) as JsonObject,
      preset: presetFor(preset ?? defaults.preset, defaults.config),
      context: context === undefined || context === 'main' ? 'main' : 'child',
      sandboxed: on === true || on === 'on',
      readOnly: readOnly ?? false,
    });
    return { ...about, decision, problem: problemOf(expectation, decision, defaults.config) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const problem = `expected ${expect}, but there is no such call: ${error.message}`;
    return { ...about, decision: null, problem };
  }
}

/** Returns why a decision does not meet an expectation; null if it does. */
function problemOf({ expect, rule }: Expectation, decision: Decision, config: Config): string | null {
  const by = decision.rule === null ? 'without a rule' : `by ${decision.rule}`;
  if (decision.action !== expect) return `expected ${expect}, but it is ${decision.action}, ${by}.`;
  if (rule === undefined || decidedBy(rule, decision, config)) return null;
  return `expected ${expect} by ${namedRule(rule)}, but it is ${by}.`;
}

function decidedBy(expected: string | number | null, decision: Decision, config: Config): boolean {
  if (expected === null) return decision.rule === null;
  const rules = config.permissions?.rules ?? [];
  return rules.some(
    (rule, index) =>
      (rule.name === expected || index + 1 === expected) && describeRule(rule, index) === decision.rule,
  );
}

function namedRule(rule: string | number | null): string {
  if (rule === null) return 'no rule';
  return typeof rule === 'number' ? `rule ${rule}` : `the rule ${rule}`;
}

function describe(tested: readonly Tested[]): string {
  const failures = tested.flatMap(({ name, place, problem, decision }) =>
    problem === null
      ? []
      : [`${place}: ${name}`, `  ${problem}`, ...(decision === null ? [] : [`  ${decision.reason}`])],
  );
  const failed = tested.filter(({ problem }) => problem !== null).length;
  const summary =
    failed === 0
      ? `${countOf(tested.length, 'expectation')}, all of them met.`
      : `${countOf(tested.length, 'expectation')}, ${failed} not met.`;
  return `${[...failures, summary].join('\n')}\n`;
}

function asJson(tested: readonly Tested[]): string {
  const results = tested.map(({ name, place, problem, decision }) => ({
    name,
    place,
    ok: problem === null,
    problem,
    action: decision?.action ?? null,
    rule: decision?.rule ?? null,
    reason: decision?.reason ?? null,
  }));
  const failed = results.filter(({ ok }) => !ok).length;
  return `${JSON.stringify({ passed: results.length - failed, failed, results }, null, 2)}\n`;
}

/**
 * Parses the table of a file with the location of each row. Throws `ConfigError` with file and
 * line.
 */
function readTable(text: string, file: string): { table: Table; places: string[] } {
  const document = readDocument(text, file);
  const bare = Array.isArray(document.value);
  const parsed = Table.safeParse(bare ? { tests: document.value } : document.value);
  const own = (path: readonly PropertyKey[]) => (bare ? path.slice(1) : path);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const at = [...(issue?.path ?? []), ...unknown];
    const { line, column } = document.locate(own(at), unknown.length > 0 ? 'key' : 'value');
    throw new ConfigError(`${file}:${line}:${column}: ${own(at).join('.')}: ${issue?.message}.`, { file });
  }
  const places = parsed.data.tests.map((_, index) => {
    const { line } = document.locate(own(['tests', index]), 'value');
    return `${file}:${line}`;
  });
  return { table: parsed.data, places };
}
