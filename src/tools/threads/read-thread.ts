import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { PastMessage } from '../../contract/past-run.ts';
import { fenced } from '../../contract/untrusted.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { countWords, localOnly, wordsOf } from './thread-of.ts';

const mostMessages = 80;

const input = z.object({
  thread_id: z.string().min(1).describe('from find_thread'),
  source: z.string().default('local'),
  goal: unlessNull(z.string().max(500)).describe('what you look for: messages about it are kept first'),
  max_messages: integer(z.int().positive()).default(40).describe('at most 80'),
});

/** Reads the messages of an earlier run on the repository. */
export const readThread = defineTool({
  name: 'read_thread',
  argumentAliases: { id: 'thread_id', threadId: 'thread_id' },
  description: 'Read an earlier run of yours on this repository: its task, steps and answer.',
  exposure: 'deferred',
  findBy: ['earlier runs', 'earlier|previous|past|prior|last run|session|conversation'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.thread_id }),
  async execute(args, { threads }) {
    localOnly(args.source);
    const id = args.thread_id.trim();
    const run = (await threads.list()).find((one) => one.session_id === id || one.run_id === id);
    if (run === undefined) {
      throw new ToolError(
        'not_found',
        `There is no earlier run ${id} on this repository. find_thread finds the stored ones.`,
      );
    }
    const all = await threads.messages(run);
    const posted: PastMessage[] = [
      { role: 'user', text: run.prompt },
      { role: 'assistant', text: run.answer },
    ];
    const messages = all ?? posted;
    const chosen = choose(messages, Math.min(args.max_messages, mostMessages), args.goal);
    const left = messages.length - chosen.length;
    const notes = [
      ...(all === null ? ['[only the posted text: the steps of this run are hidden here]'] : []),
      ...(left === 0 ? [] : [`[${left} of ${messages.length} messages left out]`]),
    ];
    const files = run.files.length === 0 ? [] : [`Changed files: ${run.files.join(', ')}`];
    return {
      content: [...chosen.map(renderThreadMessage), ...files, ...notes].join('\n'),
      data: toJson({
        ...{ thread_id: run.session_id, run_id: run.run_id, ended_at: run.ended_at },
        ...{ conclusion: run.conclusion, thread: run.thread, files: run.files },
        ...{ messages: chosen.length, total: messages.length, posted_only: all === null },
      }),
    };
  },
});

type Numbered = PastMessage & { readonly index: number };

/** Selects the task, the end, and messages about the goal, else the newest; in their order. */
function choose(messages: readonly PastMessage[], most: number, goal: string | undefined): Numbered[] {
  const numbered = messages.map((message, index) => ({ ...message, index }));
  if (numbered.length <= most) return numbered;
  const words = wordsOf(goal ?? '');
  const rank = ({ index, text }: Numbered): number => {
    if (index === 0 || index === numbered.length - 1) return Number.POSITIVE_INFINITY;
    return countWords(text, words) + index / numbered.length;
  };
  return numbered
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, most)
    .sort((a, b) => a.index - b.index);
}

/** The context pack before a run's task; the reader has a newer one. */
const contextPack = /^<repository>\n.*?\n<\/repository>\n+/s;

function renderThreadMessage({ role, text, index }: Numbered): string {
  const shown = index === 0 ? text.replace(contextPack, '') : text;
  return fenced({ message: String(index), role }, shown);
}
