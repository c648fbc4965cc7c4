import type { Config } from '../../config/schema.ts';
import type { SandboxMode } from '../../contract/levels.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import { cleanEnvironment } from '../../sandbox/clean-environment.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { foldersOfSecrets, ownerOf } from '../../sandbox/create-command-runner.ts';
import type { SetupOutput } from '../../sandbox/setup-layout.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import type { Overlay } from '../../workspace/files/confine-path.ts';
import { isFree, removeMountPoints } from '../../workspace/setup/mount-points.ts';
import { runCommands } from '../../workspace/setup/run-commands.ts';
import { runSetup, type SetupResult } from '../../workspace/setup/run-setup.ts';
import { type SetupSettings, setupSettings } from '../../workspace/setup/setup-settings.ts';
import { isLocal } from '../policy/local-plan.ts';
import { sandboxAllowsCommands } from '../policy/sandbox-allows-commands.ts';

/** Location of set-up results, and the owner of the trees they are made from. */
export interface SetupLocation {
  readonly storeFolder: string;
  /** Results of one repository are never mounted for another's runs. */
  readonly repository: string;
  /** Null for a tree by an author with write permission; else its author. */
  readonly untrusted: string | null;
}

/** The set-up of one run. Its results exist once `perform` has resolved. */
export interface RunSetup {
  readonly output: () => SetupOutput | null;
  readonly overlays: () => readonly Overlay[];
  /** Variables with which commands find the results. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs the set-up; returns a text for the model. Never rejects. */
  perform(commands: CommandRunner, record: (entry: RunEntry) => void): Promise<string | null>;
  release(): Promise<void>;
}

interface SetupRun {
  readonly root: string;
  readonly config: Config;
  readonly sandbox: SandboxMode;
  readonly plan: Pick<RunPlan, 'source'>;
  readonly setup?: SetupLocation;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Composes the set-up of a run's configuration. Its commands come from the base branch; the tree
 * they see is the run's.
 */
export function composeSetup(run: SetupRun & { readonly settings: NonNullable<Config['setup']> }): RunSetup {
  const settings = setupSettings(run.settings);
  let result: SetupResult | null = null;
  const output = () => result?.output ?? null;
  const overlays = () => (output()?.folders ?? []).filter(({ mountPath }) => !mountPath.startsWith('~/'));
  return {
    output,
    overlays,
    variables: settings.runEnvironment,
    async perform(commands, record) {
      const skip = await reasonToSkip(run, commands, settings);
      if (skip !== null) {
        record({ type: 'setup', state: 'skipped', what: skip.why });
        if (skip.warn) record(warning(`The set-up was left out: ${skip.why}`));
        return null;
      }
      record({ type: 'setup', state: 'started', what: settings.commands.join(' && ') });
      const startedAt = monotonicMs();
      try {
        result = await (commands.sandboxed
          ? inSandbox(run, settings)
          : withoutSandbox(run, settings, commands));
        return report(result, settings, monotonicMs() - startedAt, record);
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error);
        record({ type: 'setup', state: 'failed', what });
        // The run is about to end, and its error gives the reason.
        return run.signal.aborted ? null : failed(what, record);
      }
    },
    async release() {
      await removeMountPoints(
        run.root,
        overlays().map(({ mountPath }) => mountPath),
      );
      await result?.release();
    },
  };
}

/** Records the result of a set-up; returns a text for the model. */
function report(
  { state, output, problem, notes }: SetupResult,
  settings: SetupSettings,
  durationMs: number,
  record: (entry: RunEntry) => void,
): string {
  const mounted = output?.folders.map(({ mountPath }) => mountPath) ?? [];
  const what = problem ?? mounted.join(', ');
  record({ type: 'setup', state, what, duration_ms: Math.round(durationMs) });
  for (const note of notes) record(warning(note));
  return problem === null ? describeSetup(settings, mounted) : failed(problem, record, notes);
}

const warning = (message: string): RunEntry => ({ type: 'diagnostic', level: 'warning', message });

function failed(problem: string, record: (entry: RunEntry) => void, notes: readonly string[] = []): string {
  const text = `The set-up failed, and the run continued without it: ${plain(problem)}`;
  record(warning(text));
  const refused = notes.map((note) => `\n${plain(note)}`).join('');
  return `${text}${refused}\nWhat it would have installed is not there, and cannot be installed without network. Say in your answer which checks did not run for that.`;
}

function describeSetup({ commands }: SetupSettings, shown: readonly string[]): string {
  const ran = `Before this run, the set-up ran \`${commands.join(' && ')}\`.`;
  return shown.length === 0
    ? ran
    : `${ran} Its results are read-only: ${shown
        .slice(0, 20)
        .map((place) => plain(place).slice(0, 200))
        .join(', ')}.`;
}

/**
 * Cleans output of programs and names of folders, as strangers chose them: one line that closes
 * none of the model's tags.
 */
function plain(text: string): string {
  return stripInvisible(text)
    .text.replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?=\s*[/a-z])/gi, '&lt;');
}

async function reasonToSkip(
  run: SetupRun,
  commands: CommandRunner,
  settings: SetupSettings,
): Promise<{ why: string; warn: boolean } | null> {
  if (!sandboxAllowsCommands({ ...run, ...commands }))
    return { why: 'this run has no sandbox, and installing runs nowhere else.', warn: true };
  if (run.setup === undefined) return { why: 'this way in keeps no results of set-ups.', warn: true };
  if (!isLocal(run.plan)) return null;
  // The user's own checkout: installed packages there are theirs.
  const places = settings.cache.filter((one) => !one.startsWith('~/')).map((one) => one.replace('**/', ''));
  for (const place of places)
    if (!/[*?[{]/.test(place) && !(await isFree(run.root, place)))
      return { why: `${place} is there already.`, warn: false };
  return null;
}

async function inSandbox(run: SetupRun, settings: SetupSettings): Promise<SetupResult> {
  const { root, environment, signal, config } = run;
  if (run.setup === undefined) throw new Error('a set-up without a place for its results');
  return runSetup({
    ...run.setup,
    ...{ settings, root, signal },
    privateRegistries: config.network?.privateRegistries ?? [],
    environment: cleanEnvironment(environment),
    hidden: foldersOfSecrets(environment),
    identity: ownerOf(root),
  });
}

/** Runs the commands in the checkout itself, as the user turned the sandbox off. */
async function withoutSandbox(
  run: SetupRun,
  settings: SetupSettings,
  commands: CommandRunner,
): Promise<SetupResult> {
  const problem = await runCommands(settings, run.signal, (request) =>
    commands.run({ ...request, cwd: run.root, env: settings.environment }),
  );
  const state = problem === null ? 'ready' : 'failed';
  return { state, output: null, problem, notes: [], release: async () => {} };
}
