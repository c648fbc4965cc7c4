import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { Handoff } from '../../../src/contract/run-results.ts';
import { postHandoff, renderHandoff } from '../../../src/reporting/issues/handoff-issue.ts';
import { postChangesIssue } from '../../../src/reporting/issues/post-changes-issue.ts';
import { type IssueOrder, postIssue } from '../../../src/reporting/issues/post-issue.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { headSha, handoff as sampleHandoff, sampleOutcome, samplePlan } from '../samples.ts';

const own = 'anode-ci[bot]';
const place = { owner: 'acme', repo: 'shop' };
const apiError = (status: number, message = 'Refused') => Object.assign(new Error(message), { status });

interface World {
  readonly listed?: readonly object[];
  readonly comments?: readonly object[];
  readonly labels?: readonly string[];
  readonly create?: readonly (Error | null)[];
  readonly made?: object;
}

function world({ listed = [], comments = [], labels = [], create = [], made = {} }: World = {}) {
  const asked: [string, object][] = [];
  const left = [...create];
  const logged: unknown[] = [];
  const octokit = {
    rest: {
      issues: {
        getLabel: async ({ name }: { name: string }) => {
          if (!labels.includes(name)) throw apiError(404);
        },
        create: async (query: object) => {
          asked.push(['create', { ...query }]);
          const error = left.shift() ?? null;
          if (error !== null) throw error;
          return {
            data: {
              number: 9,
              html_url: 'https://i/9',
              title: 'Made',
              labels: ['a', { name: 'b' }, {}],
              ...made,
            },
          };
        },
        addLabels: async (query: object) => void asked.push(['labels', { ...query }]),
        createComment: async (query: object) => void asked.push(['comment', { ...query }]),
        listForRepo: 'issues',
        listComments: 'comments',
      },
    },
    paginate: Object.assign(
      async (_: unknown, query: object) => {
        asked.push(['comments', { ...query }]);
        return comments;
      },
      {
        async *iterator(_: unknown, query: object) {
          asked.push(['list', { ...query }]);
          yield { data: listed.slice(0, 2) };
          yield { data: listed.slice(2) };
        },
      },
    ),
  };
  const store = createMemoryStateStore();
  const log = { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) };
  const ports = { octokit, ownLogin: own, store, wait: async () => {}, runUrl: null, config: {}, log };
  return { asked, logged, store, ports, kinds: () => asked.map(([kind]) => kind) };
}
const order: IssueOrder = {
  ...{ kind: 'handoff', n: '0', title: 'T', body: 'B', labels: ['bug', 'none'], assignees: ['ada'] },
};

test('creates an issue with existing labels and assignees', async () => {
  const { asked, ports } = world({ labels: ['bug'] });
  expect(await postIssue(order, samplePlan(), ports as never)).toEqual({
    ...{ number: 9, url: 'https://i/9', title: 'Made', labels: ['a', 'b'] },
  });
  expect(asked).toEqual([
    ['list', { ...place, state: 'all', sort: 'created', direction: 'desc', per_page: 100 }],
    [
      'create',
      { ...place, title: 'T', body: 'B', labels: ['bug'], assignees: ['ada'], request: { retries: 0 } },
    ],
  ]);
});

test('omits refused assignees, and retries nothing else', async () => {
  const make = async (change: Partial<IssueOrder>, ...create: Error[]) => {
    const { asked, ports } = world({ create });
    await postIssue({ ...order, ...change }, samplePlan(), ports as never);
    return asked.flatMap(([kind, query]) => (kind === 'create' ? [Reflect.get(query, 'assignees')] : []));
  };
  expect([await make({}, apiError(422)), await make({ assignees: [] })]).toEqual([
    [['ada'], undefined],
    [undefined],
  ]);
  await expect(make({}, apiError(403, 'No'))).rejects.toThrow('No');
  await expect(make({ assignees: [] }, apiError(422, 'Odd'), apiError(422))).rejects.toThrow('Odd');
});

test('finds this run’s issue among those of the last day', async () => {
  const day = '2026-01-01T00:00:00Z';
  const issue = (number: number, body: string, more: object = {}) => ({
    ...{ number, html_url: `https://i/${number}`, title: 'Old', labels: [], body, created_at: day },
    ...{ user: { login: own }, ...more },
  });
  const mark = (kind: 'handoff' | 'changes', run: string, n: string) => writeMarker(kind, { run, n });
  const found = async (...listed: object[]) => {
    const { ports } = world({ listed });
    return (await postIssue(order, samplePlan(), ports as never)).number;
  };
  const mine = issue(4, mark('handoff', 'run_1', '0'));
  const others = [
    issue(1, mark('handoff', 'run_1', '1')),
    issue(2, mark('handoff', 'run_2', '0')),
    issue(3, mark('changes', 'run_1', '0')),
    issue(5, mark('handoff', 'run_1', '0'), { user: { login: 'eve' } }),
    issue(6, mark('handoff', 'run_1', '0'), { user: null }),
  ];
  const older = (created_at: string) => issue(7, '', { created_at });
  expect([
    await found(mine),
    await found(...others, mine),
    await found(...others),
    await found(older('2025-12-31T00:00:00Z'), mine),
    await found(older('2025-12-30T23:59:59Z'), mine),
  ]).toEqual([4, 4, 9, 4, 9]);
});

const handoff: Handoff = { ...sampleHandoff, target: 'next_thread' };

async function hand(
  settings: object,
  {
    given = handoff,
    plan = {},
    ...more
  }: World & { given?: Handoff; plan?: Partial<RunPlan>; template?: string } = {},
) {
  const there = world({ labels: ['l', 'm'], ...more });
  const config = { handoff: settings, ...('triggers' in settings ? { triggers: settings.triggers } : {}) };
  const readBaseFile = async () => more.template ?? null;
  const ports = { ...there.ports, config, readBaseFile };
  const issue = await postHandoff(given, 2, samplePlan(plan), ports as never);
  const kept = await there.store.get('autorun/9');
  return { issue, ...there, kept: kept === null ? null : JSON.parse(kept) };
}
const made = { number: 9, url: 'https://i/9', title: 'Made' };

test('creates an issue for a handoff, with configured labels and assignees', async () => {
  const plain = await hand({});
  const { body, title } = renderHandoff(handoff, 2, samplePlan(), { runUrl: null });
  expect([plain.issue, plain.kinds(), plain.asked[1]?.[1]]).toEqual([
    made,
    ['list', 'create'],
    { ...place, title, body, labels: [], request: { retries: 0 } },
  ]);
  const template = '---\ntitle: Next\nlabels: l, m\n---\n## Summary\n';
  const dressed = await hand({ labels: ['l'], assignees: ['bob'], template: 'a.md' }, { template });
  expect(dressed.asked[1]?.[1]).toMatchObject({ labels: ['l', 'm'], assignees: ['bob'] });
  const missing = await hand({ template: 'a.md' });
  expect(missing.logged).toEqual([[{ run: 'run_1' }, 'The template a.md is no file of the base branch.']]);
  expect((await hand({}, { given: { ...handoff, follow: true } })).issue).toEqual({ ...made, follow: true });
});

test('starts a run on a handoff if permitted, at most three levels deep', async () => {
  const auto = { autorun: true };
  const started = async (settings: object, more: Parameters<typeof hand>[1] = {}) => {
    const { issue, kept, kinds } = await hand(settings, more);
    return [issue.started ?? false, kept?.depth ?? null, kinds().includes('labels')];
  };
  const yes = [true, 1, true];
  const no = [false, null, false];
  expect([
    await started(auto),
    await started(auto, { plan: { autorun_depth: 2 } }),
    await started(auto, { plan: { autorun_depth: 3 } }),
    await started({}),
    await started(auto, { given: { ...handoff, target: 'user' } }),
    await started(auto, { plan: { source: { kind: 'action', delivery_id: null } as never } }),
    await started({ ...auto, triggers: { label: { x: 'fix' } } }),
    await started(auto, { made: { labels: ['anode:implement'] } }),
  ]).toEqual([yes, [true, 3, true], no, no, no, no, no, [true, null, false]]);
  const { asked, kept } = await hand(auto);
  expect([asked.at(-1), kept]).toEqual([
    ['labels', { ...place, issue_number: 9, labels: ['anode:implement'] }],
    { run_id: 'run_1', requester: { login: 'ada', id: 42, type: 'User' }, depth: 1 },
  ]);
});

test('bounds the lists of a handoff, and reads the template’s front matter', () => {
  const many = Array.from({ length: 21 }, (_, index) => `s${index}`);
  const render = (more: Partial<Handoff>, template: string | null = null) =>
    renderHandoff({ ...sampleHandoff, ...more }, 0, samplePlan(), { runUrl: null, template });
  const list = (given: readonly string[]) => given.map((item) => `- [ ] ${item}`).join('\n');
  const section = (steps: readonly string[]) =>
    render({ recommended_next_steps: [...steps] })
      .body.split('\n\n')
      .slice(1, -1);
  expect([section(many.slice(0, 20)), section(many), section(['x'.repeat(401)])]).toEqual([
    [list(many.slice(0, 20))],
    [`${list(many.slice(0, 20))}\n- … and 1 more`],
    [list([`${'x'.repeat(399)}…`])],
  ]);
  const front = (lines: string) => render({}, `---\n${lines}\n---\nBody {{summary}}`);
  expect(
    [
      front('title: "[Next]: "\nlabels: ["a", \'b\' , ]'),
      front('titles: x\nname: y'),
      front("title: '[Bug]'\nlabels: 'a b, c'"),
    ].map(({ title, labels }) => [title, labels]),
  ).toEqual([
    ['[Next]: Tokens are migrated', ['a', 'b']],
    ['Tokens are migrated', []],
    ['[Bug] Tokens are migrated', ['a b', 'c']],
  ]);
  const windows = render({}, '---\r\ntitle: A\r\nlabels: b\r\n---\r\nBody {{summary}}\r\n');
  expect([windows.title, windows.labels, windows.body.split('\n')[1]]).toEqual([
    ...['A Tokens are migrated', ['b'], 'Body Tokens are migrated.'],
  ]);
  expect(front('title: A').body.split('\n').slice(1, 3)).toEqual(['Body Tokens are migrated.', '']);
  expect(render({ goal: 'g'.repeat(300) }).title).toBe(`${'g'.repeat(255)}…`);
  expect(render({ summary: 's'.repeat(20_001) }).body.split('\n\n')[1]).toBe('[cut]');
});

const section = (name: string, bytes: number) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${'x'.repeat(bytes)}\n`;

test('puts changes into an issue once, continued in comments', async () => {
  const parts = [section('a', 50_000), section('b', 50_000)];
  const post = async (
    patch: string,
    given: World = {},
    plan: Partial<RunPlan> = {},
    runUrl: string | null = null,
  ) => {
    const { asked, ports } = world(given);
    const done = await postChangesIssue(patch, 'it is a fork', {
      outcome: sampleOutcome(),
      plan: samplePlan(plan),
      ports: { ...(ports as object), runUrl } as never,
    });
    return { done, asked };
  };
  const { done, asked } = await post(parts.join('') + section('c', 60_000));
  expect(done).toEqual({ ...made, labels: ['a', 'b'], rest: section('c', 60_000) });
  expect(asked.slice(1)).toEqual([
    [
      'create',
      {
        ...{
          ...place,
          title: 'Changes to look at: Fix the failing test',
          labels: [],
          request: { retries: 0 },
        },
        body: [
          '<!-- anode:changes v1 run=run_1 n=0 -->\nAn Anode run on #7 made changes that it could not commit, as it is a fork.',
          `They are made on \`${headSha}\`. Save the patch and run \`git apply\` on it. It goes on in 1 comment below.`,
          'Too long for a post, complete in the run’s record: `c`',
          `\`\`\`diff\n${parts[0]}\`\`\``,
          '<sub>For ada.</sub>',
        ].join('\n\n'),
      },
    ],
    ['comments', { ...place, issue_number: 9, per_page: 100 }],
    [
      'comment',
      {
        ...{ ...place, issue_number: 9, request: { retries: 0 } },
        body: `<!-- anode:changes v1 run=run_1 n=1 -->\n<details><summary>Part 2 of the patch</summary>\n\n\`\`\`diff\n${parts[1]}\`\`\`\n\n</details>`,
      },
    ],
  ]);
  const mark = (run: string, n: string, login = own) => ({
    ...{ body: writeMarker('changes', { run, n }), user: { login } },
  });
  const again = async (...comments: object[]) =>
    (await post(parts.join(''), { comments })).asked.filter(([kind]) => kind === 'comment').length;
  expect([
    await again(mark('run_1', '1')),
    await again(mark('run_2', '1'), mark('run_1', '2'), mark('run_1', '1', 'eve'), { body: 'x', user: null }),
  ]).toEqual([0, 1]);
  const small = (await post(section('a', 5), {}, { thread: null }, 'https://ci')).asked[1]?.[1];
  expect(
    String(Reflect.get(small ?? {}, 'body'))
      .split('\n\n')
      .slice(0, 2),
  ).toEqual([
    '<!-- anode:changes v1 run=run_1 n=0 -->\nAn Anode [run](https://ci) made changes that it could not commit, as it is a fork.',
    `They are made on \`${headSha}\`. Save the patch and run \`git apply\` on it.`,
  ]);
  expect((await post(section('a', 60_000))).done).toBeNull();
});
