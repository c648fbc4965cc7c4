import type { Message } from '../../contract/message.ts';
import type { RunEntry, RunLedgerLine } from '../../contract/run-ledger.ts';
import { addUsage, noUsage, type Usage } from '../../contract/usage.ts';
import { clipText } from './clip.ts';
import { formatInput } from './format-input.ts';
import type { RunStory, StoryCall, StoryChange, StoryChild, StoryItem, StoryTurn } from './run-story.ts';
import { storyEvent } from './story-event.ts';

type Open<Part> = {
  -readonly [Key in keyof Part]: Part[Key] extends readonly (infer Item)[] ? Item[] : Part[Key];
};
type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Takes the lines of a run ledger one by one; what is kept of each is bounded. */
export interface StoryFold {
  add(line: RunLedgerLine): void;
  story(): RunStory;
}

/**
 * Folds a run ledger into a story. Calls inside a `batch` are found by their ids, child runs by the call that was open
 * when they began; changes and refusals of a child stand in its place.
 */
export function createStoryFold(): StoryFold {
  const before: StoryItem[] = [];
  const turns: Open<StoryTurn>[] = [];
  const calls = new Map<string, Open<StoryCall>>();
  const children = new Map<string, Open<StoryChild>>();
  const run: Open<Pick<RunStory, 'started' | 'startedAt' | 'endedAt' | 'finished'>> = {
    started: null,
    startedAt: '',
    endedAt: '',
    finished: false,
  };
  const here = (): StoryItem[] => turns.at(-1)?.items ?? before;
  /** The child that a call was made in: by its id, which a child's own calls begin with, else the newest that goes on. */
  const childOf = (callId: string) =>
    children.get(callId.replace(/\/.*$/s, '')) ??
    [...children.values()].findLast(({ result }) => result === null);
  const openChild = () => childOf('');
  /** A call that is under way and has no child yet, before one that has. */
  const starter = () => {
    const open = [...calls.values()].filter(({ result }) => result === null);
    const free = open.filter(({ items }) => !items.some(({ kind }) => kind === 'child'));
    return free.find(({ decision }) => decision?.level === 'delegated') ?? free.at(-1) ?? open.at(-1);
  };

  const addCall = ({ call_id: id, tool, what, input, decision }: Entry<'tool.call'>) => {
    const call: Open<StoryCall> = {
      kind: 'call',
      id,
      tool,
      what: clipText(what).head,
      input: clipText(formatInput(input)),
      decision,
      result: null,
      refused: false,
      changes: [],
      items: [],
    };
    const outer = calls.get(id.replace(/\.\d+$/, ''));
    (outer?.result === null && outer.id !== id ? outer.items : here()).push(call);
    calls.set(id, call);
  };
  const finishCall = (entry: Entry<'tool.result'>) => {
    const call = calls.get(entry.call_id);
    if (call === undefined) return;
    call.result = {
      ok: entry.ok,
      content: clipText(entry.content.replaceAll('\r\n', '\n')),
      errorKind: entry.error_kind,
      spilled: entry.spill !== null,
      durationMs: entry.duration_ms,
    };
  };
  const addChange = ({ change }: Entry<'change'>) => {
    const { path, kind, old_path, risk, validation, diff } = change;
    const kept: StoryChange = {
      ...{ path, kind, risk, validation, diff: clipText(diff) },
      ...(old_path === undefined ? {} : { old_path }),
    };
    (calls.get(change.call_id) ?? childOf(change.call_id))?.changes.push(kept);
  };
  const addRefusal = ({ refusal }: Entry<'refusal'>) => {
    const call = calls.get(refusal.call_id);
    if (call !== undefined) call.refused = true;
    else {
      const words = `Refused: ${refusal.tool} ${refusal.what}: ${refusal.reason}`;
      const event = { kind: 'event', tone: 'warning', words: clipText(words).head, more: null } as const;
      (childOf(refusal.call_id)?.items ?? here()).push(event);
    }
  };
  const addChild = (entry: Entry<'child_run.started'>) => {
    const { child_run_id: id, title, profile } = entry;
    const child: Open<StoryChild> = {
      ...{ kind: 'child', id, title: clipText(title).head, profile, result: null, changes: [], items: [] },
    };
    (starter()?.items ?? here()).push(child);
    children.set(id, child);
  };
  const finishChild = (entry: Entry<'child_run.result'>) => {
    const tokens = tokensOf(entry.usage);
    const turn = turns.at(-1);
    if (turn !== undefined) turn.childTokens += tokens;
    const child = children.get(entry.child_run_id);
    if (child === undefined) return;
    const { conclusion, summary, turns: taken } = entry;
    // A child that is sent more words ends more than once.
    const before = child.result?.tokens ?? 0;
    const cost = [child.result?.costUsd ?? 0, entry.cost_usd ?? null];
    child.result = {
      conclusion,
      summary: clipText(summary),
      turns: taken,
      tokens: before + tokens,
      costUsd: cost.some((one) => one === null)
        ? null
        : cost.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    };
  };
  const addMessage = (message: Message) => {
    // What stands before the first turn is the conversation of earlier runs.
    const turn = turns.at(-1);
    if (message.role !== 'assistant' || turn === undefined) return;
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    if (text.trim() !== '') turn.text = clipText(text.trim());
  };

  return {
    add({ at, entry }) {
      if (run.startedAt === '') run.startedAt = at;
      run.endedAt = at;
      const event = storyEvent(entry);
      if (event !== null) (openChild()?.items ?? here()).push(event);
      if (entry.type === 'run.started') run.started ??= { ...entry, prompt: clipText(entry.prompt).head };
      else if (entry.type === 'run.finished') run.finished = true;
      else if (entry.type === 'turn.started') turns.push(emptyTurn(entry.turn, at));
      else if (entry.type === 'usage') spend(turns.at(-1), entry);
      else if (entry.type === 'message') addMessage(entry.message);
      else if (entry.type === 'tool.call') addCall(entry);
      else if (entry.type === 'tool.result') finishCall(entry);
      else if (entry.type === 'change') addChange(entry);
      else if (entry.type === 'refusal') addRefusal(entry);
      else if (entry.type === 'child_run.started') addChild(entry);
      else if (entry.type === 'child_run.result') finishChild(entry);
    },
    story: () => ({ ...run, before, turns }),
  };
}

/** All tokens of a count. */
export function tokensOf({ input, output, cache_read, cache_write }: Usage): number {
  return input + output + cache_read + cache_write;
}

function emptyTurn(number: number, at: string): Open<StoryTurn> {
  return { number, at, text: null, usage: noUsage, costUsd: 0, childTokens: 0, items: [] };
}

function spend(turn: Open<StoryTurn> | undefined, { usage, cost_usd: cost }: Entry<'usage'>): void {
  if (turn === undefined) return;
  turn.usage = addUsage(turn.usage, usage);
  turn.costUsd = cost === null || turn.costUsd === null ? null : turn.costUsd + cost;
}
