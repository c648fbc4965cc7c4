import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { callTool } from '../agent/calls/call-tool.ts';
import { openRunLedger, type RunLedger } from '../agent/ledger/open-run-ledger.ts';
import { findProfile } from '../agent/profiles/profiles.ts';
import type { ToolSet } from '../agent/profiles/tool-set.ts';
import { newEditChecks } from '../checks/linters/edit-checks.ts';
import { presetOf } from '../config/defaults.ts';
import type { Config } from '../config/schema.ts';
import { runSecrets } from '../config/secret-values.ts';
import type { Decision } from '../contract/decision.ts';
import { RunStopped, ToolError } from '../contract/errors.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { SandboxMode } from '../contract/levels.ts';
import type { ImagePart, TextPart, ToolResultPart } from '../contract/message.ts';
import { monotonicMs } from '../contract/monotonic-ms.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import type { Question } from '../contract/run-results.ts';
import { createRedactor } from '../redaction/redact.ts';
import { reviewServices } from '../run/checks/make-review-services.ts';
import { openGuidance } from '../run/conversation/guidance.ts';
import { makeChangeEvaluator, makeGate } from '../run/gate/make-gate.ts';
import { makeServices } from '../run/make-services.ts';
import { decideEditChecks } from '../run/policy/decide-edit-checks.ts';
import { localOrigin } from '../run/policy/local-plan.ts';
import { sandboxAllowsCommands } from '../run/policy/sandbox-allows-commands.ts';
import { composePrograms } from '../run/programs/compose-programs.ts';
import { newRunId } from '../run/records/run-context.ts';
import { openRunStores } from '../run/records/run-stores.ts';
import { composeRepositories } from '../run/setup/compose-repositories.ts';
import { createCommandRunner, noSandboxWarning } from '../sandbox/create-command-runner.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';
import { openPastThreads } from '../tools/services/past-threads.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { createRunFolder, type RunFolder } from '../workspace/storage/run-folder.ts';
import { userSkillsFolder } from './local-config.ts';
import { localRunsFolder } from './local-folders.ts';
import { localState } from './local-state.ts';
import { handChildren, noSessions } from './manual-children.ts';
import { type StoredCall, storeCallRecord } from './store-call-record.ts';

/** A manual call. */
export interface ToolUse {
  readonly name: string;
  readonly input: JsonObject;
  readonly tools: ToolSet;
  readonly root: string;
  /** Folder below `root` that commands start in; '' for the root. */
  readonly start: string;
  /** Value of `--cwd` as typed; null without it. */
  readonly cwd: string | null;
  readonly config: Config;
  readonly sandbox: SandboxMode;
  /** Allowed levels; null for all. */
  readonly levels: readonly string[] | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** True if nothing of the call is kept. Default: false. */
  readonly discard?: boolean;
  /** Asks the user who makes the call. */
  readonly ask: (question: Question) => Promise<string>;
}

/** Result of a manual call, with notes for the user, one line each. */
export type UsedTool = { readonly notes: readonly string[] } & (
  | {
      readonly ok: true;
      readonly content: string | readonly (TextPart | ImagePart)[];
      readonly data?: Json;
      readonly spill?: string;
    }
  | { readonly ok: false; readonly error: { readonly kind: string; readonly message: string } }
);

/**
 * Makes one call as a run would: parsed, evaluated, bounded, recorded. The user counts as the
 * person a preset would ask, so only hard denies and rejecting rules apply.
 */
export async function useOneTool(use: ToolUse): Promise<UsedTool> {
  const runId = newRunId('run');
  const folder = await createRunFolder({ base: localRunsFolder(), runId });
  const redact = createRedactor(runSecrets(use));
  const ledger = openRunLedger(folder.ledgerFile, { now: () => new Date(), redact });
  const entries: RunEntry[] = [];
  const record = (entry: RunEntry) => {
    entries.push(entry);
    ledger.record(entry);
  };
  const warn = (message: string) => record({ type: 'diagnostic', level: 'warning', message });
  const parts = await openParts(use, { runId, folder, redact, record, warn }).catch(async (error) => {
    await dropRecord(folder, ledger);
    await rmdir(localRunsFolder()).catch(() => undefined);
    throw error;
  });
  const { services, workspace, commands, programs, storage } = parts;
  let ownFiles = false;
  const makeAndFinish = async () => {
    const result = await makeCall(use, parts, { folder, redact, record });
    await workspace.changes.observeDeferred();
    await parts.finish(result.is_error ? 'failure' : 'success', { record });
    ownFiles = await storage.hasOwnFiles();
    return usedTool(result, entries);
  };
  const end = await settled(makeAndFinish, use.signal);
  await services.syntax.close();
  await commands.close();
  await programs?.close();
  await workspace.close();
  // The record is stored only if it can be restored or was mentioned.
  const isStored = use.discard !== true && (ownFiles || entries.some(keeps));
  const { record: place, notes } = isStored
    ? await storeCallRecord({ ...use, folder, redact, ledger, changes: entries.some(isChange) })
    : await dropRecord(folder, ledger);
  await rmdir(localRunsFolder()).catch(() => undefined);
  if ('error' in end) throw end.error;
  const named = { ...use, runId, place, ownFiles };
  return { ...movedTo(place, folder, end.used), notes: [...notesOn(named, entries), ...notes] };
}

/** A result of a call without its notes. */
type Used = UsedTool extends infer One ? (One extends UsedTool ? Omit<One, 'notes'> : never) : never;

/** Makes a call. A stop or an abort is its result; any other error is returned as one. */
async function settled(
  make: () => Promise<Used>,
  signal: AbortSignal,
): Promise<{ readonly used: Used } | { readonly error: unknown }> {
  try {
    return { used: await make() };
  } catch (error) {
    if (error instanceof RunStopped)
      return { used: { ok: false, error: { kind: error.reason.kind, message: error.message } } };
    if (!signal.aborted) return { error };
    const message = 'The call was cancelled; all that it had started is ended.';
    return { used: { ok: false, error: { kind: 'cancelled', message } } };
  }
}

async function dropRecord(folder: RunFolder, ledger: RunLedger): Promise<StoredCall> {
  await ledger.close();
  await rm(folder.folder, { recursive: true, force: true });
  return { record: folder.folder, notes: [] };
}

/** Names a spilled file where the record is. */
function movedTo(place: string, { folder }: RunFolder, used: Used): Used {
  if (!used.ok || used.spill === undefined || place === folder) return used;
  const { content, spill } = used;
  const text = (one: string) => one.replaceAll(folder, place);
  const moved =
    typeof content === 'string'
      ? text(content)
      : content.map((part) => (part.type === 'text' ? { ...part, text: text(part.text) } : part));
  return { ...used, content: moved, spill: text(spill) };
}

/** Record of one manual call. */
interface CallRecord {
  readonly folder: RunFolder;
  readonly redact: (text: string) => string;
  readonly record: (entry: RunEntry) => void;
}

/** Opens the workspace, commands and services of a manual call, as for a run. */
async function openParts(
  use: ToolUse,
  call: CallRecord & { readonly runId: string; readonly warn: (message: string) => void },
) {
  const { runId, redact, record, warn } = call;
  const { folder: runFolder, spillFolder } = call.folder;
  const { repositories, problems } = await composeRepositories({ ...use, runsFolder: localRunsFolder() });
  const { root, start } = use;
  const plan = localOrigin(root);
  const workspace = await openWorkspace({ root, start, runFolder, spillFolder, repositories });
  const commands = await createCommandRunner({
    mode: use.sandbox,
    workspace,
    spillFolder,
    repositories,
    environment: use.environment,
  });
  for (const message of problems) warn(message);
  if (commands.whyNoSandbox !== null) {
    const mayRun = sandboxAllowsCommands({ ...use, ...commands, plan });
    warn(noSandboxWarning(commands.whyNoSandbox, { commands: mayRun, forGitHub: false }));
  }
  const store = localState(root, use.environment, warn).state;
  const { storage, tasks, finish } = openRunStores({
    ...{ runId, runFolder, store, redact },
    ...{ readOnly: false, plan, resume: null },
    now: () => new Date(),
  });
  const policy = { ...use, ...manualPolicy, plan };
  const { sandboxed } = commands;
  const steered = {
    config: use.config,
    userSkills: userSkillsFolder(use.environment),
    reviewDiff: null,
    resume: null,
  };
  const guidance = openGuidance(steered, findProfile('craft'), workspace, record);
  const services = makeServices({
    ...{ workspace, commands, spillFolder, repositories, storage, tasks },
    sessions: noSessions,
    threads: openPastThreads({ store, trust: 'own' }),
    editChecks: newEditChecks(decideEditChecks({ ...policy, sandboxed, path: use.environment.PATH })),
    skills: guidance.skills,
    review: reviewServices({ ...policy, workspace, commands, runFolder }),
  });
  const programs = await composePrograms({
    ...{ ...policy, root: workspace.root, repositories, warn, redact },
    ...{ runFolder, sandboxed, secrets: [] },
  });
  const gated = { ...policy, workspace, commands, spillFolder, repositories, programs };
  // A model makes the calls of children, so they are evaluated as in any run.
  const asRun = { ...gated, preset: presetOf(use.config) };
  const children = handChildren({
    ...{ ...use, runId, runFolder, workspace, repositories, guidance: guidance, record, redact, sandboxed },
    services: async () => services,
    gate: makeGate(asRun),
    evaluateChanges: makeChangeEvaluator(asRun),
    after: programs?.after ?? null,
  });
  return { workspace, commands, services, programs, storage, finish, repositories, gated, children };
}

function makeCall(
  use: ToolUse,
  parts: Awaited<ReturnType<typeof openParts>>,
  { folder, redact, record }: CallRecord,
): Promise<ToolResultPart> {
  const { workspace, services, programs, children, repositories } = parts;
  const decide = makeGate(parts.gated);
  const evaluateChanges = makeChangeEvaluator(parts.gated);
  const unavailable = () =>
    Promise.reject(new ToolError('unavailable', 'A call by hand has no run around it that could do that.'));
  return callTool(
    { type: 'tool_call', id: 'call_1', name: use.name, input: use.input },
    {
      tools: use.tools,
      gate: async (call) => {
        refuseLevel(call.tool.name, call.level, use.levels);
        return approved(await decide(call, 'main'));
      },
      after: programs?.after ?? null,
      // The user of a manual call approves what would be asked.
      evaluateChanges: (changes, by) => evaluateChanges(changes, { ...by, context: 'main', approved: true }),
      context: (callId, onlyReads) => ({
        ...services,
        callId,
        onlyReads,
        signal: use.signal,
        state: { todos: [], findings: [] },
        record,
        finish: unavailable,
        ask: use.ask,
        requestPermissions: unavailable,
        ...children,
      }),
      countCall: () => undefined,
      advised: new Set(),
      record,
      redact,
      baseline: () => workspace.baseline(),
      spillFolder: folder.spillFolder,
      start: workspace.start,
      repositories,
      now: monotonicMs,
    },
  );
}

/** No limits, and the user gives every approval. */
const manualPolicy = { preset: 'unrestricted', readOnly: false } as const;

function notesOn({ runId, place, ownFiles, cwd }: CallNotes, entries: readonly RunEntry[]): string[] {
  const notes = entries.flatMap((entry) => (entry.type === 'diagnostic' ? [entry.message] : []));
  if (ownFiles) {
    const storage = path.join(place, 'storage');
    notes.push(`The file is kept in ${storage}. Later calls start without it: only persist/ is handed on.`);
  }
  const where = cwd === null ? '' : ` --cwd ${quotedWord(cwd)}`;
  if (entries.some(isChange)) notes.push(`What it changed is put back by: anode restore ${runId}${where}`);
  return notes;
}

/** Facts of a call for its notes. */
interface CallNotes extends Pick<ToolUse, 'cwd'> {
  readonly runId: string;
  /** The folder of its record. */
  readonly place: string;
  /** True if it left files of its own. */
  readonly ownFiles: boolean;
}

function isChange(entry: RunEntry): boolean {
  return entry.type === 'change';
}

function keeps(entry: RunEntry): boolean {
  return isChange(entry) || (entry.type === 'tool.result' && entry.spill !== null);
}

function refuseLevel(tool: string, level: string, levels: readonly string[] | null): void {
  if (levels === null || levels.includes(level)) return;
  throw new ToolError(
    'refused',
    `${tool} is of the level ${level} and was not run: it does not only read. --allow-non-read runs it.`,
  );
}

function approved(decision: Decision): Decision {
  return decision.action === 'ask' ? { ...decision, action: 'allow' } : decision;
}

function usedTool(result: ToolResultPart, entries: readonly RunEntry[]) {
  const last = entries.findLast((entry) => entry.type === 'tool.result');
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (result.is_error) {
    return {
      ok: false as const,
      error: { kind: last?.error_kind ?? 'failed', message: texts.join('\n') },
    };
  }
  return {
    ok: true as const,
    content: texts.length === result.content.length ? texts.join('\n') : result.content,
    ...(last?.data === undefined ? {} : { data: last.data }),
    ...(last?.spill == null ? {} : { spill: last.spill }),
  };
}
