import type { Json } from '../../contract/json.ts';
import { type EffortName, effortNames, nearestEffort } from '../../contract/profile-names.ts';

/** How one kind of model is told how hard to think. */
export interface EffortRule {
  /** Which models take it, by their names at this provider. */
  readonly models: RegExp;
  /**
   * Where it stands: `reasoning_effort: WORD`; `reasoning: {effort: WORD}`; or `thinking: {type}`, with
   * `reasoning_effort` beside it where the word is neither `enabled` nor `disabled`.
   */
  readonly form: 'reasoning_effort' | 'reasoning' | 'thinking';
  /** The provider's word for each level that it tells apart. */
  readonly words: Readonly<Partial<Record<EffortName, string>>>;
}

/** What an endpoint that speaks Chat Completions takes beyond what all of them do. */
export interface ChatDialect {
  /** False where `stream_options` is refused; the counts then come unasked. */
  readonly streamUsage: boolean;
  /** What the limit of a reply is called. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** True where `parallel_tool_calls` is known, and several calls in one turn are asked for. */
  readonly parallelCalls: boolean;
  /** What says that requests belong together, so that they meet the same cache: a field, or a header (`x-…`). */
  readonly cacheKey: 'prompt_cache_key' | 'session_id' | 'x-grok-conv-id' | null;
  /** Whether models take images; where only some do, which. What the operator configures goes before. */
  readonly images: boolean | RegExp;
  /** True where arguments of calls come in pieces only if asked for: a long one would be silence till its end. */
  readonly toolStream: boolean;
  /** The first whose `models` match counts; a model that none matches is told nothing. */
  readonly efforts: readonly EffortRule[];
}

/** What every endpoint is taken to know, and no more. */
export const plainDialect: ChatDialect = {
  streamUsage: true,
  tokenLimit: 'max_tokens',
  parallelCalls: false,
  cacheKey: null,
  images: true,
  toolStream: false,
  efforts: [],
};

/** The fields of a request that say how hard to think; none for a model that is not known to take any. */
export function chatEffort(
  { efforts }: Pick<ChatDialect, 'efforts'>,
  model: string,
  effort: number,
): Readonly<Record<string, Json>> {
  const rule = efforts.find(({ models }) => models.test(model));
  const [first, ...more] = effortNames.filter((name) => rule?.words[name] !== undefined);
  if (rule === undefined || first === undefined) return {};
  const word = rule.words[nearestEffort(effort, [first, ...more])] ?? '';
  if (rule.form === 'reasoning_effort') return { reasoning_effort: word };
  if (rule.form === 'reasoning') return { reasoning: { effort: word } };
  if (word === 'enabled' || word === 'disabled') return { thinking: { type: word } };
  return { thinking: { type: 'enabled' }, reasoning_effort: word };
}
