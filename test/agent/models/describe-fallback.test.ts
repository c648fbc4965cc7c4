import { expect, it } from 'vitest';
import { describeFallback } from '../../../src/agent/models/named-models.ts';

it('names what would take over, and what is missing for it', () => {
  const models = { fallback: ['openai/gpt-5.5', 'bedrock/claude-x', 'groq/llama'] };
  expect(describeFallback({ models }, { OPENAI_API_KEY: 'k', AWS_REGION: 'us-east-1' })).toBe(
    ' To fall back to: openai/gpt-5.5; bedrock/claude-x; groq/llama, which cannot be had: The provider groq needs a key: set GROQ_API_KEY.',
  );
});

it('says nothing where nothing would', () => {
  expect(describeFallback({}, {})).toBe('');
});
