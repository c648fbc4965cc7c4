import type { ChatDialect } from './chat-dialect.ts';

/** The protocol an endpoint speaks; the values are what `providers.<name>.type` may say. */
export type WireName = 'anthropic' | 'openai' | 'openai-compatible';

/** Clouds that resell a vendor's models with their own sign-in, addresses or framing. */
export type HostName = 'azure' | 'bedrock' | 'vertex';

export interface Provider {
  readonly wire: WireName;
  /** '' where it is made of a resource or region. */
  readonly baseUrl: string;
  /** The variable of the key; null for an endpoint without one. */
  readonly keyVariable: string | null;
  /** The variable for the base URL, if the vendor's SDK has one. */
  readonly baseUrlVariable?: string;
  /** The model when none is set and this provider's key is the first found. */
  readonly defaultModel?: string;
  readonly host?: HostName;
  /** More variables with credentials for it. No program of a run that uses it gets them. */
  readonly credentialVariables?: readonly string[];
  /** Variables that name a file with credentials, of these and others. */
  readonly credentialFiles?: readonly string[];
  /** Differences from `plainDialect`, for Chat Completions. */
  readonly chat?: Partial<ChatDialect>;
}

const compatible = (
  baseUrl: string,
  keyVariable: string | null,
  chat: Partial<ChatDialect> = {},
  more: Partial<Provider> = {},
): Provider => ({ wire: 'openai-compatible', baseUrl, keyVariable, chat, ...more });

const lowToHigh = { low: 'low', medium: 'medium', high: 'high' };
const noneToHigh = { none: 'none', ...lowToHigh };
const gptOss = { models: /gpt-oss/i, form: 'reasoning_effort', words: lowToHigh } as const;

/**
 * GLM at its vendor: thinking is on or off until 5.1, has levels since 5.2, and is always on since
 * 5.3.
 */
const glm: Partial<ChatDialect> = {
  toolStream: true,
  images: /^glm-\d(\.\d)?v/i,
  efforts: [
    { models: /^glm-5\.[3-9]/i, form: 'thinking', words: { low: 'low', high: 'high', max: 'max' } },
    {
      models: /^glm-5\.2/i,
      form: 'thinking',
      words: { none: 'disabled', ...lowToHigh, xhigh: 'xhigh', max: 'max' },
    },
    { models: /^glm-(5|4\.[5-9])/i, form: 'thinking', words: { none: 'disabled', low: 'enabled' } },
  ],
};

/**
 * The providers that need no configuration except a key, in the order in which a key is searched.
 * Each entry follows the provider's documentation of Chat Completions. Undocumented parameters are
 * not sent.
 */
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
  azure: {
    wire: 'openai',
    baseUrl: '',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    host: 'azure',
    credentialVariables: ['AZURE_OPENAI_AD_TOKEN', 'AZURE_CLIENT_SECRET'],
    chat: { tokenLimit: 'max_completion_tokens', cacheKeyField: 'prompt_cache_key' },
  },
  bedrock: {
    wire: 'anthropic',
    baseUrl: '',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    baseUrlVariable: 'ANTHROPIC_BEDROCK_BASE_URL',
    host: 'bedrock',
    credentialVariables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
    credentialFiles: ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONFIG_FILE'],
  },
  vertex: {
    wire: 'anthropic',
    baseUrl: '',
    keyVariable: 'CLOUDSDK_AUTH_ACCESS_TOKEN',
    baseUrlVariable: 'ANTHROPIC_VERTEX_BASE_URL',
    host: 'vertex',
    credentialVariables: ['GOOGLE_APPLICATION_CREDENTIALS'],
    credentialFiles: ['GOOGLE_APPLICATION_CREDENTIALS'],
  },
  zai: compatible('https://api.z.ai/api/paas/v4', 'ZAI_API_KEY', glm, { defaultModel: 'glm-5.1' }),
  'zai-coding': compatible('https://api.z.ai/api/coding/paas/v4', 'ZAI_CODING_API_KEY', glm, {
    defaultModel: 'GLM-5.1',
  }),
  gemini: compatible('https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY', {
    efforts: [
      { models: /gemini-3[\w.]*-pro|gemini-2\.5-pro/, form: 'reasoning_effort', words: lowToHigh },
      {
        models: /gemini-3/,
        form: 'reasoning_effort',
        words: { minimal: 'minimal', ...lowToHigh },
      },
      { models: /gemini-2\.5/, form: 'reasoning_effort', words: noneToHigh },
    ],
  }),
  groq: compatible('https://api.groq.com/openai/v1', 'GROQ_API_KEY', {
    tokenLimit: 'max_completion_tokens',
    parallelCalls: true,
    images: /llama-4/i,
    efforts: [
      gptOss,
      { models: /qwen3/i, form: 'reasoning_effort', words: { none: 'none', low: 'default' } },
    ],
  }),
  deepseek: compatible('https://api.deepseek.com', 'DEEPSEEK_API_KEY', {
    images: false,
    efforts: [
      {
        // The two older names choose by themselves between thinking and not.
        models: /^deepseek-(?!chat|reasoner)/,
        form: 'thinking',
        words: { none: 'disabled', low: 'low', medium: 'high', max: 'max' },
      },
    ],
  }),
  mistral: compatible('https://api.mistral.ai/v1', 'MISTRAL_API_KEY', {
    streamUsage: false,
    parallelCalls: true,
    cacheKeyField: 'prompt_cache_key',
    efforts: [
      {
        models: /^mistral-(small-(latest|26)|medium-(latest|3[.-]5|26))/,
        form: 'reasoning_effort',
        words: { none: 'none', medium: 'high' },
      },
    ],
  }),
  xai: compatible('https://api.x.ai/v1', 'XAI_API_KEY', {
    parallelCalls: true,
    cacheKeyField: 'x-grok-conv-id',
    efforts: [
      { models: /^grok-3-mini/, form: 'reasoning_effort', words: { low: 'low', high: 'high' } },
      { models: /^grok-(4\.[3-9]|[5-9])/, form: 'reasoning_effort', words: noneToHigh },
    ],
  }),
  openrouter: compatible('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', {
    parallelCalls: true,
    cacheKeyField: 'session_id',
    efforts: [
      {
        models: /./,
        form: 'reasoning',
        words: { none: 'none', minimal: 'minimal', ...lowToHigh, xhigh: 'xhigh' },
      },
    ],
  }),
  together: compatible('https://api.together.xyz/v1', 'TOGETHER_API_KEY', {
    efforts: [
      gptOss,
      { models: /GLM-5\.[3-9]/i, form: 'reasoning_effort', words: { ...lowToHigh, max: 'max' } },
    ],
  }),
  fireworks: compatible('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY', {
    cacheKeyField: 'prompt_cache_key',
    efforts: [
      gptOss,
      { models: /glm-|deepseek-(v3p[1-9]|v4)|qwen3/i, form: 'reasoning_effort', words: noneToHigh },
    ],
  }),
  cerebras: compatible('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY', {
    tokenLimit: 'max_completion_tokens',
    parallelCalls: true,
    images: false,
    efforts: [gptOss],
  }),
  deepinfra: compatible('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY', {
    cacheKeyField: 'prompt_cache_key',
    efforts: [gptOss],
  }),
  huggingface: compatible('https://router.huggingface.co/v1', 'HF_TOKEN', { efforts: [gptOss] }),
  ollama: compatible('http://127.0.0.1:11434/v1', null, { efforts: [gptOss] }),
};

/** Other names that people write for a provider. */
export const providerAliases: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  'azure-openai': 'azure',
  'amazon-bedrock': 'bedrock',
  'aws-bedrock': 'bedrock',
  'vertex-ai': 'vertex',
  'google-vertex': 'vertex',
  'z.ai': 'zai',
  'z-ai': 'zai',
  glm: 'zai',
  zhipu: 'zai',
  'z.ai-coding': 'zai-coding',
  'zai-coding-plan': 'zai-coding',
  google: 'gemini',
  'google-gemini': 'gemini',
  'deep-seek': 'deepseek',
  mistralai: 'mistral',
  'x.ai': 'xai',
  'x-ai': 'xai',
  grok: 'xai',
  'open-router': 'openrouter',
  togetherai: 'together',
  'together.ai': 'together',
  'fireworks-ai': 'fireworks',
  'deep-infra': 'deepinfra',
  hf: 'huggingface',
  'hugging-face': 'huggingface',
};

/** The table's name for an alias of a provider; an unknown name stays. */
export function providerName(written: string): string {
  return (Object.hasOwn(providerAliases, written) ? providerAliases[written] : undefined) ?? written;
}

/**
 * The table's entry for a provider, by any of its names. Names come from files and flags, so
 * `__proto__` is none.
 */
export function providerNamed(written: string): Provider | undefined {
  const name = providerName(written);
  return Object.hasOwn(providers, name) ? providers[name] : undefined;
}
