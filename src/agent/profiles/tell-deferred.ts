import type { Advert } from '../../contract/advert.ts';

/** In words, what `tool_search` may find, and the tools that it is: any of them makes it so. */
const kinds: readonly (readonly [words: string, ...tools: string[]])[] = [
  ['images', 'view_image', 'look_at'],
  ['charts', 'chart', 'render'],
  ['shells that stay', 'shell_session'],
  ['line inserts', 'insert_text'],
  ['other repositories', 'repo_search'],
  ['tasks', 'task_list'],
  ['parallel calls', 'batch'],
  ['run files', 'workspace.list_files', 'workspace.read_file', 'workspace.write_file'],
  ['skills', 'skill', 'skill.read', 'read_skill'],
  ['second opinions', 'oracle'],
  ['agents', 'agent.delegate', 'sub_agent', 'spawn_agent'],
  ['the thread', 'chat.search', 'chat.read_messages'],
  ['earlier runs', 'find_thread', 'read_thread'],
  ['handoff', 'handoff'],
  ['experiments', 'init_experiment'],
];

/**
 * The adverts, with that of `tool_search` naming what the run has that it was not told of, so that nobody searches for what
 * is not there. `has` knows tools by their canonical names.
 */
export function tellDeferred(adverts: readonly Advert[], has: (tool: string) => boolean): Advert[] {
  return adverts.map((advert) => {
    if (advert.name !== 'tool_search') return advert;
    const found = kinds.flatMap(([words, ...tools]) => (tools.some(has) ? [words] : []));
    return found.length === 0
      ? advert
      : { ...advert, description: advert.description.replace(/\.$/, `: ${found.join(', ')}.`) };
  });
}
