import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createModel } from '../agent/models/create-model.ts';
import { describeFallback } from '../agent/models/describe-fallback.ts';
import { createEmbedder } from '../agent/models/embeddings.ts';
import { findMonty } from '../compose/external/find-monty.ts';
import { readEnvironment, requireApp } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../contract/errors.ts';
import { probeSandbox } from '../permissions/sandbox/probe-sandbox.ts';
import { localConfig } from './local-config.ts';
import { type CommandContext, checkoutRoot } from './local-run.ts';
import { openLocalTools } from './local-tools.ts';
import { oneOf, parseArguments } from './parse-arguments.ts';

/** One line of `anode doctor`: what was looked at, whether a local run needs it, what to do when it is bad. */
interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly needed: boolean;
  readonly found: string;
  readonly cure: string | null;
  /** What to do step by step, in lines. */
  readonly steps?: string;
}

/** `anode doctor`: what is missing to run here. Exit code 0 when a local run would work. */
export async function doctorCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArguments('doctor', args, {
    output: { type: 'string' },
    config: { type: 'string' },
  });
  const format = oneOf('doctor', 'output', values.output, ['text', 'json'], 'text');
  const named = typeof values.config === 'string' ? values.config : undefined;
  const checks = [
    nodeCheck(),
    await gitCheck(),
    await sandboxCheck(context),
    await modelCheck(named, context),
    await toolsCheck(named, context),
    await extrasCheck(named, context),
    appCheck(context),
  ];
  if (format === 'json') context.write(`${JSON.stringify(checks, null, 2)}\n`);
  else {
    for (const check of checks) {
      const mark = check.ok ? 'ok     ' : check.needed ? 'missing' : 'absent ';
      context.write(`${mark} ${check.name}: ${check.found}${check.cure === null ? '' : ` ${check.cure}`}\n`);
      if (check.steps !== undefined) context.write(`${check.steps.replaceAll(/^/gm, '          ')}\n`);
    }
  }
  return checks.every((check) => check.ok || !check.needed) ? 0 : 1;
}

function nodeCheck(): Check {
  const ok = Number(process.versions.node.split('.')[0]) >= 24;
  return {
    name: 'Node',
    ok,
    needed: true,
    found: `${process.version}.`,
    cure: ok ? null : 'Install Node 24 or newer.',
  };
}

async function gitCheck(): Promise<Check> {
  const check = { name: 'git', needed: true };
  try {
    const { stdout } = await promisify(execFile)('git', ['--version']);
    return { ...check, ok: true, found: `${stdout.trim()}.`, cure: null };
  } catch {
    return { ...check, ok: false, found: 'not found.', cure: 'Install git and put it on PATH.' };
  }
}

async function sandboxCheck(context: CommandContext): Promise<Check> {
  const probe = await probeSandbox({ path: context.environment.PATH });
  return {
    name: 'sandbox',
    ok: probe.available,
    // A local run falls back to plain processes unless --sandbox required is given.
    needed: false,
    found: `${probe.reason}.`,
    cure: probe.available ? null : probe.cure,
    ...(probe.available ? {} : { steps: probe.steps }),
  };
}

async function modelCheck(named: string | undefined, context: CommandContext): Promise<Check> {
  const check = { name: 'model', needed: true };
  try {
    const config = await localConfig(named, context.environment);
    const model = await createModel({
      name: config.model ?? null,
      providers: config.providers,
      environment: context.environment,
    });
    const fallback = describeFallback(config, context.environment);
    return { ...check, ok: true, found: `${model.name}; the key is set (not tried).${fallback}`, cure: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message, cure: null };
  }
}

/** Tools that others bring to runs on the checkout that this one is called in. */
async function toolsCheck(named: string | undefined, context: CommandContext): Promise<Check> {
  const check = { name: 'other tools', needed: false };
  try {
    const config = await localConfig(named, context.environment);
    const { external, problems, close } = await openLocalTools({
      ...context,
      root: await checkoutRoot('doctor', undefined),
      profile: null,
      config,
      sandbox: config.sandbox ?? 'preferred',
    });
    await close();
    const names = external.map(({ name }) => name).join(', ');
    const none = problems.length === 0 ? 'none are named.' : 'none can be used.';
    return {
      ...check,
      ok: problems.length === 0,
      found: names === '' ? none : `${names}.`,
      cure: null,
      ...(problems.length === 0 ? {} : { steps: `${problems.join('\n')}\n` }),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message, cure: null };
  }
}

/** Optional extras: which of them runs here would have, and what the others lack. */
async function extrasCheck(named: string | undefined, context: CommandContext): Promise<Check> {
  const check = { name: 'extras', needed: false, cure: null };
  try {
    const config = await localConfig(named, context.environment);
    const { available } = await probeSandbox({ path: context.environment.PATH });
    const model = config.tools?.semanticSearch?.model;
    const embeddings = model === undefined ? null : embeddingsProblem(model, config, context.environment);
    const python =
      findMonty() === null
        ? 'monty_python_repl is absent: install @pydantic/monty where anode is installed.'
        : available
          ? 'monty_python_repl is there.'
          : 'monty_python_repl is absent: it needs a sandbox.';
    const meaning =
      model === undefined
        ? 'semantic_search is absent: tools.semanticSearch.model names no model for embeddings, such as ollama/nomic-embed-text.'
        : (embeddings ?? `semantic_search is there, by ${model} (not tried).`);
    return {
      ...check,
      ok: [python, embeddings ?? meaning].every((one) => one.includes('is there')),
      found: `${python} ${meaning}`,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message };
  }
}

function embeddingsProblem(
  name: string,
  { providers }: Config,
  environment: CommandContext['environment'],
): string | null {
  try {
    createEmbedder({ name, providers, environment });
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `semantic_search is absent: ${error.message}`;
  }
}

function appCheck(context: CommandContext): Check {
  const check = { name: 'App credentials', needed: false };
  try {
    const app = requireApp(readEnvironment(context.environment));
    return { ...check, ok: true, found: `set for App ${app.appId}.`, cure: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message, cure: 'Only `anode serve` needs them.' };
  }
}
