import type { Json } from '../../contract/json.ts';
import type { ChildStatus } from '../services/children.ts';
import { toJson } from '../text/to-json.ts';
import { changedPaths, childText } from './child-text.ts';
import { withoutHeads } from './without-heads.ts';

/** How a child stands, in a word: for one that came to its end, how. */
export function stateOf({ state, returned, result }: ChildStatus): string {
  if (state !== 'ended') return state;
  return returned?.status ?? (result === null || result.conclusion !== 'success' ? 'failed' : 'completed');
}

/** One line a child, and below it what it brought back, where it did. */
export function renderChild(child: ChildStatus, { short = false } = {}): string {
  const head = `== ${child.id} (${child.profile}): ${child.title} — ${stateOf(child)} ==`;
  const { result, returned } = child;
  if (short || result === null || child.state === 'running' || child.state === 'queued') return head;
  if (returned === null) return `${head}\n${withoutHeads(childText(result))}`;
  const paths = changedPaths(result);
  const lists: [string, readonly string[] | undefined][] = [
    ['artifacts', returned.artifacts?.map(({ path, kind, role }) => `${path} (${kind}, ${role})`)],
    ['findings', returned.findings?.map((finding) => JSON.stringify(finding))],
    ['warnings', returned.warnings],
    ['suggested next', returned.suggestedNextActions],
    ['questions for you', returned.questionsForCaller],
    ['files it changed', paths],
  ];
  const more = lists.flatMap(([name, items = []]) =>
    items.length === 0 ? [] : [`${name}:\n${items.map((item) => `- ${item}`).join('\n')}`],
  );
  const sure = returned.confidence === undefined ? [] : [`confidence: ${returned.confidence}`];
  return [head, ...[returned.summary, ...sure, ...more].map(withoutHeads)].join('\n');
}

/** The same for a program. */
export function childData(child: ChildStatus): Json {
  const { id, title, profile, result, returned } = child;
  return toJson({
    ...{ id, title, profile, status: stateOf(child) },
    ...(result === null
      ? {}
      : {
          conclusion: result.conclusion,
          summary: returned?.summary ?? result.answer,
          turns: result.turns,
          usage: result.usage,
          changed: changedPaths(result),
        }),
    ...(returned === null
      ? {}
      : {
          result: returned,
          result_path: `summaries/${id}/result.json`,
          summary_path: `summaries/${id}/summary.md`,
        }),
  });
}
