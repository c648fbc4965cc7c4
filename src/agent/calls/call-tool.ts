import type { Approval, Decision } from '../../contract/decision.ts';
import { ToolError } from '../../contract/errors.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { AfterHookText } from '../../permissions/gate/ask-programs.ts';
import { callDigest, shortHash } from '../../permissions/gate/call-digest.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { toolDefinition, wireName } from '../../tools/registry/json-schema.ts';
import { type CommandStart, commandFolder } from '../../tools/shell/command-folder.ts';
import type { Tool, ToolContext, ToolOutput } from '../../tools/tool.ts';
import { changes, isAdvertised } from '../profiles/select-tools.ts';
import type { ToolSet } from '../profiles/tool-set.ts';
import { type ApprovedCall, applyApproval, approvalOf, tooMuchToShow } from './approved-call.ts';
import { argumentReminder, boundOutput } from './call-result.ts';
import { type EvaluateChanges, evaluateCallChanges } from './evaluate-call-changes.ts';
import { type ChildOnlyReads, callOnlyReads, runInnerCalls } from './inner-calls.ts';
import { parseToolInput } from './parse-tool-input.ts';
import { routeCall } from './route-call.ts';

/** A parsed call with everything it would touch, for the gate. */
export interface GateCall {
  readonly tool: Tool;
  readonly level: Decision['level'];
  readonly input: JsonObject;
  readonly targets: Targets;
  readonly diff: string | undefined;
  /** True when the call changes nothing anywhere. */
  readonly onlyReads: boolean;
}

/** Receives each executed call with its result for the model, and returns texts to add to it. */
export type AfterCall = (
  call: GateCall,
  result: { readonly ok: boolean; readonly content: string; readonly data?: Json },
) => Promise<readonly AfterHookText[]>;

/** A tool's context, without the parts that need the run's tools; those are added here. */
export type OuterContext = Omit<
  ToolContext,
  'runCalls' | 'describeCall' | 'deferredTools' | 'namedTools' | 'changeEvaluator'
>;

/** Everything that one call needs from its run. */
export interface CallToolPorts {
  readonly tools: ToolSet;
  /** Default: a child only reads if its call requires that. */
  readonly childOnlyReads?: ChildOnlyReads;
  readonly gate: (call: GateCall) => Promise<Decision>;
  /** The after-hooks. Default: none. */
  readonly after?: AfterCall | null;
  /** Names the changes of commands that must be reverted. Default: none. */
  readonly evaluateChanges?: EvaluateChanges | null;
  readonly context: (callId: string, onlyReads: boolean) => OuterContext;
  /** Counts a call that another one makes. */
  readonly countCall: () => void;
  /**
   * Returns false once the run has used all its calls: a call within a call is then refused.
   * Default: no limit.
   */
  readonly callsLeft?: () => boolean;
  /** Throws `ToolError` for a tool that may not be called again. Default: no limit. */
  readonly limitCall?: (tool: string) => void;
  readonly record: (entry: RunEntry) => void;
  readonly redact: (text: string) => string;
  /**
   * Waits until no other run of the tree may change the checkout; returns the release. Default: no
   * lock.
   */
  readonly lockChanges?: (signal: AbortSignal) => Promise<() => void>;
  /**
   * Awaited before each call. The first one takes the baseline for finding changes, so that no
   * call's changes are part of it.
   */
  readonly baseline: () => Promise<void>;
  readonly spillFolder: string;
  /** Default folder of commands, below the root. Default: the root. */
  readonly start?: string;
  /** Registered repositories, in which commands may start too. Default: none. */
  readonly repositories?: CommandStart['repositories'];
  /** Receives the targets of each executed call. */
  readonly touched?: (targets: Targets) => void;
  /** Advice that the run's refusals have given already. */
  readonly advised: Set<string>;
  readonly now: () => number;
  /**
   * Asks a person about a call and ends the run as waiting, by throwing. Null if no one can be
   * asked.
   */
  readonly requestApproval?: ((approval: Approval) => never) | null;
  /** The call that a person has approved, which is made first. */
  readonly approved?: ApprovedCall | null;
}

/** The state of one call in progress. */
interface CallState {
  readonly call: ToolCallPart;
  readonly ports: CallToolPorts;
  readonly startedAt: number;
  /** The canonical name once the tool is found, before that the name that the model wrote. */
  tool: string;
  /** The raw input, of the tool that the call reaches. */
  input: Json;
  isRecorded: boolean;
  /** Null until the tool is executed. */
  executing: GateCall | null;
  /** True if a person approved the call. */
  isApproved: boolean;
  /** Lines for the model on changes that were reverted. */
  readonly reverted: string[];
  /** Reminder for the model of arguments that were not understood. */
  argumentReminder: string | null;
  releaseChanges: (() => void) | undefined;
}

/** A call that was parsed and prepared, but not decided on. */
interface PreparedCall {
  readonly gateCall: GateCall;
  readonly context: ToolContext;
  readonly prepared: Prepared | undefined;
}

type Prepared = Awaited<ReturnType<NonNullable<Tool['prepare']>>>;

/**
 * Executes a tool; nothing else does: find → repair → parse → prepare → gate → execute → bound →
 * redact → record. A `ToolError` becomes an error result for the model. Throws `RunStopped`, aborts
 * and defects.
 */
export async function callTool(call: ToolCallPart, ports: CallToolPorts): Promise<ToolResultPart> {
  const state: CallState = {
    ...{ call, ports, startedAt: ports.now(), tool: call.name, input: call.input },
    ...{ isRecorded: false, executing: null, isApproved: false, reverted: [], argumentReminder: null },
    releaseChanges: undefined,
  };
  try {
    const ready = await prepareCall(state);
    const { gateCall, context, prepared } = ready;
    const decision = await decide(state, gateCall);
    if (decision.action !== 'allow') return await refuse(state, ready, decision);
    await ports.baseline();
    state.executing = gateCall;
    state.isApproved = ports.approved?.callId === call.id;
    const output = await gateCall.tool.execute(gateCall.input, context, prepared);
    ports.touched?.(gateCall.targets);
    return await finish(state, withReminder(output, state.argumentReminder), null);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (state.executing === null && ports.approved?.callId === call.id) ports.approved.lapse(error.message);
    if (!state.isRecorded) recordCall(state, describeInput(state.input), state.input, null);
    return await fail(state, error);
  } finally {
    state.releaseChanges?.();
  }
}

async function prepareCall(state: CallState): Promise<PreparedCall> {
  const { call, ports } = state;
  const { found, input: raw } = routeCall(call, ports.tools, ports.start);
  const { tool } = found;
  state.tool = tool.name;
  state.input = raw;
  ports.limitCall?.(tool.name);
  const parsed = parseToolInput(found, raw);
  const input = startingIn(ports, tool, parsed.input);
  state.argumentReminder = argumentReminder(tool, parsed);
  const onlyReads = callOnlyReads(tool, input, ports.childOnlyReads ?? noChildOnlyReads);
  const context = contextOf(state, input, onlyReads);
  if (!onlyReads && changes(tool)) state.releaseChanges = await ports.lockChanges?.(context.signal);
  const prepared = await tool.prepare?.(input, context);
  const gateCall: GateCall = {
    tool,
    level: typeof tool.level === 'function' ? tool.level(input) : tool.level,
    input,
    targets: prepared?.targets ?? tool.targets(input),
    diff: prepared?.diff,
    onlyReads: onlyReads || prepared?.onlyReads === true,
  };
  return { gateCall, context, prepared };
}

const noChildOnlyReads: ChildOnlyReads = () => false;

function contextOf(state: CallState, input: JsonObject, onlyReads: boolean): ToolContext {
  const { call, ports } = state;
  const { tools, evaluateChanges, childOnlyReads = noChildOnlyReads } = ports;
  return {
    ...ports.context(call.id, onlyReads),
    changeEvaluator: !evaluateChanges
      ? null
      : evaluateCallChanges({
          evaluate: evaluateChanges,
          callId: call.id,
          call: () => ({ tool: state.tool, input, approved: state.isApproved }),
          record: ports.record,
          remind: (note) => state.reverted.push(note),
        }),
    runCalls: (calls) =>
      runInnerCalls(call.id, calls, { tools, childOnlyReads }, (part) => {
        // A batch cannot be resumed in its middle, so its calls do not wait for approval.
        const alone = ports.requestApproval === undefined ? ports : { ...ports, requestApproval: null };
        if (ports.callsLeft?.() === false) return callTool(part, { ...alone, limitCall: refuseAll });
        ports.countCall();
        return callTool(part, alone);
      }),
    describeCall: async (name, args) => describeCall(name, args, await tools.all()),
    deferredTools: async () =>
      (await tools.all())
        .filter(({ exposure }) => exposure === 'deferred')
        .map((tool) => ({ ...toolDefinition(tool), findBy: tool.findBy })),
    namedTools: () => tools.named(),
  };
}

/** Asks the gate, applies an approval of this call, and records the call with the decision. */
async function decide(state: CallState, gateCall: GateCall): Promise<Decision> {
  const { call, ports } = state;
  const verdict = await ports.gate(gateCall);
  const approved = ports.approved?.callId === call.id ? ports.approved : null;
  const decision =
    approved === null ? verdict : await applyApproval(approved, verdict, digestOf(state, gateCall));
  recordCall(state, gateCall.targets.what, gateCall.input, decision);
  if (decision.mistake === true)
    throw new ToolError('invalid_input', [decision.reason, decision.advice ?? ''].join(' ').trim());
  return decision;
}

function digestOf({ tool }: CallState, gateCall: GateCall): string {
  return callDigest({ ...gateCall, tool });
}

function recordCall(state: CallState, what: string, input: Json, decision: Decision | null): void {
  const { call, ports, tool } = state;
  state.isRecorded = true;
  ports.record({ type: 'tool.call', call_id: call.id, tool, input, what, decision });
}

function fail(state: CallState, error: ToolError): Promise<ToolResultPart> {
  // A call that was not executed ignored no argument.
  const note = state.executing === null ? null : state.argumentReminder;
  return finish(state, withReminder({ content: error.message }, note), error.kind);
}

/** Bounds and records a result. `errorKind`: null for a success. */
async function finish(
  state: CallState,
  output: ToolOutput,
  errorKind: string | null,
): Promise<ToolResultPart> {
  const { call, ports, executing } = state;
  const ok = errorKind === null;
  const bounded = await boundOutput(output, {
    folder: ports.spillFolder,
    callId: call.id,
    redact: ports.redact,
  });
  const data = output.data === undefined ? {} : { data: output.data };
  const result = { ok, content: bounded.text, ...data };
  const notes = executing === null ? [] : ((await ports.after?.(executing, result)) ?? []);
  const texts = [...state.reverted, ...notes.map(({ text }) => text)].map((text) => ports.redact(text));
  ports.record({
    type: 'tool.result',
    call_id: call.id,
    tool: state.tool,
    ok,
    content: [bounded.text, ...texts].join('\n'),
    ...data,
    error_kind: errorKind,
    spill: bounded.spill,
    duration_ms: ports.now() - state.startedAt,
  });
  return {
    type: 'tool_result',
    call_id: call.id,
    content: [...bounded.parts, ...texts.map((text) => ({ type: 'text' as const, text }))],
    is_error: !ok || notes.some(({ objects }) => objects),
  };
}

/** Puts the call to a person if the run can wait for one. Otherwise records the refusal. */
function refuse(
  state: CallState,
  { gateCall, prepared }: PreparedCall,
  decision: Decision,
): Promise<ToolResultPart> {
  const { call, ports, tool } = state;
  const about = { tool, what: gateCall.targets.what, reason: decision.reason, call_id: call.id };
  const asks = decision.action === 'ask';
  const endsWithRun = prepared?.endsWithRun === true;
  if (asks && ports.requestApproval && !endsWithRun) {
    const approval = approvalOf(about, gateCall, decision, digestOf(state, gateCall));
    if (!tooMuchToShow(approval)) return ports.requestApproval(approval);
  }
  const proposal = asks ? (gateCall.diff ?? '') : '';
  if (proposal !== '') {
    // A change that cannot be approved here becomes a suggestion or a patch.
    const hash = shortHash(digestOf(state, gateCall));
    ports.record({ type: 'approval.required', approval: { ...about, hash, diff: proposal } });
  }
  ports.record({ type: 'refusal', refusal: about });
  const advice = adviceOn(ports, asks, { endsWithRun, hasProposal: proposal !== '' });
  // Given once, as every refusal stays in all requests that follow.
  const again = proposal === '' ? 'Nothing of the call was done.' : 'It is kept as a proposal too.';
  const rest = ports.advised.has(advice) ? again : advice;
  ports.advised.add(advice);
  const parts = ['Refused:', decision.reason, decision.advice, rest];
  return fail(state, new ToolError('refused', parts.filter((part) => part !== undefined).join(' ')));
}

function adviceOn(
  { requestApproval }: CallToolPorts,
  asks: boolean,
  { endsWithRun, hasProposal }: { readonly endsWithRun: boolean; readonly hasProposal: boolean },
): string {
  if (hasProposal)
    return 'The files are unchanged; the change is kept in the report as a proposal to a person. Go on without it.';
  if (asks && requestApproval !== undefined) return reasonNotAsked(requestApproval, endsWithRun);
  return 'Nothing of the call was done. Nobody can allow it in this run, also not by ask_user. Go on without it, and say in your answer what could not be done.';
}

function refuseAll(): never {
  throw new ToolError('used_up', 'Not run: the run has used all its tool calls.');
}

/** Why a question that people could answer in this run was not put to them. */
function reasonNotAsked(request: CallToolPorts['requestApproval'], endsWithRun: boolean): string {
  if (endsWithRun && request)
    return 'Nothing of the call was done: a run that waits for a person ends its sessions, so this could not be typed any more. Run it as a command of its own, by bash.';
  return request === null
    ? 'Nothing of the call was done: a person can only be asked about a call that stands by itself, not inside another. Make it by itself.'
    : 'Nothing of the call was done: it is too long to be shown whole to the person who would have to approve it. Do less in one call.';
}

/** The note comes first: a long output hides the text below it. */
function withReminder(output: ToolOutput, note: string | null): ToolOutput {
  if (note === null) return output;
  const content =
    typeof output.content === 'string' ? [{ type: 'text' as const, text: output.content }] : output.content;
  return { ...output, content: [{ type: 'text', text: note }, ...content] };
}

/** Returns the subject of a call that was not understood, as far as its raw input names one. */
function describeInput(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const text = Object.values(input).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : '';
}

/**
 * The arguments with the folder that commands start in, so that gate, rules and record see the one
 * that they do start in.
 */
function startingIn(
  { start = '', repositories = [] }: CallToolPorts,
  tool: Tool,
  input: JsonObject,
): JsonObject {
  const { cwd } = input;
  if ((cwd !== undefined && typeof cwd !== 'string') || tool.startsCommands?.(input) !== true) return input;
  const folder = commandFolder(cwd, { start, repositories });
  return folder === undefined ? input : { ...input, cwd: folder };
}

/**
 * Returns how the model calls a tool of its run, by the tool's canonical name. Null if the run
 * has no tool of that name.
 */
export function describeCall(name: string, args: JsonObject, tools: readonly Tool[]): string | null {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return null;
  const wire = wireName(name);
  return isAdvertised(tool, tools)
    ? `${wire} ${JSON.stringify(args)}`
    : `use_tool ${JSON.stringify({ name: wire, args })}`;
}
