import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import { type Provider, providerAliases, providers } from '../../../src/agent/models/providers.ts';
import { parseConfig } from '../../../src/config/parse-config.ts';

const document = readFileSync(path.resolve(import.meta.dirname, '../../../docs/models.md'), 'utf8');

const code = (text: string) => `\`${text}\``;
const spoken = {
  anthropic: 'Messages',
  openai: 'Responses',
  'openai-compatible': 'Chat Completions',
} as const;

/** A provider as the document tells of it. */
function row([name, provider]: [string, Provider]): string {
  const chat = { ...plainDialect, ...provider.chat };
  const isChat = provider.wire === 'openai-compatible';
  const aliases = Object.entries(providerAliases).flatMap(([alias, of]) =>
    of === name ? [code(alias)] : [],
  );
  const forms = [...new Set(chat.efforts.map(({ form }) => code(form)))];
  const effort = {
    anthropic: '`output_config.effort`, `thinking`',
    openai: '`reasoning.effort`',
    'openai-compatible': forms.join(', ') || 'not sent',
  }[provider.wire];
  const cache = {
    anthropic: '`cache_control`',
    openai: '`prompt_cache_key`',
    'openai-compatible': chat.cacheKeyField === null ? 'by itself' : code(chat.cacheKeyField),
  }[provider.wire];
  const images = chat.images === true ? 'yes' : chat.images === false ? 'no' : 'some models';
  const cells = [
    code(name),
    aliases.join(', ') || '–',
    provider.keyVariable === null ? 'none' : code(provider.keyVariable),
    spoken[provider.wire],
    provider.baseUrl === '' ? 'by resource or region' : new URL(provider.baseUrl).host,
    effort,
    cache,
    images,
    isChat ? code(chat.tokenLimit) : provider.wire === 'anthropic' ? '`max_tokens`' : '`max_output_tokens`',
  ];
  return `| ${cells.join(' | ')} |`;
}

it("the document lists every provider with the names, key, text and limits of the program's table", () => {
  const rows = Object.entries(providers).map(row);
  const found = document
    .split('\n')
    .filter((line) => /^\| `[\w-]+` \| .* \|$/.test(line) && line.split('|').length === 11);
  expect(found).toEqual(rows);
});

it('the examples of the document are valid', () => {
  const examples = [...document.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  expect(examples.length).toBeGreaterThan(1);
  for (const text of examples) expect(() => parseConfig(text, 'docs/models.md')).not.toThrow();
});
