import type { Decision } from '../contract/decision.ts';
import { ToolError } from '../contract/errors.ts';
import { type JsonObject, parseJson } from '../contract/json.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { actionOf, oneOf, parseArguments, refuseWords, usageError } from './parse-arguments.ts';
import { openPolicyEvaluator } from './policy-evaluator.ts';
import { explainPolicy } from './policy-explain.ts';
import { policyOptions, presetFor, readPolicy, warnOf } from './policy-source.ts';
import { testPolicy } from './policy-test.ts';

/**
 * Runs `anode policy check|test|explain`: inspects a policy without a run. Returns the exit code.
 */
export async function policyCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [action, ...rest] = args;
  const commands = { check: checkCall, test: testPolicy, explain: explainPolicy } as const;
  return commands[actionOf('policy', action, ['check', 'test', 'explain'])](rest, context);
}

const checkOptions = {
  ...policyOptions,
  tool: { type: 'string' },
  json: { type: 'string' },
  context: { type: 'string' },
  sandbox: { type: 'string' },
  cwd: { type: 'string' },
  'read-only': { type: 'boolean' },
} as const;

/** Prints the verdict on one call. Exit code 0 for any verdict. */
async function checkCall(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('policy', args, checkOptions);
  refuseWords('policy', positionals, 'check');
  if (typeof values.tool !== 'string') throw usageError('policy', 'check takes --tool NAME.');
  const format = oneOf(['policy', 'output'], values.output, ['text', 'json'], 'text');
  const where = oneOf(['policy', 'context'], values.context, ['main', 'child', 'child_run'], 'main');
  const sandbox = oneOf(['policy', 'sandbox'], values.sandbox, ['on', 'off'], 'off');
  const input = inputOf(values.json);
  const config = await readPolicy(typeof values.policy === 'string' ? values.policy : undefined, context);
  warnOf(config, context);
  const evaluator = await openPolicyEvaluator({
    ...context,
    ...(await findCheckout('policy', values.cwd)),
    config,
  });
  try {
    const decision = await evaluator.evaluate({
      tool: values.tool,
      args: input,
      preset: presetFor(values.preset, config),
      context: where === 'main' ? 'main' : 'child',
      sandboxed: sandbox === 'on',
      readOnly: values['read-only'] === true,
    });
    const { action, rule, reason, commands } = decision;
    context.write(
      format === 'json'
        ? `${JSON.stringify({ action, rule, reason, commands }, null, 2)}\n`
        : describeVerdict(decision),
    );
    return 0;
  } catch (error) {
    if (error instanceof ToolError) throw usageError('policy', error.message);
    throw error;
  } finally {
    await evaluator.close();
  }
}

function inputOf(text: string | boolean | undefined): JsonObject {
  if (typeof text !== 'string') return {};
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw usageError('policy', '--json takes one JSON object of arguments.');
}

/** Describes a verdict: action, rule, reason, and the parts of a compound command. */
function describeVerdict({ action, rule, reason, commands }: Decision): string {
  const lines = [action, ...(rule === null ? [] : [`  by ${rule}`]), `  ${reason}`];
  if (commands.length > 1)
    for (const part of commands)
      lines.push(`  ${part.action.padEnd(6)}  ${part.command}`, `          ${part.reason}`);
  return `${lines.join('\n')}\n`;
}
