import { parseJson } from '../../contract/json.ts';
import { OpenRun } from '../../contract/open-run.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { EyesReaction } from '../../contract/thread-records.ts';
import { repoOf } from '../../github/api-target.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { requestLink } from '../commands/request-quote.ts';
import { showsWork } from '../records/shows-work.ts';
import { quoteRun } from '../records/stopped-thread.ts';

/** A request on a thread that works, or waits for its turn. */
export interface RequestState {
  readonly state: 'works' | 'waits';
  /** The request as code, and a link to it. */
  readonly what: string;
}

/** Reads the requests on a thread that work or wait, the working ones first. */
export async function readRequests(request: EventRequest, context: DecideContext): Promise<RequestState[]> {
  const { store, settings } = context;
  return settings.host === 'app' ? storedRequests(request, store) : shownRequests(request, context);
}

async function storedRequests(
  { trigger: { thread }, facts: { repository } }: EventRequest,
  store: StateStore,
): Promise<RequestState[]> {
  const eyes = (await readAll(stateKeys.allEyes, store)).flatMap((value) => {
    const { data } = EyesReaction.safeParse(value);
    return data?.request?.thread === thread.number ? [{ ...data.request, comment: data.comment }] : [];
  });
  const open = (await readAll(stateKeys.open(''), store)).flatMap((value) => {
    const { data } = OpenRun.safeParse(value);
    return data?.body === null && data.plan.thread?.number === thread.number ? [data.plan] : [];
  });
  const isSame = (one: { id: number; kind: string }, other: typeof one | null) =>
    one.id === other?.id && one.kind === other.kind;
  const works = await Promise.all(
    open.map(async (plan): Promise<RequestState> => ({ state: 'works', what: await quoteRun(plan, store) })),
  );
  const waits = eyes
    .filter(({ comment }) => !open.some((plan) => isSame(comment, plan.trigger_comment)))
    .toSorted((a, b) => a.comment.id - b.comment.id)
    .map(({ quote, login, comment }): RequestState => {
      const link = requestLink({ login, thread, comment }, repository);
      return { state: 'waits', what: `${quote}, ${link}` };
    });
  return [...works, ...waits];
}

const readAll = async (prefix: string, store: StateStore): Promise<unknown[]> => {
  const texts = await Promise.all((await store.list(prefix)).map((key) => store.get(key)));
  return texts.map((text) => parseJson(text ?? ''));
};

/** A longer job has been ended by GitHub. */
const longestJobMs = 24 * 60 * 60 * 1000;

/**
 * Reads the comments of active runs. Workflow jobs share no state while they work. One at a time
 * works on a thread, the one with the oldest comment.
 */
async function shownRequests(
  { trigger }: EventRequest,
  { octokit, settings, clock }: DecideContext,
): Promise<RequestState[]> {
  const { data } = await octokit.rest.issues.listComments({
    ...{ ...repoOf(trigger), issue_number: trigger.thread.number, per_page: 100 },
    since: new Date(clock().getTime() - longestJobMs).toISOString(),
  });
  return data
    .filter(({ user, body }) => settings.ownLogins.includes(user?.login ?? '') && showsWork(body ?? ''))
    .toSorted((a, b) => a.id - b.id)
    .map(({ html_url }, index) => ({ state: index === 0 ? 'works' : 'waits', what: `[a run](${html_url})` }));
}
