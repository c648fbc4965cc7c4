import { pullFiles } from '../actions/anchor.ts';
import { closingIssues } from '../actions/pulls.ts';
import { findRepository, findThread, isPull, type Thread, type World } from '../world.ts';
import { conversation, diffTable } from './conversation.ts';
import { escapeHtml as text } from './markdown.ts';
import { style } from './style.ts';

const document = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${text(title)}</title><style>${style}</style></head><body><header><a href="/">GitHub stand-in</a></header><main>${body}</main></body></html>`;

const kindOf = (thread: Thread) => (thread.pull === null ? 'issues' : 'pull');

function stateOf(thread: Thread): string {
  if (thread.pull?.mergedAt != null) return 'merged';
  return thread.state === 'open' && thread.pull?.draft === true ? 'draft' : thread.state;
}

async function threadPage(thread: Thread): Promise<string> {
  const { repository } = thread;
  const labels = [...thread.labels].map((label) => `<span class="label">${text(label)}</span>`).join('');
  const where = isPull(thread)
    ? `${text(thread.author.login)} wants to merge <code>${text(`${thread.pull.headRepository.owner.login}:${thread.pull.headBranch}`)}</code> into <code>${text(thread.pull.baseBranch)}</code> · <a href="/${text(repository.fullName)}/pull/${thread.number}/files">files</a>`
    : `${text(thread.author.login)} opened this issue`;
  const closedBy = repository.threads
    .filter(isPull)
    .filter((pull) => thread.pull === null && closingIssues(pull).includes(thread))
    .map(
      (pull) =>
        `<a href="/${text(repository.fullName)}/pull/${pull.number}">#${pull.number} ${text(pull.title)}</a>`,
    );
  const development =
    closedBy.length === 0 ? '' : `<div class="event">Linked pull request: ${closedBy.join(', ')}</div>`;
  const state = stateOf(thread);
  const body = `<h1>${text(thread.title)} <span>#${thread.number}</span></h1><div class="meta"><span class="state ${state}">${state}</span> ${where}${labels}</div>${await conversation(thread)}${development}`;
  return document(`${thread.title} · ${repository.fullName}#${thread.number}`, body);
}

async function filesPage(world: World, thread: Thread): Promise<string> {
  if (!isPull(thread)) return threadPage(thread);
  const files = await pullFiles(world, thread);
  const parts = files.map(({ path, patch, additions, deletions }) => {
    const diff = patch === null ? '<p>Nothing to show.</p>' : diffTable(patch, Number.POSITIVE_INFINITY);
    return `<div class="thread"><div class="path">${text(path)} · +${additions} −${deletions}</div>${diff}</div>`;
  });
  return document(
    `Files of #${thread.number}`,
    `<h1>${text(thread.title)} <span>#${thread.number}</span></h1>${parts.join('')}`,
  );
}

function indexPage(world: World): string {
  const parts = [...world.repositories.values()].map((repository) => {
    const items = repository.threads.map(
      (thread) =>
        `<li><span class="state ${stateOf(thread)}">${stateOf(thread)}</span> <a href="/${text(repository.fullName)}/${kindOf(thread)}/${thread.number}">${text(thread.title)}</a> <span>#${thread.number} · ${thread.pull === null ? 'issue' : 'pull request'} by ${text(thread.author.login)}</span></li>`,
    );
    return `<h1>${text(repository.fullName)}</h1><ul class="threads">${items.join('')}</ul>`;
  });
  return document('GitHub stand-in', parts.join(''));
}

/**
 * Creates the function from a path to its page, null if there is none; private repositories have
 * pages too.
 */
export function createPages(world: World): (path: string) => Promise<string | null> {
  return async (path) => {
    if (path === '/') return indexPage(world);
    const match = /^\/([^/]+\/[^/]+)\/(pull|issues)\/(\d+)(\/files)?$/.exec(path);
    const [, fullName = '', , number, files] = match ?? [];
    const repository = match === null ? undefined : findRepository(world, fullName);
    const thread = repository === undefined ? undefined : findThread(repository, Number(number));
    if (thread === undefined) return null;
    return files === undefined ? threadPage(thread) : filesPage(world, thread);
  };
}
