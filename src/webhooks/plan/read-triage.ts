import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { TriageChoices } from '../../contract/run-results.ts';
import type { Trigger } from '../commands/trigger.ts';
import { keywordsOf, type OtherThread, rankSimilar } from './rank-alike.ts';

/** Choices of a triage, and their text for the model. */
export interface TriageFacts {
  readonly choices: TriageChoices;
  readonly text: string;
}

const mostLabels = 300;
const mostCandidates = 10;
/** Maximum files: one page of the API. */
const mostFiles = 100;
const mostOfName = 200;

/**
 * Reads a repository's labels and the threads most similar to one. It compares the hundred last
 * changed threads and those found by its rarest words. For a pull request it also reads the changed
 * file names. GET requests only.
 */
export async function readTriage(
  octokit: Octokit,
  { repository, thread }: Pick<Trigger, 'repository' | 'thread'>,
  words: { readonly title: string; readonly body: string; readonly settings: Config['triage'] },
  sanitise: (text: string) => string,
): Promise<TriageFacts> {
  const { settings } = words;
  const address = { owner: repository.owner, repo: repository.name };
  const [labels, others, files] = await Promise.all([
    octokit.paginate(
      octokit.rest.issues.listLabelsForRepo,
      { ...address, per_page: 100 },
      ({ data }, done) => {
        if (data.length < 100) done();
        return data;
      },
    ),
    readOthers(octokit, address, thread, words),
    thread.kind === 'pull_request' ? readFiles(octokit, { ...address, pull_number: thread.number }) : [],
  ]);
  const usable = labels
    .slice(0, mostLabels)
    .filter(({ name }) => settings?.labels === undefined || settings.labels.includes(name));
  const similar = rankSimilar(words, others, mostCandidates);
  const changed = files.map(
    ({ name, added, deleted }) => `- ${sanitise(oneLine(name)).slice(0, mostOfName)} (+${added} −${deleted})`,
  );
  const first = files.length === mostFiles ? ` (the first ${mostFiles}, there may be more)` : '';
  const lines = [
    ...(changed.length === 0 ? [] : [`Files that it changes${first}:`, ...changed, '']),
    'Labels of this repository:',
    ...usable.map(({ name, description }) => `- ${sanitise(oneLine(name))}${about(description, sanitise)}`),
    '',
    similar.length === 0 ? 'No other thread looks alike.' : 'Threads that may say the same:',
    ...similar.map(
      ({ number, title, state, body }) =>
        `- #${number} (${state}) ${sanitise(oneLine(title)).slice(0, 200)}: ${sanitise(oneLine(body)).slice(0, 400)}`,
    ),
  ];
  return {
    choices: { labels: usable.map(({ name }) => name), candidates: similar.map(({ number }) => number) },
    text: lines.join('\n'),
  };
}

async function readOthers(
  octokit: Octokit,
  address: { readonly owner: string; readonly repo: string },
  thread: Trigger['thread'],
  { title, body }: { readonly title: string; readonly body: string },
): Promise<OtherThread[]> {
  const rare = [...keywordsOf(title.length > 0 ? title : body)]
    .sort((a, b) => b.length - a.length)
    .slice(0, 2);
  const kind = thread.kind === 'issue' ? 'issue' : 'pr';
  const [listed, found] = await Promise.all([
    octokit.rest.issues.listForRepo({ ...address, state: 'all', sort: 'updated', per_page: 100 }),
    rare.length === 0
      ? null
      : octokit.rest.search
          .issuesAndPullRequests({
            q: `repo:${address.owner}/${address.repo} is:${kind} ${rare.join(' ')}`,
            per_page: 20,
          })
          // The search has its own rate limit; without it the newest threads suffice.
          .catch(() => null),
  ]);
  const all = [...listed.data, ...(found?.data.items ?? [])]
    .filter((one) => one.number !== thread.number && (one.pull_request === undefined) === (kind === 'issue'))
    .map((one) => ({ number: one.number, title: one.title, body: one.body ?? '', state: one.state }));
  return [...new Map(all.map((one) => [one.number, one])).values()];
}

/** Reads the first page of a pull request's changed files, in GitHub's order. */
async function readFiles(
  octokit: Octokit,
  pull: { readonly owner: string; readonly repo: string; readonly pull_number: number },
) {
  const { data } = await octokit.rest.pulls.listFiles({ ...pull, per_page: mostFiles });
  return data.map(({ filename, additions, deletions }) => ({
    name: filename,
    added: additions,
    deleted: deletions,
  }));
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const about = (description: string | null, sanitise: (text: string) => string): string =>
  description ? `: ${sanitise(oneLine(description)).slice(0, 200)}` : '';
