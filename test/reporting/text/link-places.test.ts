import { expect, test } from 'vitest';
import { linkPathLines, withPlaceLinks } from '../../../src/reporting/text/link-places.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';

const url = 'https://github.com/acme/shop/blob/abc';
const files = new Map([
  ['src/a.ts', { lines: 20, url: `${url}/src/a.ts` }],
  ['Makefile', { lines: 3, url: `${url}/Makefile` }],
]);

test.each([
  ['See src/a.ts:12.', `See [src/a.ts:12](${url}/src/a.ts#L12).`],
  [
    'See `src/a.ts:12-14`, and (Makefile:3)',
    `See [\`src/a.ts:12-14\`](${url}/src/a.ts#L12-L14), and ([Makefile:3](${url}/Makefile#L3))`,
  ],
  ['- src/a.ts:1\n- src/a.ts:20', `- [src/a.ts:1](${url}/src/a.ts#L1)\n- [src/a.ts:20](${url}/src/a.ts#L20)`],
])('links a line that exists: %j', (text, linked) => {
  expect(linkPathLines(text, files)).toBe(linked);
});

test.each([
  'src/a.ts:21',
  'src/a.ts:0',
  'src/a.ts:9-3',
  'src/b.ts:1',
  'lib/src/a.ts:1',
  'https://host/src/a.ts:1',
  '../src/a.ts:1',
  '[src/a.ts:1](https://example.com)',
  'src/a.ts:12:5',
  '`node src/a.ts:1`',
  '```\nsrc/a.ts:1\n```',
])('does not link anything else: %j', (text) => {
  expect(linkPathLines(text, files)).toBe(text);
});

test('links a changed file at its commit, and not without one', async () => {
  const outcome = {
    ...sampleOutcome(),
    answer: 'Now src/new.ts:2 calls src/old.ts:1; src/new.ts:3 is gone.',
    changes: {
      ...sampleOutcome().changes,
      files: [
        {
          ...{ path: 'src/new.ts', kind: 'modify', mode: '100644', old_mode: '100644', diff: '' },
          content: Buffer.from('a\nb\n').toString('base64'),
        },
      ],
    },
  } as never;
  const read = async (path: string) => (path === 'src/old.ts' ? 'one' : null);
  const plan = samplePlan();
  const site = `${plan.repository.clone_url.replace(/\.git$/, '')}/blob`;
  const answers = await Promise.all([
    withPlaceLinks(outcome, plan, 'c0ffee', read),
    withPlaceLinks(outcome, plan, null, read),
    withPlaceLinks(outcome, plan, 'c0ffee', undefined),
  ]);
  expect(answers.map(({ answer }) => answer)).toEqual([
    `Now [src/new.ts:2](${site}/c0ffee/src/new.ts#L2) calls [src/old.ts:1](${site}/c0ffee/src/old.ts#L1); src/new.ts:3 is gone.`,
    `Now src/new.ts:2 calls [src/old.ts:1](${site}/${plan.checkout.sha}/src/old.ts#L1); src/new.ts:3 is gone.`,
    'Now src/new.ts:2 calls src/old.ts:1; src/new.ts:3 is gone.',
  ]);
});
