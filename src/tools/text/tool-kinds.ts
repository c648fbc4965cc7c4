/** A kind of tools, as `tool_search` describes and finds it. */
export interface ToolKind {
  /** Its description in `tool_search`. */
  readonly words: string;
  /** Its tools, by canonical names. */
  readonly tools: readonly string[];
  /** Other queries that find it: all words of one entry, in which `a|b` means either. */
  readonly also?: readonly string[];
}

/** The kinds that `tool_search` finds, in the order of its description. */
export const toolKinds: readonly ToolKind[] = [
  { words: 'images', tools: ['view_image', 'look_at'], also: ['picture|screenshot|photo|png'] },
  { words: 'charts', tools: ['chart', 'render'], also: ['graph|plot|diagram'] },
  {
    words: 'shells that stay',
    tools: ['shell_session'],
    also: ['interactive|persistent|background shell|command|process|terminal'],
  },
  { words: 'line inserts', tools: ['insert_text'], also: ['insert line|text'] },
  { words: 'other repositories', tools: ['repo_search'], also: ['other|another repo|repos|repository'] },
  { words: 'tasks', tools: ['task_list'] },
  { words: 'parallel calls', tools: ['batch'], also: ['parallel', 'several|many call|tool'] },
  {
    words: 'run files',
    tools: ['workspace.list_files', 'workspace.read_file', 'workspace.write_file'],
  },
  { words: 'skills', tools: ['skill', 'skill.read', 'read_skill'] },
  { words: 'second opinions', tools: ['oracle'], also: ['opinion|advice'] },
  {
    words: 'agents',
    tools: ['agent.delegate', 'sub_agent', 'spawn_agent'],
    also: ['subagent|delegate'],
  },
  { words: 'the thread', tools: ['chat.search', 'chat.read_messages'], also: ['comment|discussion'] },
  {
    words: 'earlier runs',
    tools: ['find_thread', 'read_thread'],
    also: ['earlier|previous|past|prior|last run|session|conversation'],
  },
  { words: 'handoff', tools: ['handoff'], also: ['hand over|off'] },
  { words: 'experiments', tools: ['init_experiment'], also: ['benchmark|measure'] },
];

/**
 * The canonical names of the tools whose kind a query names, in whatever order and among whatever
 * other words.
 */
export function toolsOfKind(query: string): Set<string> {
  const asked = new Set(wordsIn(query).flat());
  const names = (phrase: string) =>
    wordsIn(phrase).every((alternatives) => alternatives.some((one) => asked.has(one)));
  const meant = toolKinds.filter(({ words, also = [] }) => [words, ...also].some(names));
  return new Set(meant.flatMap(({ tools }) => tools));
}

/**
 * The words, each with its alternatives, in the singular and without those that mean nothing by
 * themselves.
 */
function wordsIn(text: string): string[][] {
  const words = text.toLowerCase().split(/[^a-z0-9|]+/);
  return words
    .filter((word) => word !== '' && !['the', 'that'].includes(word))
    .map((word) => word.split('|').map((one) => one.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')));
}
