import * as z from 'zod';
import type { PastRun } from '../../contract/past-run.ts';
import { fenced } from '../../contract/untrusted.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { defineTool, toJson } from '../tool.ts';
import { countWords, localOnly, wordsOf } from './thread-of.ts';

const mostShown = 50;
const shownAnswer = 300;

const input = z.object({
  query: unlessNull(z.string().max(500)).describe(
    'words of its task, answer, title or files; default: newest',
  ),
  source: z.string().default('local'),
  limit: integer(z.int().positive()).default(10).describe('at most 50'),
});

/** Finds earlier runs on the repository by their content, or lists the newest. */
export const findThread = defineTool({
  name: 'find_thread',
  description: 'Find earlier runs of yours on this repository by what they were about.',
  exposure: 'deferred',
  findBy: ['earlier runs', 'earlier|previous|past|prior|last run|session|conversation'],
  input,
  level: 'auto_read',
  targets: (args) => ({ what: args.query ?? 'the newest' }),
  async execute(args, { threads }) {
    localOnly(args.source);
    const query = args.query?.trim() ?? '';
    const words = wordsOf(query);
    const runs = await threads.list();
    // The order is stable: of equally good matches the newer one comes first.
    const found = runs
      .map((run) => ({ run, fits: countWords(textOf(run), words) }))
      .filter(({ fits }) => query === '' || fits > 0)
      .sort((a, b) => b.fits - a.fits);
    const shown = found.slice(0, Math.min(args.limit, mostShown));
    const data = toJson({
      threads: shown.map(({ run }) => ({
        ...{ thread_id: run.session_id, run_id: run.run_id, ended_at: run.ended_at },
        ...{ thread: run.thread?.number ?? null, conclusion: run.conclusion },
      })),
      total: found.length,
    });
    if (runs.length === 0) return { content: 'No earlier run on this repository is stored.', data };
    if (shown.length === 0) {
      const stored = runs.length === 1 ? '1 earlier run is kept' : `${runs.length} earlier runs are kept`;
      return { content: `No earlier run fits "${query}"; ${stored}.`, data };
    }
    const more = found.length - shown.length;
    const how = query === '' ? 'older ones; give a query' : 'more fit; narrow the query';
    const rest = more === 0 ? '' : `\n[${more} ${how} or raise limit]`;
    return { content: shown.map(({ run }) => renderRun(run)).join('\n') + rest, data };
  },
});

function textOf({ prompt, answer, thread, files }: PastRun): string {
  return [prompt, answer, thread === null ? '' : `#${thread.number} ${thread.title}`, ...files].join('\n');
}

/** Summarises a run: its task and its answer. */
function renderRun(run: PastRun): string {
  const { thread, prompt, answer, files } = run;
  const lines = [
    `asked: ${short(prompt)}`,
    `answered: ${short(answer)}`,
    ...(files.length === 0 ? [] : [`changed: ${short(files.join(', '))}`]),
  ];
  return fenced(
    {
      ...{ thread_id: run.session_id, ended: run.ended_at, conclusion: run.conclusion },
      ...(thread === null ? {} : { on: `#${thread.number} ${thread.title}` }),
    },
    lines.join('\n'),
  );
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= shownAnswer ? line : `${line.slice(0, shownAnswer).toWellFormed()}…`;
}
