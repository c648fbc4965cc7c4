import path from 'node:path';
import type { GateCall } from '../agent/calls/call-tool.ts';
import { type LinterServices, newEditChecks } from '../checks/linters/edit-checks.ts';
import { proveAll, type Trial } from '../checks/proof/prove-all.ts';
import { type CommandTrial, tryCommand } from '../checks/proof/try-command.ts';
import { meets, withReplaced } from '../checks/proof/with-replaced.ts';
import type { SuggestionCheck } from '../contract/findings.ts';
import type { Preset } from '../contract/levels.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { suggestionsToTry } from '../reporting/review/suggestions-to-try.ts';
import { nameSuggestion } from '../reporting/suggestions/suggestion-checks.ts';
import type { CommandRunner } from '../sandbox/command-runner.ts';
import { createCommandRunner } from '../sandbox/create-command-runner.ts';
import { bash } from '../tools/shell/bash.ts';
import { verifyChange } from '../tools/write/verify-change.ts';
import { makeScratchTree } from '../workspace/git/scratch-tree.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lintersOf } from './checks/check-review.ts';
import { makeGate } from './gate/make-gate.ts';
import { sandboxAllowsCommands } from './policy/sandbox-allows-commands.ts';
import type { Programs } from './programs/open-programs.ts';
import type { RunRequest } from './records/run-context.ts';
import type { RunSetup } from './setup/compose-setup.ts';

/** Inputs for the trial of a run's suggestions. */
export interface ProofRun extends Omit<RunRequest, 'preset' | 'setup'> {
  readonly preset: Preset;
  /** A folder of our own, outside the checkout. */
  readonly runFolder: string;
  /** The run's set-up, whose results are mounted for the check; null without one. */
  readonly setup: Pick<RunSetup, 'output' | 'variables'> | null;
  /** Hooks and delegates of the run, which also decide on this command. */
  readonly programs: Programs | null;
  readonly record: (entry: RunEntry) => void;
}

/** Default timeout of a command in seconds; time limit of all commands together in milliseconds. */
const defaultTimeout = 300;
const longestMs = 15 * 60_000;
const bounds = { singles: 8, trials: 24 };

/**
 * Tries the suggestions of a run and records the results. Each is tried in a scratch tree of the
 * reviewed head, with the command of `review.verify`, else with the checks of an edit. The command
 * runs code of the repository, so this belongs to the agent zone. An error is recorded and costs
 * the run nothing.
 */
export async function proveOutcome(run: ProofRun, draft: Outcome): Promise<void> {
  const ended = draft.conclusion === 'success' || draft.conclusion === 'limit';
  if (!ended || run.signal.aborted) return;
  try {
    const checks = await proveSuggestions(run, draft);
    if (checks.length > 0) run.record({ type: 'suggestion_checks', checks });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Suggested changes could not be tried: ${why}`;
    run.record({ type: 'diagnostic', level: 'warning', message });
  }
}

async function proveSuggestions(run: ProofRun, draft: Outcome): Promise<SuggestionCheck[]> {
  const { plan, range, pullRequestDiff, config } = run;
  if (plan.thread?.kind !== 'pull_request' || range == null || pullRequestDiff == null) return [];
  const changes = suggestionsToTry(draft, plan, pullRequestDiff, config.review ?? {});
  if (changes.length === 0) return [];
  const all = (trial: Trial) => changes.map((change) => ({ ...nameSuggestion(change), ...trial }));
  const verify = settingsOf(config.review?.verify);
  if (verify !== null && plan.checkout.fork && !verify.forks)
    return all(unchecked('The check does not run on pull requests from forks.'));
  const folder = path.join(run.runFolder, 'proof');
  const scratch = await makeScratchTree(range.git, range.to, folder);
  let commands: CommandRunner | null = null;
  try {
    const workspace = await openWorkspace({
      ...{ root: scratch.root, runFolder: path.join(run.runFolder, 'proof-state') },
      spillFolder: folder,
    });
    commands = await createCommandRunner({
      ...{ mode: run.sandbox, workspace, spillFolder: folder, environment: run.environment },
      ...(run.setup === null ? {} : { setup: run.setup.output, variables: run.setup.variables }),
    });
    const trialOf = verify === null ? null : await commandTrial(verify, run, workspace, commands);
    if (typeof trialOf === 'string') return all(unchecked(trialOf));
    const deadline = AbortSignal.timeout(longestMs);
    const signal = AbortSignal.any([run.signal, deadline]);
    const services = servicesOf(run, workspace, commands, signal);
    const results = await proveAll(changes, {
      ...bounds,
      collide: (a, b) => a.path === b.path && meets(a, b),
      belongs: ({ edit }) => edit,
      trial: async (group) => {
        if (signal.aborted) return unchecked('There was no time left to check it.');
        return withReplaced(workspace.files, group, (files) =>
          trialOf === null ? tryByParsers(files, services) : tryCommand({ ...trialOf, signal }),
        );
      },
    });
    return changes.map((change) => ({
      ...nameSuggestion(change),
      ...cut(results.get(change) ?? unchecked('')),
    }));
  } finally {
    await commands?.close();
    await scratch.remove();
  }
}

const unchecked = (said: string): Trial => ({ result: 'not_run', said });
const cut = (trial: Trial): Trial => ({ ...trial, said: trial.said.slice(0, 400) });

interface Verify {
  readonly command: string;
  readonly timeoutMs: number;
  readonly forks: boolean;
}

function settingsOf(given: NonNullable<RunRequest['config']['review']>['verify']): Verify | null {
  if (given === undefined) return null;
  const {
    command,
    timeoutSeconds = defaultTimeout,
    forks = false,
  } = typeof given === 'string' ? { command: given } : given;
  return { command, timeoutMs: timeoutSeconds * 1000, forks };
}

/**
 * Returns the command of the base branch, or why it may not run. It is evaluated like a call of the
 * model. The author of the configuration answers for the preset, but not for a rule or a hook that
 * asks.
 */
async function commandTrial(
  { command, timeoutMs }: Verify,
  run: ProofRun,
  workspace: Workspace,
  commands: CommandRunner,
): Promise<Omit<CommandTrial, 'signal'> | string> {
  if (!sandboxAllowsCommands({ ...run, ...commands })) return 'The check needs a sandbox, and there is none.';
  const gate = makeGate({
    ...{ ...run, readOnly: false, workspace, commands },
    spillFolder: workspace.root,
    programs: run.programs,
  });
  const input = { command };
  const call: GateCall = {
    ...{ tool: bash, level: 'confirm_execute', input, diff: undefined, onlyReads: false },
    targets: { what: command, commands: [command] },
  };
  const { action, rule, reason } = await gate(call, 'main');
  if (action === 'reject' || (action === 'ask' && rule !== null)) return `The check may not run: ${reason}`;
  return { command, timeoutMs, root: workspace.root, commands, record: run.record };
}

function servicesOf(
  run: ProofRun,
  workspace: Workspace,
  commands: CommandRunner,
  signal: AbortSignal,
): LinterServices {
  const fork = run.plan.checkout.fork;
  const { config, environment, record, runFolder } = run;
  const checks = config.review?.checks ?? {};
  const found = lintersOf(
    { ...{ config, environment, record, runFolder, fork, workspace, commands, signal }, preset: run.preset },
    checks,
  );
  if (found !== null && typeof found !== 'string' && checks.linters !== false) return found;
  return { workspace, commands, signal, record, editChecks: newEditChecks() };
}

/** Compares the problems of files before and after, by our parsers and the repository's linters. */
async function tryByParsers(
  files: Parameters<typeof verifyChange>[0],
  services: LinterServices,
): Promise<Trial> {
  if (files.length === 0) return { result: 'passed', said: '' };
  const { validation, data } = await verifyChange(files, services);
  const problems = Array.isArray(data.problems) ? data.problems : [];
  const fresh = problems.flatMap((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && one.new && one.severity === 'error'
      ? [`${String(one.tool)}: ${String(one.message)}`]
      : [],
  );
  if (fresh[0] !== undefined)
    return { result: 'failed', said: 'It brings an error.', quote: fresh[0].slice(0, 300) };
  return validation.size === 0 ? unchecked('') : { result: 'passed', said: '' };
}
