import type { Approval, Decision } from '../../contract/decision.ts';
import { ToolError } from '../../contract/errors.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { ToolCallPart, ToolResultPart } from '../../contract/message.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { AfterNote } from '../../permissions/gate/ask-programs.ts';
import { callDigest, shownHash } from '../../permissions/gate/call-digest.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { advertise } from '../../tools/registry/json-schema.ts';
import { type CommandStart, commandFolder } from '../../tools/shell/command-folder.ts';
import type { Tool, ToolContext, ToolOutput } from '../../tools/tool.ts';
import { changes } from '../profiles/select-tools.ts';
import type { ToolSet } from '../profiles/tool-set.ts';
import { type ApprovedCall, approvalOf, settleApproved, tooMuchToShow } from './approved-call.ts';
import { callInWords } from './call-in-words.ts';
import { argumentNote, boundOutput } from './call-result.ts';
import { type ChildOnlyReads, callOnlyReads, runInnerCalls } from './inner-calls.ts';
import { type JudgeChanges, judgeCallChanges } from './judge-call-changes.ts';
import { parseToolInput } from './parse-tool-input.ts';
import { routeCall } from './route-call.ts';

/** What the gate is asked: a parsed call with everything it would touch. */
export interface GateCall {
  readonly tool: Tool;
  readonly level: Decision['level'];
  readonly input: JsonObject;
  readonly targets: Targets;
  readonly diff: string | undefined;
  /** True when the call changes nothing anywhere. */
  readonly readOnly: boolean;
}

/** Told of a call that was made, with what the model gets of it; what comes back is added to that. */
export type AfterCall = (
  call: GateCall,
  result: { readonly ok: boolean; readonly content: string; readonly data?: Json },
) => Promise<readonly AfterNote[]>;

/** A tool's context but for what needs the run's tools, which is added here. */
export type OuterContext = Omit<ToolContext, 'runCalls' | 'callInWords' | 'deferredTools' | 'changeJudge'>;

/** What one call needs from the run it belongs to. */
export interface CallToolPorts {
  readonly tools: ToolSet;
  /** Left out, a child only reads where the call asks for that. */
  readonly childOnlyReads?: ChildOnlyReads;
  readonly gate: (call: GateCall) => Promise<Decision>;
  /** The after-hooks; left out or null where there are none. */
  readonly after?: AfterCall | null;
  /** Says which changes of commands may not stand; left out or null, all may. */
  readonly judgeChanges?: JudgeChanges | null;
  readonly context: (callId: string, onlyReads: boolean) => OuterContext;
  /** Counts a call that another one makes. */
  readonly countCall: () => void;
  /** False once the run has used all its calls: a call that another one makes is then refused. Left out, there is no limit. */
  readonly callsLeft?: () => boolean;
  /** Throws `ToolError` for a call of a tool that may not be called again; left out, each may. */
  readonly limitCall?: (tool: string) => void;
  readonly record: (entry: RunEntry) => void;
  readonly redact: (text: string) => string;
  /** Waits until no other run of the family may change the checkout; what comes back lets the next one. Left out, there is none. */
  readonly takeTurn?: (signal: AbortSignal) => Promise<() => void>;
  /** Awaited before each call: the first takes the baseline that changes are found against, of which a wrongly judged call must be no part. */
  readonly baseline: () => Promise<void>;
  readonly spillFolder: string;
  /** The folder that commands start in where a call names none, below the root; left out, the root. */
  readonly start?: string;
  /** The registered repositories, in which commands may start too; left out, none. */
  readonly repositories?: CommandStart['repositories'];
  /** Told of what a call that was made touched; left out, nobody asks. */
  readonly touched?: (targets: Targets) => void;
  /** What the run's refusals have advised already. */
  readonly advised: Set<string>;
  readonly now: () => number;
  /** Puts a call to a person and ends the run as waiting, by throwing; null where nobody can be asked. */
  readonly requestApproval?: ((approval: Approval) => never) | null;
  /** The call that a person has approved, which is made first. */
  readonly approved?: ApprovedCall | null;
}

/**
 * The only place where tools are executed: find → repair → parse → prepare → gate → execute → bound →
 * redact → record. A `ToolError` becomes an error result for the model. `RunStopped`, an abort and defects
 * go through to the run.
 */
export async function callTool(call: ToolCallPart, ports: CallToolPorts): Promise<ToolResultPart> {
  const startedAt = ports.now();
  let toolName = call.name;
  let announced = false;
  let executing: GateCall | null = null;
  let agreed = false;
  let endTurn: (() => void) | undefined;
  const putBack: string[] = [];
  let unknown: string | null = null;
  let given = call.input;
  const childOnlyReads = ports.childOnlyReads ?? (() => false);
  const announce = (what: string, input: Json, decision: Decision | null) => {
    announced = true;
    ports.record({ type: 'tool.call', call_id: call.id, tool: toolName, input, what, decision });
  };
  try {
    const { found, input: raw } = routeCall(call, ports.tools, ports.start);
    toolName = found.tool.name;
    given = raw;
    ports.limitCall?.(toolName);
    const parsed = parseToolInput(found, raw);
    const input = startingIn(ports, found.tool, parsed.input);
    unknown = argumentNote(found.tool, parsed);
    const readOnly = callOnlyReads(found.tool, input, childOnlyReads);
    const context: ToolContext = {
      ...ports.context(call.id, readOnly),
      changeJudge: !ports.judgeChanges
        ? null
        : judgeCallChanges({
            judge: ports.judgeChanges,
            callId: call.id,
            call: () => ({ tool: toolName, input, approved: agreed }),
            record: ports.record,
            say: (note) => putBack.push(note),
          }),
      runCalls: (calls) =>
        runInnerCalls(call.id, calls, { tools: ports.tools, childOnlyReads }, (part) => {
          // A run that waits goes on after one whole call: a batch cannot be taken up in its middle.
          const alone = ports.requestApproval === undefined ? ports : { ...ports, requestApproval: null };
          if (ports.callsLeft?.() === false) return callTool(part, { ...alone, limitCall: refuseAll });
          ports.countCall();
          return callTool(part, alone);
        }),
      callInWords: async (name, args) => callInWords(name, args, await ports.tools.all()),
      deferredTools: async () =>
        (await ports.tools.all()).filter(({ exposure }) => exposure === 'deferred').map(advertise),
    };
    if (!readOnly && changes(found.tool)) endTurn = await ports.takeTurn?.(context.signal);
    const prepared = await found.tool.prepare?.(input, context);
    const targets = prepared?.targets ?? found.tool.targets(input);
    const level = typeof found.tool.level === 'function' ? found.tool.level(input) : found.tool.level;
    const reads = readOnly || prepared?.onlyReads === true;
    const gateCall: GateCall = {
      tool: found.tool,
      ...{ level, input, targets, diff: prepared?.diff, readOnly: reads },
    };
    const digest = () => callDigest({ ...gateCall, tool: toolName });
    const judged = await ports.gate(gateCall);
    const approved = ports.approved?.callId === call.id ? ports.approved : null;
    const decision = approved === null ? judged : await settleApproved(approved, judged, digest());
    announce(targets.what, input, decision);
    if (decision.mistake === true) throw new ToolError('invalid_input', decision.reason);
    if (decision.action !== 'allow')
      return refuse(decision, gateCall, digest, prepared?.endsWithRun === true);
    await ports.baseline();
    executing = gateCall;
    agreed = approved !== null;
    const output = await found.tool.execute(input, context, prepared);
    ports.touched?.(targets);
    return await succeed(output);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (executing === null && ports.approved?.callId === call.id) ports.approved.lapse(error.message);
    if (!announced) announce(describeInput(given), given, null);
    return await fail(error);
  } finally {
    endTurn?.();
  }

  async function succeed(output: ToolOutput): Promise<ToolResultPart> {
    const bounded = await boundOutput(withNote(output, unknown), {
      folder: ports.spillFolder,
      callId: call.id,
      redact: ports.redact,
    });
    return finish(true, bounded, { data: output.data, errorKind: null });
  }

  async function fail(error: ToolError): Promise<ToolResultPart> {
    // Where nothing was done, they decided nothing.
    const bounded = await boundOutput(
      withNote({ content: error.message }, executing === null ? null : unknown),
      { folder: ports.spillFolder, callId: call.id, redact: ports.redact },
    );
    return finish(false, bounded, { data: undefined, errorKind: error.kind });
  }

  async function finish(
    ok: boolean,
    bounded: Awaited<ReturnType<typeof boundOutput>>,
    rest: { data: Json | undefined; errorKind: string | null },
  ): Promise<ToolResultPart> {
    const data = rest.data === undefined ? {} : { data: rest.data };
    // What was refused was never made.
    const notes =
      executing === null
        ? []
        : ((await ports.after?.(executing, { ok, content: bounded.text, ...data })) ?? []);
    const texts = [...putBack, ...notes.map(({ text }) => text)].map((text) => ports.redact(text));
    ports.record({
      type: 'tool.result',
      call_id: call.id,
      tool: toolName,
      ok,
      content: [bounded.text, ...texts].join('\n'),
      ...data,
      error_kind: rest.errorKind,
      spill: bounded.spill,
      duration_ms: ports.now() - startedAt,
    });
    return {
      type: 'tool_result',
      call_id: call.id,
      content: [...bounded.parts, ...texts.map((text) => ({ type: 'text' as const, text }))],
      is_error: !ok || notes.some(({ objects }) => objects),
    };
  }

  function refuse(
    decision: Decision,
    asked: GateCall,
    digest: () => string,
    endsWithRun: boolean,
  ): Promise<ToolResultPart> {
    const about = { tool: toolName, what: asked.targets.what, reason: decision.reason, call_id: call.id };
    const proposal = decision.action === 'ask' ? (asked.diff ?? '') : '';
    if (decision.action === 'ask' && ports.requestApproval && !endsWithRun) {
      const approval = approvalOf(about, asked, decision, digest());
      if (!tooMuchToShow(approval)) return ports.requestApproval(approval);
    }
    if (proposal !== '') {
      // A change nobody may approve here is still worth showing: it ends up as a suggestion or a patch.
      ports.record({
        type: 'approval.required',
        approval: { ...about, hash: shownHash(digest()), diff: proposal },
      });
    }
    ports.record({ type: 'refusal', refusal: about });
    const advice =
      proposal !== ''
        ? 'The files are unchanged; the change is kept in the report as a proposal to a person. Go on without it.'
        : decision.action === 'ask' && ports.requestApproval !== undefined
          ? whyNotAsked(ports.requestApproval, endsWithRun)
          : 'Nothing of the call was done. Nobody can allow it in this run, also not by ask_user. Go on without it, and say in your answer what could not be done.';
    // Said once: every refusal stays in all requests that follow.
    const again = proposal === '' ? 'Nothing of the call was done.' : 'It is kept as a proposal too.';
    const rest = ports.advised.has(advice) ? again : advice;
    ports.advised.add(advice);
    return fail(new ToolError('refused', `Refused: ${decision.reason} ${rest}`));
  }
}

function refuseAll(): never {
  throw new ToolError('used_up', 'Not run: the run has used all its tool calls.');
}

/** Why a question that people could answer in this run was not put to them. */
function whyNotAsked(request: CallToolPorts['requestApproval'], endsWithRun: boolean): string {
  if (endsWithRun && request)
    return 'Nothing of the call was done: a run that waits for a person ends its sessions, so this could not be typed any more. Run it as a command of its own, by bash.';
  return request === null
    ? 'Nothing of the call was done: a person can only be asked about a call that stands by itself, not inside another. Make it by itself.'
    : 'Nothing of the call was done: it is too long to be shown whole to the person who would have to approve it. Do less in one call.';
}

/** The note stands first: a long output hides what stands below it. */
function withNote(output: ToolOutput, note: string | null): ToolOutput {
  if (note === null) return output;
  const content =
    typeof output.content === 'string' ? [{ type: 'text' as const, text: output.content }] : output.content;
  return { ...output, content: [{ type: 'text', text: note }, ...content] };
}

/** What a call that was not understood was about, as far as its raw input says. */
function describeInput(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return '';
  const text = Object.values(input).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : '';
}

/** The arguments with the folder that commands start in, so that gate, rules and record see the one that they do start in. */
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
