import type { Octokit } from '@octokit/rest';
import type { IncomingEvent } from '../../contract/event.ts';
import type { Question } from '../../contract/run-results.ts';
import { repoOf } from '../../github/api-target.ts';
import type { Candidate } from '../triggers/find-candidate.ts';
import { integerAt } from '../triggers/payload-reader.ts';

/** A question of ours that GitHub still shows, though its session is stored no longer. */
export interface LostQuestion {
  /** The run that asked. */
  readonly runId: string;
  /** The question as far as its comment tells: all lines, and the options of its first part. */
  readonly question: Question;
}

/** The first line of a question of ours. */
const marker = /^<!-- anode:question v1 run=([\w-]{1,100})/;

/** An option: `- [ ] 1. **Blue** (`blue`)`. */
const optionLine = /^- \[[ xX]\] (\d+)\. \*\*(.+?)\*\* \(`([^`]+)`\)/gm;

/** Maximum pages of 100 comments that are searched. */
const mostPages = 10;

type Where = Pick<Candidate, 'repository' | 'thread'>;

interface Ports {
  readonly octokit: Octokit;
  readonly settings: { readonly ownLogins: readonly string[] };
}

/** Reads our newest comment on the thread; null if it is no question, or an answered one. */
export async function readLostQuestion(
  { repository, thread }: Where,
  { octokit, settings }: Ports,
): Promise<LostQuestion | null> {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...{ ...repoOf({ repository }), issue_number: thread.number, per_page: 100 },
  });
  let newest = '';
  let page = 0;
  for await (const { data } of pages) {
    newest = data.findLast(({ user }) => settings.ownLogins.includes(user?.login ?? ''))?.body ?? newest;
    page += 1;
    if (page === mostPages) break;
  }
  const runId = marker.exec(newest)?.[1];
  if (runId === undefined || newest.includes('**Answered by ')) return null;
  return { runId, question: parseQuestion(newest) };
}

/** Returns true for a comment in the review thread in which the question was asked, too. */
export async function isInLostThread(
  { payload }: IncomingEvent,
  { runId }: LostQuestion,
  { repository, thread }: Where,
  { octokit, settings }: Ports,
): Promise<boolean> {
  const root = integerAt(payload, 'comment', 'in_reply_to_id');
  if (root === null) return false;
  const all = await octokit.paginate(octokit.rest.pulls.listReviewComments, {
    ...{ ...repoOf({ repository }), pull_number: thread.number, per_page: 100 },
  });
  return all.some(
    ({ user, body, in_reply_to_id: to }) =>
      to === root && settings.ownLogins.includes(user?.login ?? '') && marker.exec(body)?.[1] === runId,
  );
}

function parseQuestion(body: string): Question {
  const options = [...body.matchAll(optionLine)].map(([, number, label = '', id = '']) => ({
    number,
    option: { id, label },
  }));
  // Each part counts its options from 1.
  const second = options.findIndex(({ number }, index) => index > 0 && number === '1');
  const first = second === -1 ? options : options.slice(0, second);
  return {
    question: body,
    options: first.map(({ option }) => option),
    ...{ allow_freeform: true, required: false, questions: [] },
  };
}
