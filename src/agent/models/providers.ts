/** The protocol an endpoint speaks; the values are what `providers.<name>.type` may say. */
export type WireName = 'anthropic' | 'openai' | 'openai-compatible';

export interface Provider {
  readonly wire: WireName;
  readonly baseUrl: string;
  /** The variable of the key; null for an endpoint without one. */
  readonly keyVariable: string | null;
  /** The variable that moves the base URL, where the vendor's SDK has one. */
  readonly baseUrlVariable?: string;
  /** The model when none is set and this provider's key is the first found. */
  readonly defaultModel?: string;
  /** False where the endpoint refuses `stream_options`. */
  readonly streamUsage?: boolean;
}

const compatible = (baseUrl: string, keyVariable: string | null, more: Partial<Provider> = {}): Provider => ({
  wire: 'openai-compatible',
  baseUrl,
  keyVariable,
  ...more,
});

/** The providers that need no configuration but a key; the order is that of the search for one. */
export const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    defaultModel: 'claude-sonnet-4-6',
  },
  openai: {
    wire: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    defaultModel: 'gpt-5.5',
  },
  zai: compatible('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY', { defaultModel: 'glm-5.1' }),
  'zai-coding': compatible('https://api.z.ai/api/coding/paas/v4', 'ZAI_CODING_API_KEY', {
    defaultModel: 'GLM-5.1',
  }),
  gemini: compatible('https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'),
  groq: compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  deepseek: compatible('https://api.deepseek.com', 'DEEPSEEK_API_KEY'),
  mistral: compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY', { streamUsage: false }),
  xai: compatible('https://api.x.ai/v1', 'XAI_API_KEY'),
  openrouter: compatible('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  together: compatible('https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  fireworks: compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  cerebras: compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  deepinfra: compatible('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  huggingface: compatible('https://router.huggingface.co/v1', 'HF_TOKEN'),
  ollama: compatible('http://127.0.0.1:11434/v1', null),
};
