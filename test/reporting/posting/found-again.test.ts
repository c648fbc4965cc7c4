import { expect, test } from 'vitest';
import { findOwnComment, markedBody, postOwnComment } from '../../../src/reporting/posting/own-comment.ts';
import { postOnce } from '../../../src/reporting/posting/post-once.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { samplePlan } from '../samples.ts';

const apiError = (status: number) => Object.assign(new Error(`status ${status}`), { status });

test('waits ten times for a thing that another publisher claims', async () => {
  const waits: number[] = [];
  const claimed: number[] = [];
  let looks = 0;
  const claims = (ours: number) => ({
    claim: async (attempt: number) => {
      claimed.push(attempt);
      return attempt === ours;
    },
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  });
  const find = (at: number) => async () => {
    looks += 1;
    return looks === at ? 'found' : null;
  };
  expect(await postOnce(find(4), async () => 'made', claims(99))).toBe('found');
  expect([waits, claimed, looks]).toEqual([[500, 1_500, 4_000], [1], 4]);
  looks = 0;
  expect(await postOnce(find(0), async () => 'made', claims(99))).toBe('made');
  expect([claimed.length, looks, waits.length]).toEqual([11, 40, 33]);
  waits.length = 0;
  looks = 0;
  let tries = 0;
  const failing = async () => {
    tries += 1;
    throw apiError(502);
  };
  await expect(postOnce(find(0), failing, claims(1))).rejects.toThrow('status 502');
  expect([waits, tries, looks]).toEqual([[1_500], 2, 2]);
});

const own = 'anode-ci[bot]';
test('finds our comment by kind, run, marker and text', async () => {
  const asked: object[] = [];
  const plan = samplePlan();
  const thread = plan.thread ?? expect.unreachable();
  const comment = (id: number, body: string | undefined, login: string | null = own) => ({
    ...{ id, html_url: `u${id}`, created_at: 't', user: login === null ? null : { login } },
    ...(body === undefined ? {} : { body }),
  });
  const place = (...pages: object[][]) => {
    const paginate = {
      async *iterator(_: unknown, query: object) {
        asked.push(query);
        for (const data of pages) yield { data };
      },
    };
    const createComment = async (query: { body: string }) => ({ data: comment(9, query.body) });
    const octokit = { rest: { issues: { listComments: 'c', createComment } }, paginate } as never;
    return { octokit, plan, thread, ownLogin: own };
  };
  const report = markedBody(plan, 'report', 'R');
  const others = [
    comment(1, report, 'eve'),
    comment(2, report, null),
    comment(3, `> ${report}`),
    comment(4, `${writeMarker('report', { run: 'run_2' })}\nR`),
    comment(5, markedBody(plan, 'progress', 'R')),
    comment(6, undefined),
  ];
  const found = { id: 7, url: 'u7', body: report, created_at: 't' };
  expect([
    await findOwnComment(place(others, [comment(7, report)]), 'report'),
    await findOwnComment(place(others), 'report'),
    await findOwnComment(place([comment(7, report)]), 'report', 'R'),
    await findOwnComment(place([comment(7, report)]), 'report', 'S'),
    (await postOwnComment(place([comment(7, report)]), 'report', 'S')).id,
    (await postOwnComment(place([]), 'report', 'S')).body,
  ]).toEqual([found, null, found, null, 7, '<!-- anode:report v1 run=run_1 -->\nS']);
  expect(asked[0]).toEqual({ owner: 'acme', repo: 'shop', issue_number: 7, per_page: 100 });
});
