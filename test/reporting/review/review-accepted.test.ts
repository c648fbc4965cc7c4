import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { publish } from '../../../src/reporting/publish.ts';
import { finding, sampleOutcome } from '../samples.ts';
import { startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const numbered = (count: number, end = '\n') =>
  Array.from({ length: count }, (_, index) => `line number ${index + 1}${end}`);

/** What diffs hold in real life: renames, quoted names, other line ends, deletions, binaries. */
const before = {
  'edited.txt': numbered(80).join(''),
  'deleted.txt': numbered(10).join(''),
  'old name.txt': numbered(60).join(''),
  'dos.txt': numbered(40, '\r\n').join(''),
  'unended.txt': numbered(5).join('').trimEnd(),
  image: Buffer.from([0, 1, 2]),
};
const after = {
  'edited.txt': numbered(80).toSpliced(9, 2, '-- a\n', '++ b\n', '@@ c\n').toSpliced(60, 4).join(''),
  'deleted.txt': null,
  'old name.txt': null,
  'ü "new" name.txt': numbered(60).with(30, 'changed\n').join(''),
  'dos.txt': numbered(40, '\r\n').with(4, 'changed\r\n').join(''),
  'unended.txt': `${numbered(5).join('')}more`,
  'created.txt': numbered(3).join(''),
  image: Buffer.from([0, 3]),
};

const line = fc.integer({ min: 1, max: 60 });
const anyFinding = fc
  .record({
    path: fc.constantFrom(...Object.keys(before), ...Object.keys(after), 'elsewhere.txt'),
    side: fc.constantFrom('RIGHT' as const, 'LEFT' as const),
    line,
    start: fc.option(line),
    suggestion: fc.option(fc.constantFrom('', 'new\n', '```\nfence\n```')),
  })
  .map(
    ({ start, suggestion, ...where }): Finding => ({
      ...finding,
      ...where,
      ...(start === null ? {} : { start_line: start }),
      ...(suggestion === null ? {} : { suggestion }),
    }),
  );

test('makes an accepted review, wherever the findings are', async () => {
  const scene = await world.scene();
  const { repository } = scene;
  await repository.commit('main', { files: before, message: 'Files' });
  const head = await repository.commit('many', { files: after, message: 'Changes', author: 'ada' });
  const { number } = await repository.openPullRequest({ title: 'Many', head: 'many', author: 'ada' });
  // In other words each: the same of the same lines is told once.
  const findings = fc
    .sample(anyFinding, { numRuns: 400, seed: 7 })
    .map((one, index) => ({ ...one, title: `Number ${index}`, body: `About ${index}.` }));
  const plan = scene.plan({
    verb: 'review',
    thread: { kind: 'pull_request', number, title: 'Many' },
    checkout: {
      ref: `refs/pull/${number}/head`,
      sha: head,
      base_ref: 'main',
      base_sha: scene.base,
      fork: false,
    },
    push: { kind: 'none', reason: 'it is a review' },
  });
  const ports = await scene.ports({
    pullRequestDiff: await repository.git('diff', '-M', 'main...many'),
    config: { review: { maxComments: 400 } },
  });
  const published = await publish(sampleOutcome({ findings }), plan, ports);
  const comments = repository.reviewComments(number);
  expect({
    failures: published.failures,
    reviews: repository.reviews(number).length,
    placed: comments.length > 50,
    files: [...new Set(comments.map(({ path }) => path))].toSorted(),
    ranges: comments.some(({ startLine }) => startLine !== null),
    left: comments.some(({ side }) => side === 'LEFT'),
  }).toEqual({
    failures: [],
    reviews: 1,
    placed: true,
    files: ['created.txt', 'deleted.txt', 'dos.txt', 'edited.txt', 'unended.txt', 'ü "new" name.txt'],
    ranges: true,
    left: true,
  });
});
