import type { Advert } from '../../contract/message.ts';

/** Tools that state the result of a run, by canonical name. Their calls count against no limit of calls: without them a run is for nothing. */
export const resultTools = ['report_findings', 'describe_pull_request', 'set_labels', 'task.return'] as const;

/** True if a tool states the result of a run. */
export function statesResult(name: string): boolean {
  return (resultTools as readonly string[]).includes(name);
}

/** The tool a run states its result with, by the name the model calls it; null where it has none. */
export function resultTool(adverts: readonly Advert[]): string | null {
  const onWire = resultTools.map((name) => name.replaceAll('.', '_'));
  return adverts.find(({ name }) => onWire.includes(name))?.name ?? null;
}
