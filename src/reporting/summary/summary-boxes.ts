import { createHash } from 'node:crypto';
import { parseJson } from '../../contract/json.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { type ControlName, SummaryBody, SummaryBoxes } from '../../contract/thread-records.ts';
import { boxHint, renderBox } from '../progress/render-boxes.ts';

const nothing: SummaryBoxes = { version: 1, boxes: [], offers: true, result: '' };

/** Reads the boxes of a pull request's summary, and the result of the last ticked one. */
export async function readSummaryBoxes(pull: number, store: StateStore): Promise<SummaryBoxes> {
  const text = await store.get(stateKeys.summaryBoxes(pull));
  return (text === null ? undefined : SummaryBoxes.safeParse(parseJson(text)).data) ?? nothing;
}

/** Stores the boxes. The comment shows them once it is written. */
export async function saveSummaryBoxes(pull: number, boxes: SummaryBoxes, store: StateStore): Promise<void> {
  await store.set(stateKeys.summaryBoxes(pull), JSON.stringify(boxes));
}

/** From the most useful on. */
const order: readonly ControlName[] = ['apply', 'stop', 'retry'];

/**
 * Renders a summary with its boxes. `above` has its hidden lines and its text. Of boxes that do the
 * same, only the newest run's is rendered. Pure.
 */
export function renderSummaryBody(above: string, { boxes, offers, result }: SummaryBoxes): SummaryBody {
  const text = result === '' ? above : `${above}\n\n${result}`;
  const rendered = offers ? order : order.filter((does) => does !== 'apply');
  const shown = rendered.flatMap((does) => boxes.findLast((box) => box.does === does) ?? []);
  if (shown.length === 0) return { version: 1, text, boxes: [] };
  const firstLine = text.split('\n').length + 1;
  const placed = shown.map((box, index) => ({ ...box, line: firstLine + index }));
  const rows = shown.map(({ does }) => renderBox(does, 'all'));
  return { version: 1, text: [text, '', ...rows, '', boxHint].join('\n'), boxes: placed };
}

/** Stores a body before it is written: its boxes count as soon as they are seen. */
export async function saveSummaryBody(pull: number, body: SummaryBody, store: StateStore): Promise<void> {
  if (body.boxes.length === 0) return;
  await store.set(stateKeys.summaryBody(pull, digestOf(body.text)), JSON.stringify(body));
}

/** Finds the body that a comment showed before an edit; null if we never wrote it. */
export async function findSummaryBody(
  pull: number,
  from: string,
  store: StateStore,
): Promise<SummaryBody | null> {
  const text = await store.get(stateKeys.summaryBody(pull, digestOf(from)));
  return text === null ? null : (SummaryBody.safeParse(parseJson(text)).data ?? null);
}

/** A digest of a body without the state of its boxes, line ends and trailing white space. */
function digestOf(text: string): string {
  const plain = text
    .replaceAll(/\r\n?/gu, '\n')
    .split('\n')
    .map((line) => line.trimEnd().replace(/^(\s*[-*+] \[)[xX](\])/u, '$1 $2'))
    .join('\n')
    .trimEnd();
  return createHash('sha256').update(plain).digest('hex').slice(0, 32);
}
