import { ApiError } from '../protocol/api-error.ts';
import type { Thread } from '../world.ts';

/** The test of a thread by each qualifier (GitHub Docs, "Searching issues and pull requests"). */
const qualifiers: Readonly<Record<string, (thread: Thread, value: string) => boolean>> = {
  repo: (thread, value) => thread.repository.fullName.toLowerCase() === value.toLowerCase(),
  is: (thread, value) =>
    value === 'issue' || value === 'pr'
      ? (thread.pull === null) === (value === 'issue')
      : value === 'draft'
        ? thread.pull?.draft === true
        : thread.state === value,
  type: (thread, value) => (thread.pull === null) === (value === 'issue'),
  state: (thread, value) => thread.state === value,
  author: (thread, value) =>
    thread.author.login === (value.startsWith('app/') ? `${value.slice('app/'.length)}[bot]` : value),
  label: (thread, value) => thread.labels.has(value),
  head: (thread, value) => thread.pull?.headBranch === value,
  base: (thread, value) => thread.pull?.baseBranch === value,
  in: () => true,
};

/** True where a thread matches a search: qualifiers (`-` before one negates it), and words of title and body. */
export function matchesSearch(thread: Thread, query: string): boolean {
  const terms = query.match(/(?:[^\s"]+|"[^"]*")+/g) ?? [];
  return terms.every((term) => {
    const match = /^(-?)([a-z]+):(.+)$/.exec(term);
    if (match === null) {
      const word = term.replaceAll('"', '').toLowerCase();
      return `${thread.title}\n${thread.body ?? ''}`.toLowerCase().includes(word);
    }
    const [, minus, name = '', value = ''] = match;
    const check = qualifiers[name];
    if (check === undefined) throw new ApiError(501, `The stand-in's search has no qualifier "${name}"`);
    return check(thread, value.replaceAll('"', '')) === (minus === '');
  });
}
