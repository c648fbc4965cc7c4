import { visible } from '../../support/find-report.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { scannedFindings } from './told-findings.ts';

/** All displayed content of one GitHub object (a comment, a conversation, a check). */
interface Item {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Records, event by event, the changes on a pull request and the number of unchanged objects. */
export interface Transcript {
  /** Notes an event with everything that is new or different since the last one. */
  event(title: string): Promise<void>;
  /** The whole page. */
  page(): string;
}

/** The transcript of a pull request; commits, runs, addresses and times get stable names. */
export function createTranscript(
  repository: RepositoryHandle,
  number: number,
  options: { readonly introduction: string; readonly bot: string },
): Transcript {
  const parts = [options.introduction];
  const rename = createNames(repository, options.bot);
  let before = new Map<string, Item>();
  let events = 0;
  return {
    async event(title) {
      events += 1;
      const items = (await itemsOf(repository, number)).map((item) => ({
        ...item,
        title: rename(item.title),
        text: rename(item.text),
      }));
      const after = new Map(items.map((item) => [item.id, item]));
      parts.push(`## ${events}. ${title}`);
      const changed = items.filter((item) => !isSame(before.get(item.id), item));
      for (const item of changed)
        parts.push(`**${before.has(item.id) ? 'Changed' : 'New'}: ${item.title}**`, quote(item.text));
      for (const [id, { title: gone }] of before) if (!after.has(id)) parts.push(`**Deleted: ${gone}**`);
      parts.push(`_${unchanged(items.length - changed.length, changed.length)}_`);
      before = after;
    },
    page: () => `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}

const isSame = (before: Item | undefined, after: Item): boolean =>
  before !== undefined && before.title === after.title && before.text === after.text;

const unchanged = (same: number, changed: number): string =>
  changed === 0 ? `Nothing changed; ${same} things are as before.` : `${same} things are as before.`;

const quote = (text: string): string =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n');

/** Names for what differs from one play to the next, by first appearance. */
function createNames(repository: RepositoryHandle, bot: string): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (kind: string, value: string): string => {
    const found = known.get(`${kind} ${value}`);
    if (found !== undefined) return found;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    known.set(`${kind} ${value}`, `${kind}${count}`);
    return `${kind}${count}`;
  };
  const origin = new URL(repository.url).origin;
  return (text) =>
    text
      .replaceAll(origin, 'https://github.example')
      .replaceAll(bot, 'anode[bot]')
      .replaceAll(/\brun_[0-9a-z]+\b/g, (id) => name('run-', id))
      .replaceAll(/\b[0-9a-f]{40}\b/g, (sha) => name('commit-', sha.slice(0, 7)))
      .replaceAll(/(?<=`)[0-9a-f]{7}(?=` · \[)|(?<=dismiss )[0-9a-f]{7}/g, (id) => name('finding-', id))
      .replaceAll(/\b(?=[a-f]*\d)[0-9a-f]{7}\b/g, (sha) => name('commit-', sha))
      .replaceAll(/\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16}\b/g, (hash) => name('hash-', hash))
      .replaceAll(/(issuecomment-|discussion_r|pullrequestreview-)(\d+)/g, (_, kind, id) => name(kind, id))
      .replaceAll(/\b\d+(\.\d+)? (s|ms|min)\b/g, 'N $2')
      .replaceAll(/[\d,]+ tokens/g, 'N tokens')
      .replaceAll(/\$\d+\.\d+/g, '$N')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'DATE')
      .replaceAll(/\b\d+\+(\w+@)/g, 'ID+$1');
}

/** Everything on a pull request in the order of the page, and the issues beside it. */
async function itemsOf(repository: RepositoryHandle, number: number): Promise<Item[]> {
  const pull = repository.pulls().find((one) => one.number === number);
  if (pull === undefined) throw new Error(`there is no pull request ${number}`);
  const state = pull.draft ? 'a draft' : pull.state;
  const facts = [
    `Title: ${pull.title}`,
    `Base: ${pull.base}`,
    `Head: ${pull.headSha}`,
    `Labels: ${pull.labels.join(', ') || 'none'}`,
    `Assignees: ${pull.assignees.join(', ') || 'none'}`,
    `Reviewers: ${pull.reviewers.join(', ') || 'none'}`,
    '',
    visible(pull.body ?? ''),
  ];
  return [
    { id: 'pull', title: `pull request, ${state}`, text: facts.join('\n').trim() },
    ...(await commits(repository, pull.base, pull.headSha)),
    ...comments(repository, number),
    ...reviews(repository, number),
    ...conversations(repository, number),
    ...checks(repository),
    ...scans(repository),
    ...issues(repository, number),
  ];
}

async function commits(repository: RepositoryHandle, base: string, head: string): Promise<Item[]> {
  const format = '%H%x00%an%x00%B%x1e';
  const text = await repository.git('log', '--reverse', `--format=${format}`, `refs/heads/${base}..${head}`);
  return text
    .split('\x1e')
    .filter((one) => one.trim() !== '')
    .map((one) => {
      const [sha = '', author = '', message = ''] = one.trim().split('\0');
      return { id: `commit ${sha}`, title: `commit ${sha} by ${author}`, text: message.trim() };
    });
}

const comments = (repository: RepositoryHandle, number: number): Item[] =>
  repository.comments(number).map(({ id, author, body, minimized }) => ({
    id: `comment ${id}`,
    title: `comment by ${author}${minimized === null ? '' : `, minimized (${minimized})`}`,
    text: withReactions(repository, id, visible(body)),
  }));

const reviews = (repository: RepositoryHandle, number: number): Item[] =>
  repository.reviews(number).map(({ id, author, body, state, commitId }) => ({
    id: `review ${id}`,
    title: `review by ${author} (${state.toLowerCase()}) of ${commitId}`,
    text: visible(body ?? ''),
  }));

/** The conversations on lines, each with all of its comments. */
const conversations = (repository: RepositoryHandle, number: number): Item[] =>
  repository.reviewThreads(number).map(({ root, path, line, resolvedBy }) => {
    const written = repository
      .reviewComments(number)
      .filter((one) => one.id === root || one.inReplyTo === root)
      .map(({ id, author, body }) => `${author}:\n${withReactions(repository, id, visible(body))}`);
    const at = line === null ? `${path}, outdated` : `${path}:${line}`;
    const state = resolvedBy === null ? '' : `, resolved by ${resolvedBy}`;
    return { id: `thread ${root}`, title: `conversation on ${at}${state}`, text: written.join('\n\n') };
  });

const checks = (repository: RepositoryHandle): Item[] =>
  repository.checkRuns().map(({ id, name, headSha, status, conclusion, title, summary, annotations }) => ({
    id: `check ${id}`,
    title: `check ${name} of ${headSha}: ${conclusion ?? status}`,
    text: [title ?? '', visible(summary ?? ''), annotations.map(annotationLine).join('\n')]
      .filter((line) => line !== '')
      .join('\n\n'),
  }));

/** The newest analysis of code scanning: an upload takes the place of the one before. */
function scans(repository: RepositoryHandle): Item[] {
  const newest = repository.sarifs().at(-1);
  if (newest === undefined) return [];
  const lines = scannedFindings(newest.log).map(
    ({ severity, path, line, title }) => `- ${severity} at ${path}:${line}, “${title}”`,
  );
  return [{ id: 'scan', title: `code scanning of ${newest.sha}`, text: lines.join('\n') || 'No results.' }];
}

const annotationLine = (one: Readonly<Record<string, unknown>>): string =>
  `- ${one.annotation_level} at ${one.path}:${one.start_line}, “${one.title}”: ${String(one.message).replaceAll('\n\n', ' / ')}`;

const issues = (repository: RepositoryHandle, number: number): Item[] =>
  repository
    .issues()
    .filter((one) => one.number !== number)
    .map(({ number: of, title, body, state, author, labels, assignees }) => ({
      id: `issue ${of}`,
      title: `issue #${of} by ${author}, ${state}`,
      text: [
        title,
        `Labels: ${labels.join(', ') || 'none'}`,
        `Assignees: ${assignees.join(', ') || 'none'}`,
        visible(body ?? ''),
      ].join('\n\n'),
    }));

function withReactions(repository: RepositoryHandle, id: number, text: string): string {
  const given = repository.reactions({ id }).map(({ content, user }) => `${content} by ${user}`);
  return given.length === 0 ? text : `${text}\n\nReactions: ${given.join(', ')}`;
}
