import path from 'node:path';
import type { AfterCall } from '../../agent/calls/call-tool.ts';
import type { Config } from '../../config/schema.ts';
import type { Hook } from '../../contract/hooks.ts';
import type { Json } from '../../contract/json.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import type { Rule } from '../../contract/rules.ts';
import {
  type AskProgram,
  afterHookText,
  type DecidingProgram,
  hooksFor,
  type ProgramAnswer,
  questionOf,
} from '../../permissions/gate/ask-programs.ts';
import { passedVariables, type VariableHolder } from '../../permissions/policy/environment-policy.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { toJson } from '../../tools/tool.ts';
import { keysInReach } from '../policy/keys-in-reach.ts';
import type { RunOrigin } from '../policy/local-plan.ts';
import { passPolicyOf } from '../policy/pass-policy.ts';
import { createProgramRunner, type ProgramSandbox } from './program-runner.ts';
import { type ProgramSource, savedProgramKey, savePrograms } from './save-programs.ts';
import { startProgram } from './start-program.ts';

/** Default timeout of a program in seconds; afterwards it counts as a refusal. */
const defaultTimeout = 60;

/** The programs that decide on a run's calls: hooks and `delegate` programs. */
export interface Programs {
  readonly ask: AskProgram;
  readonly before: readonly Hook[];
  /** Runs the after-hooks of a call; null without any. */
  readonly after: AfterCall | null;
  close(): Promise<void>;
}

/** Inputs for the programs of one run. */
export interface ProgramsRun extends ProgramSource, ProgramSandbox {
  readonly config: Config;
  readonly sandbox: SandboxMode;
  readonly plan: RunOrigin;
  /** Our credentials outside all variables. */
  readonly secrets: readonly string[];
  /** Warns the operator; a sentence. */
  readonly warn: (message: string) => void;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Copies the programs of a run from the trusted commit, and asks them in their own sandbox. It has
 * no network, the workspace read-only at `AGENT_WORKSPACE`, and a git directory that no command of
 * the model writes. Open them before the first call, so that nothing of the run can change them. A
 * program that cannot answer rejects the call.
 */
export function openPrograms(run: ProgramsRun): Programs {
  const folder = path.join(run.runFolder, 'programs');
  const rules: readonly Rule[] = run.config.permissions?.rules ?? [];
  const { before = [], after = [] } = run.config.hooks ?? {};
  const delegates = rules.flatMap(({ to, folder: from }): Omit<DecidingProgram, 'by'>[] =>
    to === undefined ? [] : [{ run: to, ...(from === undefined ? {} : { folder: from }) }],
  );
  const saved = savePrograms([...before, ...after, ...delegates], folder, run);
  saved.catch(() => undefined);
  const policy = passPolicyOf(run);
  const reported = new Set<string>();
  const warn = (message: string) => {
    if (!reported.has(message)) run.warn(message);
    reported.add(message);
  };
  let runner: Promise<CommandRunner> | null = null;
  const answer: Ask = async (asked, tool, input, when) => {
    const whole = asked.delegate
      ? { ...delegates.find(({ run: line }) => line === asked.run), ...asked }
      : asked;
    const program = (await saved).get(savedProgramKey(whole));
    if (program === undefined) throw new Error('it is none of those that the configuration names');
    if ('problem' in program) return failed(program.problem);
    const { variables, excluded } = passedVariables(holderOf(whole), policy);
    const problem = unsafe(run, Object.keys(variables), excluded);
    if (problem !== null) return failed(problem);
    runner ??= createProgramRunner(run, folder, { name: 'programs' });
    return startProgram(await runner, program, {
      variables,
      signal: run.signal,
      timeoutMs: (asked.timeoutSeconds ?? defaultTimeout) * 1_000,
      env: { AGENT_TOOL_NAME: tool, AGENT_HOOK: when, AGENT_WORKSPACE: run.root },
      stdin: JSON.stringify(input),
    });
  };
  const askAndWarn: Ask = async (program, tool, input, when) => {
    const reply = await answer(program, tool, input, when).catch((error: unknown) => {
      run.signal.throwIfAborted();
      return failed(`could not be run (${error instanceof Error ? error.message : String(error)})`);
    });
    if (reply.problem !== null) warn(`${program.by}: \`${program.run}\` ${reply.problem}.`);
    return reply;
  };
  return {
    before,
    ask: ({ program, call, part }) => askAndWarn(program, call.tool, questionOf(call, part), 'before'),
    after: after.length === 0 ? null : afterHooks(after, { ...run, warn, ask: askAndWarn }),
    async close() {
      await saved.catch(() => undefined);
      await (await runner?.catch(() => null))?.close();
    },
  };
}

/** Asks a program about a call of a tool. */
type Ask = (
  program: DecidingProgram,
  tool: string,
  input: Json,
  when: 'before' | 'after',
) => Promise<ProgramAnswer>;

/** Runs the after-hooks that match a call, one after the other; returns their notes. */
function afterHooks(
  hooks: readonly Hook[],
  run: Pick<ProgramsRun, 'redact' | 'warn'> & { readonly ask: Ask },
): AfterCall {
  return async ({ input, targets, tool }, result) => {
    const notes = [];
    for (const { hook, by } of hooksFor(hooks, { tool: tool.name, targets })) {
      const made = redactValue(toJson({ tool: tool.name, input, result }), run.redact);
      const note = afterHookText(hook.run, by, await run.ask({ ...hook, by }, tool.name, made, 'after'));
      if (note === null) continue;
      if (note.objects) run.warn(`${tool.name} ${targets.what}: ${note.text.slice(1, -1)}`);
      notes.push(note);
    }
    return notes;
  };
}

/** Returns why a program may not be started; null if it may. */
function unsafe(
  run: ProgramsRun,
  variables: readonly string[],
  excluded: readonly { readonly name: string; readonly why: string }[],
): string | null {
  const [first] = excluded;
  if (first !== undefined) return `cannot be run: ${first.name} is not given to it, as ${first.why}`;
  if (keysInReach(run)) return 'cannot be run: without a sandbox it could read keys';
  return run.sandboxed || variables.length === 0
    ? null
    : `cannot be run: ${variables.join(', ')} may only be given to what runs in a sandbox, and there is none`;
}

/**
 * Returns the program's name in `env.pass`, and its owner. Only the operator's files give it a
 * folder.
 */
function holderOf({ name, run, folder, delegate }: DecidingProgram): VariableHolder {
  const called = delegate === true ? `delegate:${run.split(' ')[0]}` : `hook:${name ?? ''}`;
  return { name: called, by: folder === undefined ? 'repository' : 'operator' };
}

function failed(problem: string): ProgramAnswer {
  return { exitCode: null, stderr: '', problem };
}
