import * as z from 'zod';
import { createEmbedder } from '../../agent/models/embeddings.ts';
import { runSecrets } from '../../config/secret-values.ts';
import { parseJson } from '../../contract/json.ts';
import { monotonicMs } from '../../contract/monotonic-ms.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { createSemanticIndex, type StoredVectors } from '../../extensions/semantic/semantic-index.ts';
import { semanticSearch } from '../../extensions/semantic/semantic-search.ts';
import { createRedactor } from '../../redaction/redact.ts';
import type { ExternalSource } from '../../tools/registry/load-external-tools.ts';
import type { ExternalRun } from './external-run.ts';

/** Milliseconds that one call may spend on indexing. */
const budgetMs = 60_000;

/** Creates the source for semantic search. Texts for the embedding model are redacted. */
export function semanticSource(run: ExternalRun, model: string): ExternalSource {
  const { environment, config } = run;
  return {
    name: 'semantic search',
    async load() {
      const embedder = createEmbedder({ name: model, providers: config.providers, environment });
      const redact = createRedactor(runSecrets(run));
      const embedding = {
        name: embedder.name,
        embed: (texts: readonly string[], signal: AbortSignal) => embedder.embed(texts.map(redact), signal),
      };
      const index = createSemanticIndex(embedding, storedVectors(run.store, embedder.name, !run.readOnly));
      return { tools: [semanticSearch(index, { budgetMs, now: monotonicMs })], problems: [] };
    },
    close: async () => undefined,
  };
}

/** Vectors by digest, in base 64. */
const VectorTexts = z.record(z.string(), z.base64());

/** Maximum stored characters; other vectors are made again in each run. */
const maxStoredCharacters = 8 * 1024 * 1024;

/** Vectors stored by earlier runs with this model. Read-only runs store nothing. */
function storedVectors(store: StateStore | null, model: string, writes: boolean): StoredVectors | null {
  if (store === null) return null;
  const key = stateKeys.embeddings(model);
  return {
    async load() {
      const found = VectorTexts.safeParse(parseJson((await store.get(key)) ?? '')).data ?? {};
      return new Map(
        Object.entries(found).map(([digest, text]) => [digest, new Int8Array(Buffer.from(text, 'base64'))]),
      );
    },
    async save(vectors) {
      if (!writes) return;
      const entries: [string, string][] = [];
      let size = 0;
      for (const [digest, vector] of vectors) {
        const text = Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64');
        size += digest.length + text.length + 6;
        if (size > maxStoredCharacters) break;
        entries.push([digest, text]);
      }
      await store.set(key, JSON.stringify(Object.fromEntries(entries)));
    },
  };
}
