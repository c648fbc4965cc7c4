import type { Json } from '../../contract/json.ts';
import type { ChildStatus } from '../services/children.ts';
import { toJson } from '../text/to-json.ts';
import { changedPaths, childText } from './child-text.ts';
import { withoutHeads } from './without-heads.ts';

/** Returns a child's status in one word. An ended child has the status of its result. */
export function stateOf({ state, returned, result }: ChildStatus): string {
  if (state !== 'ended') return state;
  return returned?.status ?? (result === null || result.conclusion !== 'success' ? 'failed' : 'completed');
}

/** Renders one line for a child, with its result below it if there is one. */
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

/** Returns the same facts as data. */
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
