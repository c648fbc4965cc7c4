import type { Scene } from './scene.ts';

/** The branches of a repository with the subjects on them that the default branch does not have, and files that changed. */
async function branches({ repository }: Scene): Promise<Record<string, string[]>> {
  const names = (await repository.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/'))
    .trim()
    .split('\n');
  const made = names.filter((name) => name !== 'main');
  const logs = await Promise.all(
    made.map(async (name) => {
      const log = await repository.git(
        'log',
        '--format=%s',
        '--name-status',
        '--no-renames',
        `main..${name}`,
      );
      return [name, log.split('\n').filter((line) => line !== '')] as const;
    }),
  );
  return Object.fromEntries(logs);
}

/**
 * All that stands on GitHub in a scene, with what differs from one repository and run to the next left out: two scenes in which
 * the same was done are equal.
 */
export async function everythingOn(scene: Scene): Promise<unknown> {
  const { repository } = scene;
  const threads = [...repository.pulls(), ...repository.issues()];
  const state = {
    branches: await branches(scene),
    pulls: repository.pulls(),
    issues: repository.issues(),
    comments: threads.map(({ number }) =>
      repository.comments(number).map(({ author, body, minimized }) => ({ author, body, minimized })),
    ),
    reviews: repository
      .pulls()
      .map(({ number }) => [
        repository.reviews(number).map(({ body, state }) => ({ body, state })),
        repository.reviewComments(number).map(({ path, line, body }) => ({ path, line, body })),
        repository.reviewThreads(number).map(({ path, line, resolvedBy }) => ({ path, line, resolvedBy })),
      ]),
    checks: repository.checkRuns(),
    reactions: repository.reactions({ id: scene.commentId }),
  };
  const text = JSON.stringify(state, (key, value: unknown) => (key === 'id' ? undefined : value))
    .replaceAll(/\bshop-\d+/gu, 'shop')
    .replaceAll(/\b[0-9a-f]{40}\b|(?<=`)[0-9a-f]{7,12}(?=`)/gu, 'sha')
    .replaceAll(/(?<= fp=)[0-9a-f]+/gu, 'fp')
    .replaceAll(/(issuecomment|pullrequestreview|discussion_r)-?\d+/gu, '$1');
  return JSON.parse(text);
}
