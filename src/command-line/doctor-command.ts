import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createModel } from '../agent/models/create-model.ts';
import { describeDummyKey } from '../agent/models/describe-dummy-key.ts';
import { createEmbedder } from '../agent/models/embeddings.ts';
import { describeFallback } from '../agent/models/named-models.ts';
import { configFiles } from '../config/defaults.ts';
import { readEnvironment, requireApp } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { ConfigError } from '../contract/errors.ts';
import { findMonty } from '../run/extensions/find-monty.ts';
import { probeSandbox, type SandboxProbe } from '../sandbox/probe-sandbox.ts';
import { findCheckout } from './find-checkout.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { openLocalTools } from './local-tools.ts';
import { oneOf, parseArguments, refuseWords } from './parse-arguments.ts';

/** One check of `anode doctor`. `needed` is true if a local run fails without it. */
interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly needed: boolean;
  /** True if some of it works. */
  readonly partly?: boolean;
  readonly found: string;
  readonly cure: string | null;
  /** Steps of the remedy, one line each. */
  readonly steps?: string;
}

/**
 * Runs `anode doctor`: checks what local runs need, or a workflow with `--workflow`. Exit code 0 if
 * a local run, or the workflow, would work.
 */
export async function doctorCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('doctor', args, {
    output: { type: 'string' },
    config: { type: 'string' },
    workflow: { type: 'string' },
  });
  refuseWords('doctor', positionals);
  const format = oneOf(['doctor', 'output'], values.output, ['text', 'json'], 'text');
  if (typeof values.workflow === 'string') {
    const { doctorWorkflow } = await import('./doctor-workflow.ts');
    return doctorWorkflow(values.workflow, format, context);
  }
  const named = typeof values.config === 'string' ? values.config : undefined;
  const config = await readConfig(named, context);
  const [git, sandbox, configured] = await Promise.all([
    gitCheck(),
    probeSandbox({ path: context.environment.PATH }),
    'problem' in config
      ? [configCheck(config.problem)]
      : Promise.all([modelCheck(config, context), toolsCheck(config, named, context)]),
  ]);
  const checks = [
    nodeCheck(),
    git,
    sandboxCheck(sandbox),
    ...configured,
    ...('problem' in config ? [] : [extrasCheck(config, sandbox.available, context)]),
    appCheck(context),
  ];
  if (format === 'json') context.write(`${JSON.stringify(checks, null, 2)}\n`);
  else context.write(checks.map(renderCheck).join(''));
  return checks.every((check) => check.ok || !check.needed) ? 0 : 1;
}

function renderCheck(check: Check): string {
  const cure = check.cure === null ? '' : ` ${check.cure}`;
  const line = `${markOf(check)} ${check.name}: ${check.found}${cure}\n`;
  return check.steps === undefined ? line : `${line}${check.steps.replaceAll(/^/gm, '          ')}\n`;
}

function markOf({ ok, partly, needed }: Check): string {
  if (ok) return 'ok     ';
  if (partly) return 'partly ';
  return needed ? 'missing' : 'absent ';
}

/**
 * Returns the configuration of runs here, or its error; then nothing that depends on it is checked.
 */
async function readConfig(
  named: string | undefined,
  context: CommandContext,
): Promise<Config | { readonly problem: string }> {
  try {
    return await localConfig(named, context.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problem: error.message };
  }
}

function configCheck(problem: string): Check {
  const cure = 'Mend it: model and tools were not looked at.';
  return { name: 'configuration', ok: false, needed: true, found: problem, cure };
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

function sandboxCheck(probe: SandboxProbe): Check {
  return {
    name: 'sandbox',
    ok: probe.available,
    // A local run falls back to plain processes unless --sandbox required is given.
    needed: false,
    found: `${probe.reason}.`,
    cure: probe.available ? null : probe.summary,
    ...(probe.available ? {} : { steps: probe.steps }),
  };
}

async function modelCheck(config: Config, context: CommandContext): Promise<Check> {
  const check = { name: 'model', needed: true };
  try {
    const model = await createModel({
      name: config.model ?? null,
      providers: config.providers,
      environment: context.environment,
    });
    const { environment } = context;
    const notes = [describeDummyKey(null, config, environment), describeFallback(config, environment)];
    const found = [`${model.name}; the key is set (not tried).`, ...notes]
      .filter((note) => note !== '')
      .join(' ');
    return { ...check, ok: true, found, cure: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message, cure: null };
  }
}

/** Checks the extension tools of runs on the current checkout. */
async function toolsCheck(
  config: Config,
  named: string | undefined,
  context: CommandContext,
): Promise<Check> {
  const check = { name: 'other tools', needed: false };
  try {
    const { root } = await findCheckout('doctor', undefined);
    const { external, problems, close } = await openLocalTools({
      ...context,
      root,
      profile: null,
      config,
      sandbox: config.sandbox ?? 'preferred',
    });
    await close();
    const names = namesOf(external.map(({ name }) => name));
    const none = problems.length === 0 ? 'none are named.' : 'none can be used.';
    return {
      ...check,
      ok: problems.length === 0,
      partly: external.length > 0,
      found: names === '' ? none : `${names}.`,
      cure: notLookedAt(root, config, named, context),
      ...(problems.length === 0 ? {} : { steps: problems.join('\n') }),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...check, ok: false, found: error.message, cure: null };
  }
}

/**
 * Describes files of the checkout that name tools but are ignored on a user's machine; null if none
 * are.
 */
function notLookedAt(
  root: string,
  config: Config,
  named: string | undefined,
  { environment }: CommandContext,
): string | null {
  const own = configFiles.find((file) => existsSync(path.join(root, file)));
  const servers = environment.ANODE_WORKSPACE_MCP !== '1' && (config.mcp?.workspace ?? false) === false;
  const said = [
    ...(named === undefined && own !== undefined ? [`${own} counts here with --config ${own}.`] : []),
    ...(servers && existsSync(path.join(root, '.mcp.json'))
      ? ['.mcp.json counts with mcp.workspace: true or ANODE_WORKSPACE_MCP=1.']
      : []),
  ];
  return said.length === 0 ? null : said.join(' ');
}

/** Number of tools named individually; of more, those of one server or plug-in are grouped. */
const mostNamed = 12;

function namesOf(names: readonly string[]): string {
  if (names.length <= mostNamed) return names.join(', ');
  const counts = new Map<string, number>();
  for (const name of names) {
    const group = name.replace(/^((?:mcp|plugin)__.+?__).*$/, '$1*');
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].map(([group, count]) => (count === 1 ? group : `${group} (${count})`)).join(', ');
}

/** Checks the optional extras and what they lack. */
function extrasCheck(config: Config, sandboxed: boolean, context: CommandContext): Check {
  const model = config.tools?.semanticSearch?.model;
  const noPython = pythonProblem(sandboxed);
  const noSearch =
    model === undefined
      ? 'tools.semanticSearch.model names no model for embeddings, such as ollama/nomic-embed-text.'
      : embeddingsProblem(model, config, context.environment);
  const python = noPython === null ? 'is there.' : `is absent: ${noPython}`;
  const search = noSearch === null ? `is there, by ${model} (not tried).` : `is absent: ${noSearch}`;
  return {
    ...{ name: 'extras', needed: false, cure: null },
    ok: noPython === null && noSearch === null,
    found: `monty_python_repl ${python} semantic_search ${search}`,
  };
}

/** Returns why the Python tool does not work; null if it works. */
function pythonProblem(sandboxed: boolean): string | null {
  if (findMonty() === null) return 'install @pydantic/monty where anode is installed.';
  return sandboxed ? null : 'it needs a sandbox.';
}

/** Returns why embeddings do not work; null if no reason is known. */
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
    return error.message;
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
