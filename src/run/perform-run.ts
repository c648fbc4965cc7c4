import path from 'node:path';
import type { AgentResult } from '../agent/loop/agent-run.ts';
import type { RemindedRun } from '../agent/loop/run-tree.ts';
import { describeDummyKey } from '../agent/models/describe-dummy-key.ts';
import type { Profile } from '../agent/profiles/profiles.ts';
import { toolDefinitionsFor } from '../agent/profiles/tool-definitions.ts';
import { withoutCommands } from '../agent/profiles/tool-filters.ts';
import { refuseStart, startRun } from '../agent/start-run.ts';
import { contextBounds } from '../config/defaults.ts';
import { RunStopped } from '../contract/errors.ts';
import { createCommandRunner, noSandboxWarning, type RunnerOfRun } from '../sandbox/create-command-runner.ts';
import { gitState } from '../workspace/git/git-state.ts';
import type { AssembledRun } from './assemble-run.ts';
import { checksBefore } from './checks/checks-before.ts';
import { modelFor } from './conversation/choose-profile.ts';
import { contextPackOf, diffUnderReview } from './conversation/context-pack-of.ts';
import { type Guidance, openGuidance } from './conversation/guidance.ts';
import { conversation, resumedFrom, sessionReply } from './conversation/open-conversation.ts';
import { openExternalTools } from './extensions/external-tools.ts';
import { lazyGate } from './gate/lazy-gate.ts';
import type { RunTools } from './open-run-tools.ts';
import { canApprove } from './policy/grant-approval.ts';
import { isLocal } from './policy/local-plan.ts';
import { sandboxAllowsCommands } from './policy/sandbox-allows-commands.ts';
import { warnOfPolicy } from './policy/warn-of-policy.ts';
import { composePrograms } from './programs/compose-programs.ts';
import { makeProvenance } from './records/make-provenance.ts';
import { newRunId } from './records/run-context.ts';

/** The settings of the agent that are known before the tools are open. */
type StartSettings = Parameters<typeof refuseStart>[0];

/** Runs the agent to its end. A missing sandbox that is required gives a result without a turn. */
export async function performRun(run: AssembledRun): Promise<AgentResult> {
  const { request, workspace } = run;
  const runner = await openRunner(run);
  const commands = !(runner instanceof RunStopped) && sandboxAllowsCommands({ ...request, ...runner });
  const profile = commands ? run.profile : withoutCommands(run.profile);
  const guidance = openGuidance(request, profile, workspace, run.record);
  const settings = await startSettings(run, profile, guidance);
  if (runner instanceof RunStopped) return refuseStart(settings, runner.reason);
  if (runner.whyNoSandbox !== null)
    run.warn(noSandboxWarning(runner.whyNoSandbox, { commands, forGitHub: !isLocal(request.plan) }));
  return startAgent(run, runner, guidance, settings);
}

async function openRunner({ request, setup, ...run }: AssembledRun): Promise<RunnerOfRun | RunStopped> {
  try {
    return await createCommandRunner({
      ...(setup === null ? {} : { setup: setup.output, variables: setup.variables }),
      mode: request.sandbox,
      workspace: run.workspace,
      spillFolder: run.folder.spillFolder,
      repositories: run.repositories,
      environment: request.environment,
      readOnlyWorkspace: request.readOnly,
    });
  } catch (error) {
    if (error instanceof RunStopped) return error;
    throw error;
  }
}

async function startSettings(
  run: AssembledRun,
  profile: Profile,
  guidance: Guidance,
): Promise<StartSettings> {
  const { request, workspace, folder, opened, repositories } = run;
  const { config, resume } = request;
  const disabledTools = config.tools?.disabled ?? [];
  const model = await run.models.main;
  return {
    ...{ profile, profiles: run.profiles, registry, preload, disabledTools, model },
    ...{ ledger: run.ledger, redact: run.redact, listen: run.listen, signal: request.signal },
    runId: request.runId,
    sessionId: request.sessionId,
    prompt: request.task,
    provenance: (prompt) => makeProvenance(request, prompt),
    answerForm: request.answerForm,
    presetName: run.preset,
    toolDefinitions: await toolDefinitionsFor(profile, disabledTools, registry),
    limits: request.limits,
    context: contextBounds(config.context),
    reply: sessionReply(resume),
    ...resumedFrom(resume),
    models: run.models.named,
    baseSha: workspace.headSha,
    start: workspace.start,
    now: () => new Date(),
    foreground: request.plan.thread !== null,
    canAsk: request.canAsk,
    canApprove: canApprove(request),
    rules: config.permissions?.rules ?? [],
    before: resume?.session ?? null,
    newId: () => newRunId('child'),
    reminders: (one: RemindedRun) => [
      ...guidance.reminders(one),
      ...(one.child ? [] : (opened.external?.notes ?? [])),
    ],
    contextPack: (child: Profile) => {
      const external = async () => (await opened.external?.first(child)) ?? null;
      const { setupReport } = opened;
      // Read again: a child finds what the run has changed so far.
      const git = gitState(request.root, path.join(folder.folder, `${newRunId('child')}.git`));
      const pack = { ...request, repositories, setupReport, guidance, external };
      return contextPackOf(pack, child, workspace, git);
    },
    reviewDiff: async () => {
      const own = (await workspace.finalChanges()).patch;
      return own === '' ? diffUnderReview(request, workspace, folder.folder) : { diff: own, commit: null };
    },
  };
}

/** Opens the sources of tools, the conversation and the gate, and starts the agent. */
async function startAgent(
  run: AssembledRun,
  runner: RunnerOfRun,
  guidance: Guidance,
  settings: StartSettings,
): Promise<AgentResult> {
  const { request, workspace, folder, repositories, preset, opened, setup, record, warn } = run;
  const { profile } = settings;
  const shared = { ...request, preset, workspace, commands: runner, repositories, runFolder: folder.folder };
  const program = { ...shared, root: workspace.root, sandboxed: runner.sandboxed, warn };
  opened.commands = runner;
  // A profile that may change nothing gets extension tools that change nothing.
  const readOnly = request.readOnly || profile.readOnly;
  const { preset: _, ...external } = { ...program, prepared: setup, readOnly };
  opened.external = await openExternalTools({ ...external, preset: request.preset }, profile, registry);
  const { tools, first } = opened.external;
  opened.setupReport = (await setup?.perform(runner, record)) ?? null;
  const { setupReport } = opened;
  const checked = await checksBefore(shared, record);
  const opening = { ...request, repositories, setupReport, checked, guidance, external: () => first() };
  const { spillFolder } = folder;
  const start = await conversation(opening, profile, run);
  // The policies are compared with the tools, which load during the first request.
  const warned = warnOfSettings(run, profile);
  warned.catch(() => undefined);
  const programs = await composePrograms({ ...program, redact: run.redact });
  opened.programs = programs;
  const gated = lazyGate({ ...shared, programs, grants: start.grants, spillFolder });
  opened.evaluateChanges = (changes, by) => gated.evaluateChanges(changes, { ...by, context: 'main' });
  const result = await startRun({
    ...settings,
    external: tools,
    ...(tools === null
      ? {}
      : {
          toolDefinitions: await toolDefinitionsFor(profile, settings.disabledTools, registry, {
            external: tools,
          }),
        }),
    sandboxed: runner.sandboxed,
    commandsReadOnly: request.readOnly,
    patchOnly: request.plan.ended !== undefined,
    after: programs?.after ?? null,
    beforeTools: () => workspace.beginBaseline(),
    services: async () => (await openTools(run, runner, guidance)).services,
    ...start,
    ...gated,
  });
  await warned;
  return result;
}

async function warnOfSettings({ request, warn, record }: AssembledRun, profile: Profile): Promise<void> {
  await warnOfPolicy(request.config, request.environment, warn).catch((error: Error) =>
    warn(`The policies could not be checked: ${error.message}`),
  );
  const message = describeDummyKey(modelFor(profile, request), request.config, request.environment);
  // For the operator: a report is read by anyone.
  if (message !== '') record({ type: 'diagnostic', level: 'info', message });
}

/** Opens the services of the tools, at the first call. */
function openTools(run: AssembledRun, commands: RunnerOfRun, guidance: Guidance): Promise<RunTools> {
  const { request, workspace, folder, repositories, preset, redact, opened, ledger } = run;
  opened.tools ??= import('./open-run-tools.ts').then(({ openRunTools }) =>
    openRunTools(
      {
        ...{ ...request, preset, workspace, commands, repositories, redact, now: () => new Date() },
        guidance: {
          ...guidance,
          skills: { ...guidance.skills, startPrograms: opened.external?.startPrograms ?? null },
        },
        runFolder: folder.folder,
        spillFolder: folder.spillFolder,
        checksFrom: request.trustedTree ?? null,
      },
      ledger,
    ),
  );
  return opened.tools;
}

/** Loads the built-in tools, at the first call or during the first request. */
const registry = async () => (await import('../tools/registry/builtin-tools.ts')).builtinTools;
const preload = [
  async () => (await import('../tools/registry/start-tools.ts')).startTools,
  async () => (await import('../tools/registry/standard-tools.ts')).standardTools,
];
