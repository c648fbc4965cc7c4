import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import { type EffortName, nearestEffort } from '../../contract/profile-names.ts';

/** Claude models that decide themselves when to think, with `output_config.effort`, on any host. */
const adaptive = /\bclaude-(opus-4-[6-9]|sonnet-4-6|(opus|sonnet|haiku|fable|mythos)-[5-9])/;
/** Models of these without the level `xhigh`. */
const withoutXhigh = /\bclaude-(opus|sonnet)-4-6/;
/** Models that think within a budget of tokens. */
const manual = /\bclaude-(opus|sonnet|haiku)-4-5/;

/** Tokens for thinking by level, from `none` to `max`; below the limit of the whole reply. */
const budgets = [0, 0, 2_048, 8_192, 16_384, 24_576, 30_720];

/** A reply's limit if the operator set none: the maximum of every model of that kind. */
export function claudeOutputTokens(model: string): number {
  return adaptive.test(model) || manual.test(model) ? 32_000 : 8_192;
}

/**
 * Returns the effort for the Messages API. Empty for a model without known thinking, because the
 * parameter would be refused. `resumed`: false if the last calls came from a model without signed
 * thinking, which a budget requires.
 */
export function claudeThinking(
  { model, maxOutputTokens }: { readonly model: string; readonly maxOutputTokens: number | null },
  effort: number,
  resumed: boolean,
): Pick<Partial<MessageCreateParamsStreaming>, 'output_config' | 'thinking'> {
  if (adaptive.test(model)) {
    const level = withoutXhigh.test(model)
      ? nearestEffort(effort, ['low', 'medium', 'high', 'max'])
      : nearestEffort(effort, ['low', 'medium', 'high', 'xhigh', 'max']);
    const output_config = { effort: level };
    return effort > 1 ? { output_config, thinking: { type: 'adaptive' } } : { output_config };
  }
  const budget = budgets[effort] ?? 0;
  const limit = maxOutputTokens ?? claudeOutputTokens(model);
  if (!manual.test(model) || budget === 0 || budget >= limit || !resumed) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

const gptLevels: readonly { models: RegExp; levels: readonly [EffortName, ...EffortName[]] }[] = [
  { models: /^gpt-5-pro/, levels: ['high'] },
  { models: /^gpt-5\.[2-9]-pro/, levels: ['medium', 'high', 'xhigh'] },
  { models: /^gpt-5\.(1-codex-max|[2-9]-codex)/, levels: ['low', 'medium', 'high', 'xhigh'] },
  { models: /^(gpt-5(\.1)?-)?codex/, levels: ['low', 'medium', 'high'] },
  { models: /^gpt-5\.1/, levels: ['none', 'low', 'medium', 'high'] },
  { models: /^gpt-(5\.[2-9]|[6-9])/, levels: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { models: /^gpt-5/, levels: ['minimal', 'low', 'medium', 'high'] },
  { models: /^o[134]/, levels: ['low', 'medium', 'high'] },
];

/**
 * The effort in the terms of the Responses API, for models that reason. Null for others, such as
 * chat models of any number, which reject the parameter.
 */
export function gptEffort(model: string, effort: number): EffortName | null {
  const rule = /chat/.test(model) ? undefined : gptLevels.find(({ models }) => models.test(model));
  return rule === undefined ? null : nearestEffort(effort, rule.levels);
}
