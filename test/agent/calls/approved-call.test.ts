import { describe, expect, it } from 'vitest';
import type { ApprovedCall } from '../../../src/agent/calls/approved-call.ts';
import type { CallToolPorts } from '../../../src/agent/calls/call-tool.ts';
import { makeApprovals } from '../../../src/agent/loop/approval-requests.ts';
import { findProfile } from '../../../src/agent/profiles/profiles.ts';
import { makeToolSet } from '../../../src/agent/profiles/tool-set.ts';
import { saveSession } from '../../../src/agent/saved-session.ts';
import type { ApprovalDecision, Decision } from '../../../src/contract/decision.ts';
import type { Message, ToolResultPart } from '../../../src/contract/message.ts';
import type { Rule } from '../../../src/contract/rules.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';
import { callDigest } from '../../../src/permissions/gate/call-digest.ts';
import { builtinTools } from '../../../src/tools/registry/builtin-tools.ts';
import { allow, entries, freshLedgers, ledger, run, runStarted, started, task } from '../loop-fixture.ts';

freshLedgers();

const asks =
  (...names: string[]): CallToolPorts['gate'] =>
  async ({ tool }) =>
    names.includes(tool.name) ? { ...allow, action: 'ask', reason: 'A person has to agree.' } : allow;

const tools = makeToolSet(builtinTools, findProfile('craft'), []);
const record = (entry: RunEntry) => ledger.record(entry);

const approvals = (canApprove = true) =>
  makeApprovals(
    { canApprove, decided: null, open: null, before: null, baseSha: 'abc', rules: [] },
    tools,
    record,
  );

const digestOf = (tool: string, path: string) =>
  callDigest({ tool, input: { path }, targets: { what: path }, diff: undefined });

describe('a call that needs approval', () => {
  it('ends the run as waiting, and later calls do not run', async () => {
    const result = await run(
      [{ calls: [{ name: 'read' }, { name: 'edit_file', input: { path: 'a' } }, { name: 'bash' }] }],
      { gate: asks('edit_file', 'bash'), ports: approvals().ports },
    );
    expect({ conclusion: result.conclusion, waits: result.waitingCallId, started: [...started] }).toEqual({
      conclusion: 'waiting',
      waits: 'call_1_1',
      started: ['read x'],
    });
    const digest = digestOf('edit_file', 'a');
    expect(entries('approval.required').map(({ approval }) => approval)).toEqual([
      {
        tool: 'edit_file',
        what: 'a',
        reason: 'A person has to agree.',
        call_id: 'call_1_1',
        hash: digest.slice(0, 16),
        digest,
        waits: true,
        input: '{\n  "path": "a"\n}',
      },
    ]);
    expect(resultsIn(result.messages.at(-1))).toEqual(['read done', expect.stringMatching(/^Not run: /)]);
  });

  it("in a parallel group keeps the others' results, and only the first such call waits", async () => {
    const gate: CallToolPorts['gate'] = async ({ input }) =>
      input.path === 'open' ? allow : { ...allow, action: 'ask', reason: 'Secret.' };
    const reads = ['one', 'open', 'two'].map((path) => ({ name: 'read', input: { path } }));
    const result = await run([{ calls: reads }], { gate, ports: approvals().ports });
    expect(result.waitingCallId).toBe('call_1_0');
    expect(entries('approval.required').map(({ approval }) => approval.what)).toEqual(['one']);
    expect(resultsIn(result.messages.at(-1))).toEqual(['read done', expect.stringMatching(/^Not run: /)]);
  });

  it('is refused inside a batch, which cannot be resumed in the middle', async () => {
    const calls = [{ tool: 'edit_file', args: { path: 'a' } }];
    const result = await run([{ calls: [{ name: 'batch', input: { calls } }] }, { text: 'done' }], {
      gate: asks('edit_file'),
      ports: approvals().ports,
    });
    expect(result.conclusion).toBe('success');
    expect(resultsIn(result.messages[2])[0]).toContain('Make it by itself.');
  });

  it('is refused if its approval text would be too long to display whole', async () => {
    const path = 'a\u202e'.repeat(10_000);
    const result = await run([{ calls: [{ name: 'edit_file', input: { path } }] }, { text: 'done' }], {
      gate: asks('edit_file'),
      ports: approvals().ports,
    });
    expect(resultsIn(result.messages[2])[0]).toContain('too long to be shown whole');
    expect(entries('approval.required')).toEqual([]);
  });

  it('is not put up for approval if waiting would end the state it works on', async () => {
    const result = await run([{ calls: [{ name: 'shell_session' }] }, { text: 'done' }], {
      gate: asks('shell_session'),
      ports: approvals().ports,
    });
    expect(resultsIn(result.messages[2])[0]).toContain('Run it as a command of its own, by bash.');
    expect([result.conclusion, entries('approval.required')]).toEqual(['success', []]);
  });

  it('is refused as before if no one can be asked', async () => {
    const result = await run([{ calls: [{ name: 'edit_file' }] }, { text: 'done' }], {
      gate: asks('edit_file'),
      ports: approvals(false).ports,
    });
    expect(resultsIn(result.messages[2])[0]).toContain('Nobody can allow it in this run');
  });

  it.each([
    ['abc', 'success', 'bob has denied exactly this already.'],
    ['def', 'waiting', null],
  ])('that was denied on commit abc becomes on commit %s a %s', async (baseSha, conclusion, refusal) => {
    const hash = digestOf('edit_file', 'a').slice(0, 16);
    const denied: ApprovalDecision = {
      hash,
      tool: 'edit_file',
      what: 'a',
      verdict: 'denied',
      by: 'bob',
      head_sha: 'abc',
      note: '',
    };
    const { ports } = makeApprovals(
      { canApprove: true, decided: denied, open: null, before: null, baseSha, rules: [] },
      tools,
      record,
    );
    const result = await run([{ calls: [{ name: 'edit_file', input: { path: 'a' } }] }, { text: 'done' }], {
      gate: asks('edit_file'),
      ports,
    });
    expect(result.conclusion).toBe(conclusion);
    expect(entries('refusal').map((entry) => entry.refusal.reason)).toEqual(
      refusal === null ? [] : [refusal],
    );
  });

  it('is stored with the waiting session', async () => {
    ledger.record(runStarted);
    const result = await run([{ calls: [{ name: 'edit_file' }] }], {
      gate: asks('edit_file'),
      ports: approvals().ports,
    });
    const session = saveSession(result, ledger.lines, { plan: null, patch: '', now: new Date(0) });
    expect({
      question: session?.question,
      approval: session?.approval?.call_id,
      others: session?.approvals,
    }).toEqual({
      question: null,
      approval: 'call_1_0',
      others: [],
    });
  });
});

describe('a script that the gate cannot parse', () => {
  it('is a mistake that the model should correct, not a refusal', async () => {
    const reason = 'Syntax error in line 1: nothing was run.';
    const gate = async () => ({ ...allow, action: 'reject' as const, reason, mistake: true });
    const result = await run([{ calls: [{ name: 'bash' }] }, { text: 'done' }], { gate });
    expect(resultsIn(result.messages[2])).toEqual([reason]);
    expect([started, entries('refusal'), entries('approval.required')]).toEqual([[], [], []]);
    expect(entries('tool.result').map((entry) => entry.error_kind)).toEqual(['invalid_input']);
  });
});

describe('a call that was approved', () => {
  const decided: ApprovalDecision = {
    hash: '0123456789abcdef',
    tool: 'edit_file',
    what: 'a',
    verdict: 'approved',
    by: 'bob',
    head_sha: 'abc',
    note: '',
  };
  const call = { type: 'tool_call' as const, id: 'call_7', name: 'edit_file', input: { path: 'a' } };
  const conversation: Message[] = [task, { role: 'assistant', parts: [call] }];

  async function resume(change: { digest?: string; used?: boolean; decision?: Decision }) {
    const open = {
      call,
      digest: change.digest ?? digestOf('edit_file', 'a'),
      use: async () => change.used !== true,
      pending: { role: 'user' as const, parts: [] },
      complete: (result: ToolResultPart): Message[] => [...conversation, { role: 'user', parts: [result] }],
    };
    const { ports } = makeApprovals(
      { canApprove: true, decided, open, before: null, baseSha: 'abc', rules: [] },
      tools,
      record,
    );
    const result = await run([{ text: 'done' }], {
      messages: conversation,
      open,
      ports,
      gate: async () => change.decision ?? { ...allow, action: 'ask', reason: 'A person has to agree.' },
    });
    return {
      started: [...started],
      said: resultsIn(result.messages[2])[0] ?? '',
      lapsed: entries('approval.decided').map((entry) => entry.decided.note),
      decision: entries('tool.call').map((entry) => entry.decision?.reason),
    };
  }

  it('runs once, before the first turn, and its result is that of the call', async () => {
    expect(await resume({})).toEqual({
      started: ['edit_file a'],
      said: 'edit_file done',
      lapsed: [],
      decision: ['Approved by bob (0123456789abcdef).'],
    });
  });

  it('does not run if its effect now differs from the one displayed', async () => {
    expect(await resume({ digest: digestOf('edit_file', 'b') })).toMatchObject({
      started: [],
      said: expect.stringMatching(/^bob approved this call, but it would now do something else/),
      lapsed: ['It would do something else now than what was shown.'],
    });
  });

  it('does not run if it is refused now', async () => {
    const decision = { ...allow, action: 'reject' as const, reason: 'The file is protected.', hard: true };
    expect(await resume({ decision })).toMatchObject({
      started: [],
      said: expect.stringMatching(/^Refused: The file is protected\./),
      lapsed: ['It is refused now: The file is protected.'],
    });
  });

  it('does not run twice', async () => {
    expect(await resume({ used: true })).toMatchObject({
      started: [],
      said: expect.stringMatching(/^The approval by bob was used already/),
      lapsed: ['It was used already, by a run that broke off.'],
    });
  });

  it('covers no other call of the same kind', async () => {
    const approved: ApprovedCall = {
      callId: 'call_7',
      digest: digestOf('edit_file', 'x'),
      hash: decided.hash,
      by: 'bob',
      use: async () => true,
      lapse: () => undefined,
    };
    const result = await run([{ calls: [{ name: 'edit_file' }] }], {
      gate: asks('edit_file'),
      ports: { ...approvals().ports, approved },
    });
    expect([result.conclusion, [...started]]).toEqual(['waiting', []]);
  });
});

describe('a request for permissions', () => {
  const request = (permissions: { tool: string; matches?: { command: string } }[], canApprove = true) =>
    approvals(canApprove).requestPermissions('call_1', { permissions, reason: 'I publish.' });

  it('waits, with the rule it would add and a description', () => {
    expect(() => request([{ tool: 'shell', matches: { command: 'npm publish*' } }])).toThrow(
      'Waiting for approval of request_permissions.',
    );
    expect(entries('approval.required').map(({ approval }) => approval)).toEqual([
      {
        tool: 'request_permissions',
        what: 'each call of bash whose command matches "npm publish*"',
        reason: 'I publish.',
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        call_id: 'call_1',
        waits: true,
        permissions: [{ tool: 'bash', matches: { command: 'npm publish*' }, action: 'allow' }],
      },
    ]);
  });

  it('asks no one about a call that a rule rejects', () => {
    const rules: Rule[] = [
      { tool: 'edit_file', action: 'ask' },
      { name: 'no network', tool: 'bash', matches: { command: 'curl *' }, action: 'reject' },
    ];
    const asking = (requested: { tool: string; matches?: { command: string } }) => () =>
      makeApprovals(
        { canApprove: true, decided: null, open: null, before: null, baseSha: 'abc', rules },
        tools,
        record,
      ).requestPermissions('call_1', { permissions: [requested], reason: 'I look it up.' });
    const why = 'each call of bash whose command matches "curl *" is rejected by rule 2 (no network)';
    expect(asking({ tool: 'bash', matches: { command: 'curl *' } })).toThrow(
      `Refused: ${why}, which nobody can lift in this run. Nobody was asked; go on without it, and ask for the rest by itself.`,
    );
    expect(entries('refusal').map(({ refusal }) => refusal.reason)).toEqual([
      `${why}, which nobody can lift.`,
    ]);
    expect(asking({ tool: 'bash', matches: { command: 'npm *' } })).toThrow('Waiting for approval');
    expect(asking({ tool: 'bash' })).toThrow('Waiting for approval');
  });

  it('is refused and reported if no one can be asked', () => {
    expect(() => request([{ tool: 'bash' }], false)).toThrow(
      'Refused: nobody can give permissions in this run.',
    );
    expect(entries('refusal').map(({ refusal }) => refusal)).toEqual([
      {
        tool: 'request_permissions',
        what: 'every call of bash',
        reason: 'Nobody can be asked in this run. The agent gave this reason: I publish.',
        call_id: 'call_1',
      },
    ]);
  });

  it.each([
    ['ba*', '"ba*" is not the name of one tool of this run; patterns are not taken here.'],
    ['edit_fil', '"edit_fil" is not the name of one tool of this run; patterns are not taken here.'],
  ])('is not needed for %s', (tool, words) => {
    expect(() => request([{ tool }])).toThrow(words);
  });

  it('names an invalid pattern', () => {
    expect(() => request([{ tool: 'bash', matches: { command: '/(/' } }])).toThrow(
      'matches: /(/ is no regular expression',
    );
  });
});

function resultsIn(message: Message | undefined): string[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.type === 'tool_result' ? part.content.map((one) => (one.type === 'text' ? one.text : '')) : [],
  );
}
