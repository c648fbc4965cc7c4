import path from 'node:path';
import type { EvaluateChanges } from '../agent/calls/evaluate-call-changes.ts';
import { openRunLedger, type RunLedger } from '../agent/ledger/open-run-ledger.ts';
import { openRunTrace, type RunTrace, traceBeside } from '../agent/ledger/open-run-trace.ts';
import { openRecorder, type Recorder } from '../agent/ledger/recorder.ts';
import type { Profile, Profiles } from '../agent/profiles/profiles.ts';
import { runSecrets } from '../config/secret-values.ts';
import type { Preset } from '../contract/levels.ts';
import { presetFrom } from '../contract/levels.ts';
import { createRedactor } from '../redaction/redact.ts';
import type { CommandRunner } from '../sandbox/command-runner.ts';
import { gitState } from '../workspace/git/git-state.ts';
import type { RegisteredRepository } from '../workspace/git/registered-repositories.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { createRunFolder, type RunFolder } from '../workspace/storage/run-folder.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { chooseProfile, modelFor } from './conversation/choose-profile.ts';
import type { ExtensionTools } from './extensions/external-tools.ts';
import { openModels, type RunModels } from './open-models.ts';
import type { RunTools } from './open-run-tools.ts';
import type { Programs } from './programs/open-programs.ts';
import type { RunRequest } from './records/run-context.ts';
import { createTranscript, type Transcript } from './records/transcript.ts';
import { composeRepositories } from './setup/compose-repositories.ts';
import type { RunSetup } from './setup/compose-setup.ts';

/** Resources that a run opens on its way, each null until then. */
interface RunResources {
  /** Null in a run that never called a tool. */
  tools: Promise<RunTools> | null;
  external: ExtensionTools | null;
  commands: CommandRunner | null;
  programs: Programs | null;
  /** Evaluates changes that no call reported. */
  evaluateChanges: EvaluateChanges | null;
  /** Text for the model about the set-up. */
  setupReport: string | null;
}

/** A run with everything that it needs before its first turn. */
export interface AssembledRun extends Recorder {
  readonly request: RunRequest;
  readonly folder: RunFolder;
  readonly secrets: readonly string[];
  readonly redact: (text: string) => string;
  /** The chosen profile; a run without a sandbox takes its commands away. */
  readonly profile: Profile;
  readonly profiles: Profiles;
  readonly models: RunModels;
  readonly repositories: readonly RegisteredRepository[];
  readonly setup: RunSetup | null;
  readonly workspace: Workspace;
  readonly preset: Preset;
  readonly ledger: RunLedger;
  readonly trace: RunTrace;
  /** The whole conversation; a result lacks what a compaction removed. */
  readonly transcript: Transcript;
  readonly git: ReturnType<typeof gitState>;
  readonly opened: RunResources;
}

/** Opens the parts of a run. Throws `ConfigError` for a request that cannot be run. */
export async function assembleRun(request: RunRequest): Promise<AssembledRun> {
  const folder = await createRunFolder({ base: request.runsFolder, runId: request.runId });
  const secrets = runSecrets(request);
  const redact = createRedactor(secrets);
  // The provider's SDK and git take about as long as each other, so both start here.
  const git = gitState(request.root, path.join(folder.folder, 'state.git'));
  git.catch(() => undefined);
  const { profile, profiles } = chooseProfile(request);
  const models = openModels({ ...request, model: modelFor(profile, request) }, redact, (entry) =>
    recorder.record(entry),
  );
  const { repositories, problems } = await composeRepositories(request);
  const setup = await openSetup(request);
  const { spillFolder } = folder;
  const workspace = await openWorkspace({
    ...{ root: request.root, runFolder: folder.folder, spillFolder, repositories },
    ...(setup === null ? {} : { overlays: setup.overlays }),
    start: await startOf(request),
  });
  const transcript = createTranscript();
  const now = () => new Date();
  const bounds = { now, redact, mostBytes: ledgerBytes(request.config) };
  const trace = openRunTrace(traceBeside(folder.ledgerFile), bounds);
  const ledger = openRunLedger(folder.ledgerFile, {
    ...bounds,
    onEntry(entry, line) {
      transcript.add(entry);
      trace.addEntry(entry, line);
    },
  });
  const recorder = openRecorder(ledger, (event) => {
    trace.addEvent(event);
    request.listen(event);
  });
  const unasked = request.config.permissions?.onAsk === 'comment' && !request.canAsk ? [noOneToAsk] : [];
  for (const message of [...problems, ...unasked])
    ledger.record({ type: 'diagnostic', level: 'warning', message });
  return {
    ...{ request, folder, secrets, redact, profile, profiles, models, repositories, setup, workspace },
    ...{ ...recorder, preset: presetFrom(request.preset), ledger, trace, transcript, git },
    opened: {
      ...{ tools: null, external: null, commands: null, programs: null },
      ...{ evaluateChanges: null, setupReport: null },
    },
  };
}

/** Returns the size limit of ledger and trace in bytes; undefined for the standard. */
function ledgerBytes({ records }: RunRequest['config']): number | undefined {
  return records?.ledgerMegabytes === undefined ? undefined : records.ledgerMegabytes * 1_000_000;
}

/** Returns the folder below the root that a run works in. Few configurations name one. */
async function startOf(request: RunRequest): Promise<string> {
  if (request.start !== undefined || request.config.workspace?.directory === undefined)
    return request.start ?? '';
  const { configuredStart } = await import('./configured-start.ts');
  return configuredStart(request.root, request.config.workspace.directory);
}

/** Closes all parts of a run. A part that fails to close is reported and changes no result. */
export async function closeRun({ opened, workspace, setup, listen }: AssembledRun): Promise<void> {
  const { external, commands, programs, tools } = opened;
  const closing = [
    () => external?.close(),
    () => commands?.close(),
    () => programs?.close(),
    async () => (await tools?.catch(() => null))?.close(),
    () => workspace.close(),
    () => setup?.release(),
  ];
  for (const close of closing)
    await (async () => close())().catch((error: Error) =>
      listen({ type: 'diagnostic', level: 'warning', message: `Not closed: ${error.message}` }),
    );
}

/** Opens the set-up of the configuration; loads nothing without one. */
async function openSetup(request: RunRequest): Promise<RunSetup | null> {
  const settings = request.config.setup;
  if (settings === undefined) return null;
  return (await import('./setup/compose-setup.ts')).composeSetup({ ...request, settings });
}

const noOneToAsk =
  'permissions.onAsk is comment, but this run cannot ask: in a workflow it needs a thread and state_secret. Calls that need approval are refused.';
