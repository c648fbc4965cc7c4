import { ToolError } from '../../contract/errors.ts';
import type { Json } from '../../contract/json.ts';
import type { ChildResult, Children, ChildStatus } from '../services/children.ts';
import { type ToolContext, toJson } from '../tool.ts';

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

/** Returns the children of a run. Throws `ToolError('unavailable')` inside a child. */
export function childrenOf({ children }: Pick<ToolContext, 'children'>): Children {
  if (children !== undefined) return children;
  throw new ToolError(
    'unavailable',
    'A child run cannot start or see other children. Do the work yourself and return what you have.',
  );
}

/** Renders a child's result for the model: last text, early end, and changed files. */
export function childText(result: ChildResult): string {
  const paths = changedPaths(result);
  const parts = [
    result.answer === '' ? '(The child gave no answer.)' : result.answer,
    result.conclusion === 'success' ? '' : endedEarly(result),
    paths.length === 0 ? '' : `[files it changed: ${paths.join(', ')}]`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns each file that a child changed, once, in the order of first changes. */
export function changedPaths({ entries }: ChildResult): string[] {
  const paths = entries.flatMap((entry) => (entry.type === 'change' ? [entry.change.path] : []));
  return [...new Set(paths)];
}

/** Describes the early end of a child, with the limit it reached. */
function endedEarly({ conclusion, entries }: ChildResult): string {
  const stop = entries
    .flatMap((entry) => (entry.type === 'run.finished' ? [entry.stop?.message] : []))
    .at(-1);
  return `[the child ended early (${conclusion})${stop === undefined ? '' : `: ${stop}`} The text above is its work so far.]`;
}

/**
 * Indents lines that begin with `==` by a space. Lines that begin with `== ` name the speaker, and
 * a hostile file can make an agent write one.
 */
export function withoutHeads(text: string): string {
  return text.replaceAll(/^(?===)/gm, ' ');
}

/**
 * Waits for children and renders their results; no `ids` means all. `late` is the note on a
 * timeout.
 */
export async function waitForChildren(
  context: Pick<ToolContext, 'children'>,
  ids: readonly string[] = [],
  { until, timeoutMs, late }: { until: 'next' | 'all' | 'now'; timeoutMs: number; late: string },
) {
  const waited = await childrenOf(context).wait(ids.length === 0 ? null : ids, { until, timeoutMs });
  const { children, timedOut } = waited;
  const parts = [
    ...children.map((child) => renderChild(child)),
    ...(children.length === 0 ? ['This run has started no agents.'] : []),
    ...(timedOut ? [late] : []),
  ];
  return { parts, data: children.map(childData), timedOut };
}
