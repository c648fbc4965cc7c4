import type { Json } from '../../contract/json.ts';
import { type EffortName, effortNames, nearestEffort } from '../../contract/profile-names.ts';

/** The reasoning parameters of one kind of model. */
export interface EffortRule {
  /** Names of the models at this provider. */
  readonly models: RegExp;
  /**
   * Form of the parameter: `reasoning_effort: WORD`, `reasoning: {effort: WORD}` or `thinking:
   * {type}`. The last one also has `reasoning_effort`, unless the word is `enabled` or `disabled`.
   */
  readonly form: 'reasoning_effort' | 'reasoning' | 'thinking';
  /** The provider's value for each level that it distinguishes. */
  readonly words: Readonly<Partial<Record<EffortName, string>>>;
}

/** Features of a Chat Completions endpoint beyond the common ones. */
export interface ChatDialect {
  /** False where `stream_options` is refused; the counts then come unasked. */
  readonly streamUsage: boolean;
  /** Name of the limit of a reply. */
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** True if `parallel_tool_calls` is supported and several calls in one turn are wanted. */
  readonly parallelCalls: boolean;
  /** Field or header (`x-…`) that ties requests to the same cache. */
  readonly cacheKeyField: 'prompt_cache_key' | 'session_id' | 'x-grok-conv-id' | null;
  /** True if models accept images; a pattern if only some do. The operator's configuration wins. */
  readonly images: boolean | RegExp;
  /**
   * True if arguments of calls are streamed only on request: a long one would otherwise be silence
   * until its end.
   */
  readonly toolStream: boolean;
  /** The first entry with a match in `models` counts; a model without a match gets no parameter. */
  readonly efforts: readonly EffortRule[];
}

/** Features that every endpoint is assumed to have. */
export const plainDialect: ChatDialect = {
  streamUsage: true,
  tokenLimit: 'max_tokens',
  parallelCalls: false,
  cacheKeyField: null,
  images: true,
  toolStream: false,
  efforts: [],
};

/**
 * The fields of a request that set the thinking effort; none for a model that is not known to
 * accept any.
 */
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
