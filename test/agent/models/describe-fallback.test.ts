import { expect, it } from 'vitest';
import { describeFallback } from '../../../src/agent/models/named-models.ts';

it('a fallback is described with its name and what is missing for it', () => {
  const models = { fallback: ['openai/gpt-5.5', 'bedrock/claude-x', 'groq/llama'] };
  expect(describeFallback({ models }, { OPENAI_API_KEY: 'k', AWS_REGION: 'us-east-1' })).toBe(
    'To fall back to: openai/gpt-5.5; bedrock/claude-x; groq/llama, which is not available: The provider groq needs a key: set GROQ_API_KEY.',
  );
});

it('no text describes a missing fallback', () => {
  expect(describeFallback({}, {})).toBe('');
});
