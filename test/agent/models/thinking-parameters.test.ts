import { describe, expect, it } from 'vitest';
import { claudeThinking, gptEffort } from '../../../src/agent/models/thinking-parameters.ts';
import { effortNames } from '../../../src/contract/profile-names.ts';

const everyEffort = effortNames.map((_, index) => index);

describe('claudeThinking', () => {
  it.each([
    ['claude-sonnet-4-6', ['low', 'low', 'low', 'medium', 'high', 'high', 'max']],
    ['us.anthropic.claude-opus-4-7-v1:0', ['low', 'low', 'low', 'medium', 'high', 'xhigh', 'max']],
    ['claude-opus-5@20260401', ['low', 'low', 'low', 'medium', 'high', 'xhigh', 'max']],
  ])('sends %s a level', (model, expected) => {
    const reported = everyEffort.map((effort) =>
      claudeThinking({ model, maxOutputTokens: null }, effort, true),
    );
    expect(reported.map(({ output_config }) => output_config?.effort)).toEqual(expected);
    expect(reported.map(({ thinking }) => thinking?.type)).toEqual([
      undefined,
      undefined,
      ...Array(5).fill('adaptive'),
    ]);
  });

  it('gives claude-haiku-4-5 a budget below the limit of its replies', () => {
    const reports = everyEffort.map((effort) =>
      claudeThinking({ model: 'claude-haiku-4-5', maxOutputTokens: 20_000 }, effort, true),
    );
    expect(
      reports.map(({ thinking }) => (thinking?.type === 'enabled' ? thinking.budget_tokens : null)),
    ).toEqual([null, null, 2_048, 8_192, 16_384, null, null]);
  });

  it('ends a turn without thinking if its earlier calls had none', () => {
    const model = { model: 'claude-haiku-4-5', maxOutputTokens: null };
    expect(claudeThinking(model, 4, false)).toEqual({});
  });
});

describe('gptEffort', () => {
  it.each([
    ['gpt-5', ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
    ['gpt-5-mini-2025-08-07', ['minimal', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
    ['gpt-5-pro', Array(7).fill('high')],
    ['gpt-5-codex', ['low', 'low', 'low', 'medium', 'high', 'high', 'high']],
    ['gpt-5.1', ['none', 'none', 'low', 'medium', 'high', 'high', 'high']],
    ['gpt-5.1-codex-max', ['low', 'low', 'low', 'medium', 'high', 'xhigh', 'xhigh']],
    ['gpt-5.5', ['none', 'none', 'low', 'medium', 'high', 'xhigh', 'xhigh']],
    ['gpt-5.5-pro', ['medium', 'medium', 'medium', 'medium', 'high', 'xhigh', 'xhigh']],
    ['o4-mini', ['low', 'low', 'low', 'medium', 'high', 'high', 'high']],
    ['gpt-5.2-chat-latest', Array(7).fill(null)],
    ['gpt-4.1', Array(7).fill(null)],
  ])('knows the levels of %s', (model, expected) => {
    expect(everyEffort.map((effort) => gptEffort(model, effort))).toEqual(expected);
  });
});
