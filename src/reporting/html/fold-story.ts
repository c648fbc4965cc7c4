import type { Json } from '../../contract/json.ts';
import type { Message } from '../../contract/message.ts';
import type { RunEntry, RunLedgerLine } from '../../contract/run-ledger.ts';
import type { Usage } from '../../contract/usage.ts';
import { addUsage, noUsage } from '../../contract/usage-sums.ts';
import { describePermission } from '../../permissions/policy/describe-permission.ts';
import { waitingText } from '../progress/render-progress.ts';
import { countOf, oneLine, sentence } from '../text/markdown.ts';
import { clipText } from './render-text.ts';
import type {
  RunStory,
  StoryCall,
  StoryChange,
  StoryChild,
  StoryEvent,
  StoryItem,
  StoryTurn,
} from './run-story.ts';

type Open<Part> = {
  -readonly [Key in keyof Part]: Part[Key] extends readonly (infer Item)[] ? Item[] : Part[Key];
};
type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Takes the lines of a run ledger one by one and bounds what it stores of each. */
interface StoryFold {
  add(line: RunLedgerLine): void;
  story(): RunStory;
}

/**
 * Folds a run ledger into a story. Calls of a `batch` are matched by id, child runs by the call
 * open at their start. Changes and refusals of a child are at its position.
 */
export function createStoryFold(): StoryFold {
  const state: FoldState = {
    run: { started: null, startedAt: '', endedAt: '', finished: false },
    before: [],
    turns: [],
    calls: new Map(),
    children: new Map(),
  };
  return {
    add({ at, entry }) {
      const { run } = state;
      if (run.startedAt === '') run.startedAt = at;
      run.endedAt = at;
      const event = storyEvent(entry);
      if (event !== null) (childOf(state, '')?.items ?? itemsOf(state)).push(event);
      addEntry(state, entry, at);
    },
    story: () => ({ ...state.run, before: state.before, turns: state.turns }),
  };
}

interface FoldState {
  readonly run: Open<Pick<RunStory, 'started' | 'startedAt' | 'endedAt' | 'finished'>>;
  readonly before: StoryItem[];
  readonly turns: Open<StoryTurn>[];
  readonly calls: Map<string, Open<StoryCall>>;
  readonly children: Map<string, Open<StoryChild>>;
}

function addEntry(state: FoldState, entry: RunEntry, at: string): void {
  const { run, turns } = state;
  switch (entry.type) {
    case 'run.started':
      run.started ??= { ...entry, prompt: clipText(entry.prompt).head };
      break;
    case 'run.finished':
      run.finished = true;
      break;
    case 'turn.started':
      turns.push(emptyTurn(entry.turn, at));
      break;
    case 'usage':
      spend(turns.at(-1), entry);
      break;
    case 'message':
      addMessage(turns.at(-1), entry.message);
      break;
    case 'tool.call':
      addCall(state, entry);
      break;
    case 'tool.result':
      finishCall(state, entry);
      break;
    case 'change':
      addChange(state, entry);
      break;
    case 'refusal':
      addRefusal(state, entry);
      break;
    case 'child_run.started':
      addChild(state, entry);
      break;
    case 'child_run.result':
      finishChild(state, entry);
      break;
  }
}

const itemsOf = ({ turns, before }: FoldState): StoryItem[] => turns.at(-1)?.items ?? before;

/** Returns the child that made a call: by the prefix of its id, else the newest active one. */
const childOf = ({ children }: FoldState, callId: string) =>
  children.get(callId.replace(/\/.*$/s, '')) ??
  [...children.values()].findLast(({ result }) => result === null);

/** Returns the active call that starts a child: first one without a child yet. */
function starterOf({ calls }: FoldState): Open<StoryCall> | undefined {
  const open = [...calls.values()].filter(({ result }) => result === null);
  const free = open.filter(({ items }) => !items.some(({ kind }) => kind === 'child'));
  return free.find(({ decision }) => decision?.level === 'delegated') ?? free.at(-1) ?? open.at(-1);
}

function addCall(state: FoldState, { call_id: id, tool, what, input, decision }: Entry<'tool.call'>): void {
  const call: Open<StoryCall> = {
    ...{ kind: 'call', id, tool, decision, result: null, refused: false, changes: [], items: [] },
    what: clipText(what).head,
    input: clipText(formatInput(input)),
  };
  const outer = state.calls.get(id.replace(/\.\d+$/, ''));
  (outer?.result === null && outer.id !== id ? outer.items : itemsOf(state)).push(call);
  state.calls.set(id, call);
}

function finishCall({ calls }: FoldState, entry: Entry<'tool.result'>): void {
  const call = calls.get(entry.call_id);
  if (call === undefined) return;
  call.result = {
    ok: entry.ok,
    content: clipText(entry.content.replaceAll('\r\n', '\n')),
    errorKind: entry.error_kind,
    spilled: entry.spill !== null,
    durationMs: entry.duration_ms,
  };
}

function addChange(state: FoldState, { change }: Entry<'change'>): void {
  const { path, kind, old_path, risk, validation, diff } = change;
  const clipped: StoryChange = {
    ...{ path, kind, old_path, risk, validation, diff: clipText(diff) },
  };
  (state.calls.get(change.call_id) ?? childOf(state, change.call_id))?.changes.push(clipped);
}

function addRefusal(state: FoldState, { refusal }: Entry<'refusal'>): void {
  const call = state.calls.get(refusal.call_id);
  if (call !== undefined) {
    call.refused = true;
    return;
  }
  const text = clipText(`Refused: ${refusal.tool} ${refusal.what}: ${refusal.reason}`).head;
  const items = childOf(state, refusal.call_id)?.items ?? itemsOf(state);
  items.push({ kind: 'event', tone: 'warning', text, more: null });
}

function addChild(state: FoldState, entry: Entry<'child_run.started'>): void {
  const { child_run_id: id, title, profile } = entry;
  const child: Open<StoryChild> = {
    ...{ kind: 'child', id, title: clipText(title).head, profile, result: null, changes: [], items: [] },
  };
  (starterOf(state)?.items ?? itemsOf(state)).push(child);
  state.children.set(id, child);
}

/** A child that gets more messages ends more than once. */
function finishChild({ turns, children }: FoldState, entry: Entry<'child_run.result'>): void {
  const tokens = tokensOf(entry.usage);
  const turn = turns.at(-1);
  if (turn !== undefined) turn.childTokens += tokens;
  const child = children.get(entry.child_run_id);
  if (child === undefined) return;
  const before = child.result === null ? { tokens: 0, costUsd: 0 } : child.result;
  const cost = entry.cost_usd ?? null;
  child.result = {
    conclusion: entry.conclusion,
    summary: clipText(entry.summary),
    turns: entry.turns,
    tokens: before.tokens + tokens,
    costUsd: cost === null ? null : (before.costUsd ?? 0) + cost,
  };
}

/** Sets a turn's text. Messages before the first turn belong to earlier runs. */
function addMessage(turn: Open<StoryTurn> | undefined, message: Message): void {
  if (message.role !== 'assistant' || turn === undefined) return;
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text.trim() !== '') turn.text = clipText(text.trim());
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

/** Formats the arguments of a call, one per line. Texts of several lines are indented. */
export function formatInput(input: Json): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${formatValue(value)}`)
    .join('\n');
}

function formatValue(value: Json): string {
  if (typeof value !== 'string') {
    const short = JSON.stringify(value);
    return short.length <= 80 ? short : JSON.stringify(value, null, 2);
  }
  return value.includes('\n') ? `\n${value.replace(/^(?=.)/gm, '    ')}` : value;
}

/**
 * Renders a ledger entry as one line of the timeline; null if another part displays it. An unknown
 * type is displayed as stored.
 */
export function storyEvent(entry: RunEntry): StoryEvent | null {
  switch (entry.type) {
    case 'model.waiting':
      return event('plain', `${waitingText(entry)}.`);
    case 'diagnostic':
      return event(tones[entry.level], entry.message);
    case 'limit':
      return event('warning', `Stopped at a limit: ${entry.stop.message}`);
    case 'run.started':
    case 'run.finished':
    case 'message':
    case 'turn.started':
    case 'usage':
    case 'tool.call':
    case 'tool.result':
    case 'change':
    case 'refusal':
    case 'child_run.started':
    case 'child_run.result':
      return null;
    default:
      return requestEvent(entry);
  }
}

type Request = Exclude<
  RunEntry,
  {
    type:
      | 'model.waiting'
      | 'diagnostic'
      | 'limit'
      | 'run.started'
      | 'run.finished'
      | 'message'
      | 'turn.started'
      | 'usage'
      | 'tool.call'
      | 'tool.result'
      | 'change'
      | 'refusal'
      | 'child_run.started'
      | 'child_run.result';
  }
>;

/** Renders requests to people, and their decisions. */
function requestEvent(entry: Request): StoryEvent {
  switch (entry.type) {
    case 'approval.required': {
      const { tool, what, hash, reason, waits, diff } = entry.approval;
      const text = waits === true ? 'Asked a person to approve' : 'Proposed, not done';
      return event('warning', `${text}: ${tool} ${what} (${hash})`, [reason, diff ?? ''].join('\n\n'));
    }
    case 'approval.decided': {
      const { verdict, tool, what, hash, by, note } = entry.decided;
      const word = { approved: 'Approved', denied: 'Denied', lapsed: 'Approved, but lapsed' }[verdict];
      return event(
        verdict === 'approved' ? 'good' : 'warning',
        `${word} by ${by}: ${tool} ${what} (${hash})`,
        note,
      );
    }
    case 'grant': {
      const rules = entry.grant.permissions.map(describePermission);
      return event('good', `${entry.grant.by} granted ${rules.join('; ')}`, entry.grant.reason);
    }
    case 'question': {
      const { question, options } = entry.question;
      return event(
        'warning',
        `Asked: ${question}`,
        options.map(({ id, label }) => `${id}: ${label}`).join('\n'),
      );
    }
    case 'handoff':
      return event(
        'plain',
        `Handed over to ${entry.handoff.target}: ${entry.handoff.summary}`,
        entry.handoff.goal ?? '',
      );
    default:
      return progressEvent(entry);
  }
}

type Progress = Exclude<
  Request,
  { type: 'approval.required' | 'approval.decided' | 'grant' | 'question' | 'handoff' }
>;

/** Renders a step of the run's work. */
function progressEvent(entry: Progress): StoryEvent {
  switch (entry.type) {
    case 'answer.committed':
      return event(
        'plain',
        `${entry.mode === 'append' ? 'Added' : 'Made'} ${entry.path} ${entry.mode === 'append' ? 'to' : 'into'} the message of the run`,
        entry.reason ?? '',
      );
    case 'answer.structured':
      return event('plain', 'Gave the answer in the required form', JSON.stringify(entry.value, null, 2));
    case 'instructions': {
      const { ref, applies, text } = entry.activated;
      return event('plain', `Instructions hold for ${applies}: ${ref}`, text);
    }
    case 'findings':
      return event('plain', `Reported ${countOf(entry.findings.length, 'finding')}`);
    case 'closed_findings':
      return event(
        'plain',
        'Closed earlier findings',
        entry.closed.map(({ id, reason }) => `${id}: ${reason}`).join('\n'),
      );
    case 'walkthrough':
      return event('plain', 'Told what the change is about', entry.walkthrough.overview);
    case 'experiment': {
      const { experiment, runs } = entry;
      const logged = runs.map(({ number, status }) => `run ${number} ${status}`).join(', ');
      const { pending } = experiment;
      const newest = logged === '' ? 'begun' : logged;
      const state = pending === null ? newest : `run ${pending.number} measured`;
      return event('plain', `Experiment ${experiment.name}: ${state}`);
    }
    case 'todos': {
      const done = entry.todos.filter(({ status }) => status === 'completed').length;
      const now = entry.todos.find(({ status }) => status === 'in_progress');
      const next = now === undefined ? '' : `; now: ${now.active_form ?? now.content}`;
      return event('plain', `List: ${done} of ${countOf(entry.todos.length, 'step')} done${next}`);
    }
    case 'compaction': {
      const { before_tokens: before, after_tokens: after, note, kept } = entry;
      const numbers = [before, after].map((tokens) => tokens.toLocaleString('en-US'));
      return event(
        'plain',
        `Made room in the conversation: ${numbers.join(' → ')} tokens. ${sentence(note)}`,
        kept,
      );
    }
    default:
      return unknownEvent(entry);
  }
}

function event(tone: StoryEvent['tone'], text: string, more = ''): StoryEvent {
  return {
    kind: 'event',
    tone,
    text: clipText(oneLine(text)).head,
    more: more.trim() === '' ? null : clipText(more),
  };
}

/** Kinds that came into the ledger after this file was written. */
function unknownEvent(entry: { readonly type: string }): StoryEvent {
  const { type, ...rest } = entry;
  return { kind: 'event', tone: 'plain', text: type, more: clipText(JSON.stringify(rest, null, 2)) };
}

const tones = { info: 'plain', warning: 'warning', error: 'bad' } as const;
