import { createHash } from 'node:crypto';

/** An embedding model; vectors of different models cannot be compared. */
export interface Embedding {
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Stored vectors of earlier runs, by digests of their texts. */
export interface StoredVectors {
  load(): Promise<ReadonlyMap<string, Int8Array>>;
  save(vectors: ReadonlyMap<string, Int8Array>): Promise<void>;
}

/** An indexed chunk. */
export interface IndexedChunk extends Chunk {
  readonly path: string;
  /** The digest of the embedded text. */
  readonly digest: string;
}

/** Adds path and digest to a chunk. */
export function indexedChunk(path: string, chunk: Chunk): IndexedChunk {
  const digest = createHash('sha256')
    .update(textOf({ ...chunk, path }))
    .digest('hex')
    .slice(0, 32);
  return { ...chunk, path, digest };
}

export interface SemanticIndex {
  /**
   * Embeds unknown chunks until `deadline` (milliseconds of `now`) and forgets all others. Returns
   * how many are left.
   */
  update(
    chunks: readonly IndexedChunk[],
    options: { readonly deadline: number; readonly now: () => number; readonly signal: AbortSignal },
  ): Promise<number>;
  /** The chunks nearest to a query, nearest first; the score is the cosine, 1 for equal. */
  nearest(
    query: string,
    chunks: readonly IndexedChunk[],
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly { readonly chunk: IndexedChunk; readonly score: number }[]>;
}

/** Texts of one request. */
const batch = 64;

/** Creates an index in memory by digest, so that unchanged chunks are never embedded again. */
export function createSemanticIndex(embedding: Embedding, stored: StoredVectors | null): SemanticIndex {
  let known: Map<string, Int8Array> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const embed = async (
    missing: readonly IndexedChunk[],
    vectors: Map<string, Int8Array>,
    signal: AbortSignal,
  ) => {
    const made = await embedding.embed(missing.map(textOf), signal);
    for (const [index, { digest }] of missing.entries()) vectors.set(digest, packed(made[index] ?? []));
  };
  const updateNow: SemanticIndex['update'] = async (chunks, { deadline, now, signal }) => {
    known ??= new Map(await stored?.load());
    const vectors = known;
    const wanted = new Map(chunks.map((chunk) => [chunk.digest, chunk]));
    for (const digest of [...vectors.keys()]) if (!wanted.has(digest)) vectors.delete(digest);
    const missing = [...wanted.values()].filter(({ digest }) => !vectors.has(digest));
    let done = 0;
    try {
      // At least one request, however little time is left: otherwise nothing would ever be found.
      for (; done < missing.length && (done === 0 || now() < deadline); done += batch)
        await embed(missing.slice(done, done + batch), vectors, signal);
    } finally {
      if (done > 0) await stored?.save(vectors);
    }
    return chunks.filter(({ digest }) => !vectors.has(digest)).length;
  };
  return {
    update(...call) {
      const result = turn.then(() => updateNow(...call));
      turn = result.catch(() => undefined);
      return result;
    },
    async nearest(query, chunks, limit, signal) {
      const [vector = []] = await embedding.embed([query], signal);
      const queryVector = packed(vector);
      const found = chunks.flatMap((chunk) => {
        const one = known?.get(chunk.digest);
        return one === undefined || one.length !== queryVector.length
          ? []
          : [{ chunk, score: cosine(queryVector, one) }];
      });
      return found.sort((a, b) => b.score - a.score).slice(0, limit);
    },
  };
}

/** A file's name describes much of its lines. */
const textOf = ({ path, text }: Omit<IndexedChunk, 'digest'>): string => `${path}\n${text}`;

/** Normalises a vector and packs it into bytes, which is precise enough to rank. */
function packed(vector: readonly number[]): Int8Array {
  const length = Math.hypot(...vector) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / length) * 127));
}

function cosine(one: Int8Array, other: Int8Array): number {
  let [product, first, second] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    const [a = 0, b = 0] = [one[index], other[index]];
    product += a * b;
    first += a * a;
    second += b * b;
  }
  return product / (Math.sqrt(first * second) || 1);
}

/** Lines of a file that are embedded together. */
interface Chunk {
  /** From 1, both included. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Limits of a chunk, well below those of most embedding models. */
const mostCharacters = 1_600;
const mostLines = 50;

/**
 * Cuts a text into chunks of whole lines, at a blank line in their second half if there is one.
 * Blank chunks are omitted.
 */
export function chunkText(text: string): Chunk[] {
  const lines = text.split(/\r?\n/);
  const chunks: Chunk[] = [];
  for (let from = 0; from < lines.length; ) {
    const to = endOf(lines, from);
    const part = lines
      .slice(from, to)
      .map((line) => line.slice(0, mostCharacters))
      .join('\n');
    if (part.trim() !== '') chunks.push({ start: from + 1, end: to, text: part });
    from = to;
  }
  return chunks;
}

/** The index behind the last line of a chunk that begins at `from`. */
function endOf(lines: readonly string[], from: number): number {
  let size = 0;
  let to = from;
  while (to < lines.length && to - from < mostLines) {
    size += Math.min(lines[to]?.length ?? 0, mostCharacters) + 1;
    if (size > mostCharacters && to > from) break;
    to += 1;
  }
  if (to === lines.length) return to;
  const middle = from + Math.ceil((to - from) / 2);
  for (let at = to; at > middle; at -= 1) if (lines[at - 1]?.trim() === '') return at;
  return to;
}
