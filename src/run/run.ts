import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openRunLedger } from '../agent/ledger/open-run-ledger.ts';
import type { AgentResult } from '../agent/loop/agent-run.ts';
import type { RemindedRun } from '../agent/loop/run-tree.ts';
import type { Profile } from '../agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../agent/profiles/tool-definitions.ts';
import { withoutCommands } from '../agent/profiles/tool-filters.ts';
import { refuseStart, startRun } from '../agent/start-run.ts';
import { contextBounds } from '../config/model-settings.ts';
import { runSecrets } from '../config/secret-values.ts';
import { ConfigError, isFullDisk, RunStopped } from '../contract/errors.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { presetFrom } from '../permissions/policy/presets.ts';
import { createRedactor } from '../redaction/redact.ts';
import { createCommandRunner, noSandboxWarning, type RunnerOfRun } from '../sandbox/create-command-runner.ts';
import { gitState } from '../workspace/git/git-state.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { createRunFolder } from '../workspace/storage/run-folder.ts';
import { checksBefore } from './checks/checks-before.ts';
import { chooseProfile, modelFor } from './conversation/choose-profile.ts';
import { contextPackOf, diffUnderReview } from './conversation/context-pack-of.ts';
import { openGuidance } from './conversation/guidance.ts';
import { conversation, replyOf, resumedFrom } from './conversation/open-conversation.ts';
import { openExternalTools } from './extensions/external-tools.ts';
import type { FinishedRun, OpenedRun } from './finish-run.ts';
import { lazyGate } from './gate/lazy-gate.ts';
import { openModels } from './open-models.ts';
import { unlessOverdue } from './overdue.ts';
import { canApprove } from './policy/grant-approval.ts';
import { mayRunCommands } from './policy/may-run-commands.ts';
import { warnOfDummyKey } from './policy/warn-of-dummy-key.ts';
import { warnOfPolicy } from './policy/warn-of-policy.ts';
import { composePrograms } from './programs/compose-programs.ts';
import type { RunContext, RunInput, RunRequest } from './records/run-context.ts';
import { safeListener } from './records/safe-listener.ts';
import { createTranscript } from './records/transcript.ts';
import { composeRepositories } from './setup/compose-repositories.ts';

/** A new id of a run or session: sortable by time, hard to guess. */
export function newRunId(kind: 'run' | 'sess' | 'child'): string {
  return `${kind}_${Date.now().toString(36)}${randomBytes(6).toString('hex')}`;
}

/**
 * Runs the agent on a checkout and folds what happened into an outcome. The record, the changes and the
 * session are safe on disk before this returns, also when the run failed.
 */
export async function run(input: RunInput, context: RunContext): Promise<FinishedRun> {
  const request = { ...input, ...context };
  if (request.checksOnly === true)
    return (await import('./checks/compose-check-run.ts')).composeCheckRun(request);
  const now = () => new Date();
  const folder = await createRunFolder({ base: request.runsFolder, runId: request.runId });
  const secrets = runSecrets(request);
  const redact = createRedactor(secrets);
  // Loading the provider's SDK and asking git take about as long as each other: side by side.
  const stateReady = gitState(request.root, path.join(folder.folder, 'state.git'));
  stateReady.catch(() => undefined);
  const { profile: chosen, profiles } = chooseProfile(request);
  const models = openModels({ ...request, model: modelFor(chosen, request) }, redact, (entry) =>
    record(entry),
  );
  const { repositories, problems } = await composeRepositories(request);
  const setup = await openSetup(request);
  const workspace = await openWorkspace({
    ...(setup === null ? {} : { overlays: setup.overlays }),
    root: request.root,
    ...(request.start === undefined ? {} : { start: request.start }),
    runFolder: folder.folder,
    spillFolder: folder.spillFolder,
    repositories,
  });
  const preset = presetFrom(request.preset);
  const transcript = createTranscript();
  const ledger = openRunLedger(folder.ledgerFile, { now, redact, onEntry: transcript.add });
  const listen = safeListener(request.listen, (message) =>
    ledger.record({ type: 'diagnostic', level: 'warning', message }),
  );
  const unasked = request.config.permissions?.onAsk === 'comment' && !request.canAsk ? [noOneToAsk] : [];
  for (const message of [...problems, ...unasked])
    ledger.record({ type: 'diagnostic', level: 'warning', message });
  const record = (entry: RunEntry) => {
    ledger.record(entry);
    const line = ledger.last;
    if (line !== null && line.type !== 'message') listen(line);
  };
  let setupReport: string | null = null;
  const opened: OpenedRun = { tools: null, external: null, commands: null, programs: null, judge: null };
  try {
    const runner = await createCommandRunner({
      ...(setup === null ? {} : { setup: setup.output, variables: setup.variables }),
      mode: request.sandbox,
      workspace,
      spillFolder: folder.spillFolder,
      repositories,
      environment: request.environment,
      // Its commands may only read, whatever the judgement of their words says.
      readOnlyWorkspace: request.readOnly,
    }).catch(stoppedOnly);
    const commands = !(runner instanceof RunStopped) && mayRunCommands({ ...request, ...runner });
    const profile = commands ? chosen : withoutCommands(chosen);
    const guidance = openGuidance(request, profile, workspace, record);
    const model = await models.main;
    const disabledTools = request.config.tools?.disabled ?? [];
    const settings = {
      runId: request.runId,
      sessionId: request.sessionId,
      prompt: request.task,
      profile,
      profiles,
      presetName: preset,
      registry,
      preload,
      toolDefinitions: await toolDefinitionsFor(profile, disabledTools, registry),
      disabledTools,
      limits: request.limits,
      context: contextBounds(request.config.context),
      reply: replyOf(request.resume),
      ...resumedFrom(request.resume),
      model,
      models: models.named,
      baseSha: workspace.headSha,
      start: workspace.start,
      ledger,
      redact,
      listen,
      signal: request.signal,
      now,
      foreground: request.plan?.thread != null,
      canAsk: request.canAsk,
      canApprove: canApprove(request),
      rules: request.config.permissions?.rules ?? [],
      before: request.resume?.session ?? null,
      newId: () => newRunId('child'),
      reminders: (run: RemindedRun) => [
        ...guidance.reminders(run),
        ...(run.child ? [] : (opened.external?.notes ?? [])),
      ],
      contextPack: (child: Profile) => {
        const external = async () => (await opened.external?.first(child)) ?? null;
        const pack = { ...request, repositories, setupReport, guidance, external };
        // Asked anew: what the run has changed so far is what its child finds.
        const state = gitState(request.root, path.join(folder.folder, `${newRunId('child')}.git`));
        return contextPackOf(pack, child, workspace, state);
      },
      reviewDiff: async () => {
        const own = (await workspace.finalChanges()).patch;
        return own === '' ? diffUnderReview(request, workspace, folder.folder) : { diff: own, commit: null };
      },
    };
    const carryOut = async (runner: RunnerOfRun): Promise<AgentResult> => {
      opened.commands = runner;
      const openTools = () => {
        if (opened.tools === null) workspace.beginBaseline();
        opened.tools ??= import('./open-run-tools.ts').then(({ openRunTools }) =>
          openRunTools(
            {
              ...{ ...request, preset, workspace, commands: runner, repositories, redact, now },
              guidance: {
                ...guidance,
                skills: { ...guidance.skills, bring: opened.external?.bring ?? null },
              },
              runFolder: folder.folder,
              spillFolder: folder.spillFolder,
              checksFrom: request.trustedTree ?? null,
            },
            ledger,
          ),
        );
        return opened.tools;
      };
      const warn = (message: string) => record({ type: 'diagnostic', level: 'warning', message });
      if (runner.whyNoSandbox !== null)
        warn(noSandboxWarning(runner.whyNoSandbox, { commands, forGitHub: request.plan !== null }));
      const place = { root: workspace.root, runFolder: folder.folder, sandboxed: runner.sandboxed };
      const external = await openExternalTools(
        // What a profile may not change, no program of others may change for it either: so its tools that read can be had.
        {
          ...request,
          ...place,
          repositories,
          warn,
          prepared: setup,
          readOnly: request.readOnly || profile.readOnly,
        },
        profile,
        registry,
      );
      opened.external = external;
      setupReport = (await setup?.perform(runner, record)) ?? null;
      const review = { ...request, preset, workspace, commands: runner, runFolder: folder.folder };
      const checked = await checksBefore(review, record);
      const { first } = external;
      const opening = { ...request, repositories, setupReport, checked, guidance, external: () => first() };
      const start = await conversation(opening, profile, workspace, ledger, folder.folder, stateReady);
      // Beside the first request: what policies are checked against are the tools, which load meanwhile.
      const warned = warnOfPolicy(request.config, request.environment, warn)
        .catch((error: Error) => warn(`The policies could not be checked: ${error.message}`))
        .then(() => warnOfDummyKey({ ...request, model: modelFor(profile, request) }).forEach(warn));
      warned.catch(() => undefined);
      const programs = await composePrograms({
        ...{ ...request, ...place, repositories, redact, warn },
      });
      opened.programs = programs;
      const gated = lazyGate({
        ...{ ...request, preset, workspace, commands: runner, repositories, programs },
        ...{ grants: start.grants, spillFolder: folder.spillFolder },
      });
      opened.judge = (changes, by) => gated.evaluateChanges(changes, { ...by, context: 'main' });
      const result = await startRun({
        ...settings,
        external: external.tools,
        ...(external.tools === null
          ? {}
          : { toolDefinitions: await toolDefinitionsFor(profile, disabledTools, registry, external.tools) }),
        sandboxed: runner.sandboxed,
        commandsReadOnly: request.readOnly,
        after: programs?.after ?? null,
        services: async () => (await openTools()).services,
        ...start,
        ...gated,
      });
      await warned;
      return result;
    };
    const ended = await unlessOverdue(
      runner instanceof RunStopped ? Promise.resolve(refuseStart(settings, runner.reason)) : carryOut(runner),
      request.signal,
    ).then(
      (result) => ({ result }),
      (error: unknown) => {
        // Before the first turn nothing was paid for, and nothing can be lost.
        const begun = ledger.lines.some(({ entry }) => entry.type === 'run.started');
        if (error instanceof ConfigError) throw error;
        if (!begun) throw isFullDisk(error) ? fullDiskError(folder.folder, error) : error;
        return { error };
      },
    );
    // Loaded now and not at the start: what only the end needs is not needed before.
    const { finishRun } = await import('./finish-run.ts');
    const parts = { opened, setup, preset, secrets, redact, record: record };
    return await finishRun({ ...parts, ended, request, workspace, ledger, transcript: transcript, folder });
  } catch (error) {
    // What is known of a run that broke is in its record, which must be whole; the defect itself is what counts.
    await ledger.close().catch(() => undefined);
    throw error;
  } finally {
    const { external, commands, programs, tools } = opened;
    const closing = [
      () => external?.close(),
      () => commands?.close(),
      () => programs?.close(),
      async () => (await tools?.catch(() => null))?.close(),
      () => workspace.close(),
      () => setup?.release(),
    ];
    // A part that does not close costs no result of the run.
    for (const close of closing)
      await (async () => close())().catch((error: Error) =>
        listen({ type: 'diagnostic', level: 'warning', message: `Not closed: ${error.message}` }),
      );
  }
}

/** Tools and gate are loaded at the first call, or while the first request is under way, and not before it. */
const registry = async () => (await import('../tools/registry/builtin-tools.ts')).builtinTools;
const preload = [
  async () => (await import('../tools/registry/first-tools.ts')).firstTools,
  async () => (await import('../tools/registry/advertised-tools.ts')).advertisedTools,
];

/** The set-up that the configuration asks for, which loads nothing where there is none. */
async function openSetup(request: RunRequest) {
  const { setup: given } = request.config;
  return given === undefined
    ? null
    : (await import('./setup/compose-setup.ts')).composeSetup({ ...request, settings: given });
}

/** Told where approvals are switched on and nobody can be asked. */
const noOneToAsk =
  'permissions.onAsk is comment, but nobody can be asked in this run: in a workflow it needs a thread, state_dir and state_secret. What needs a person is refused.';

/** For a run that a full disk kept from beginning. */
function fullDiskError(folder: string, cause: unknown): ConfigError {
  return new ConfigError(
    `The disk of ${folder}, where the run keeps its record, is full. Free space there, or set TMPDIR to a folder on another disk.`,
    { key: 'TMPDIR' },
    { cause },
  );
}

function stoppedOnly(error: unknown): RunStopped {
  if (error instanceof RunStopped) return error;
  throw error;
}
