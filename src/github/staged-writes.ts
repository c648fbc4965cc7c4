import { type JsonObject, omitUndefined } from '../contract/json.ts';

/** A write that a staged run would have made, as it stands at the end of the run. */
export type StagedWrite =
  | {
      readonly kind: 'request';
      readonly method: string;
      /** Path below the API's address, such as `/repos/acme/shop/issues/7/comments`. */
      readonly path: string;
      readonly body: JsonObject;
    }
  | { readonly kind: 'push'; readonly branch: string; readonly message: string; readonly patch: string };

/** A request to GitHub's API. */
export interface StagedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** True if it changes something. */
  readonly isWrite: boolean;
}

/** Takes the writes of a staged run in GitHub's place. */
export interface StagedWrites {
  /**
   * Returns the answer to a write, or to a read of what was written; null for any other read.
   * `readCurrent` reads the object that an edit is about, with GitHub's refusals.
   */
  answer(request: StagedRequest, readCurrent: () => Promise<unknown>): Promise<{ data: unknown } | null>;
  /** Takes a commit in the place of a push. */
  push(order: { readonly branch: string; readonly message: string; readonly patch: string }): {
    readonly sha: string;
  };
  list(): readonly StagedWrite[];
  /** True if the `body` of a recorded write contains a text. */
  hasText(text: string): boolean;
  /** Replaces the ids and hashes of what was not made by words. */
  withoutIds(text: string): string;
}

/** The surroundings of a staged run. */
interface StagedPlace {
  readonly apiUrl: string;
  readonly serverUrl: string;
  /** The account of the token. */
  readonly ownLogin: string;
}

/** Ids and numbers from here on stand for what does not exist. GitHub's are smaller. */
export const firstStagedId = 9_000_000_000_001;

/**
 * Creates a recorder of writes. Its answers have what GitHub's have of the request itself, an id
 * and an address. An edit or a deletion of something recorded changes the record, so that `list`
 * has each comment once, with its last text. Nothing is checked as GitHub would.
 */
export function createStagedWrites(place: StagedPlace): StagedWrites {
  const writes = new Map<string, StagedWrite>();
  /** Objects that were written, by the path that reads them. */
  const objects = new Map<string, JsonObject>();
  let id = firstStagedId - 1;
  const make = (path: string, sent: JsonObject): JsonObject => {
    id += 1;
    const object = { ...sent, ...madeFields(path, id, sent, place) };
    const self = selfPath(path, id, sent);
    objects.set(self, object);
    writes.set(self, { kind: 'request', method: 'POST', path, body: sent });
    return object;
  };
  const edit = async (
    method: string,
    path: string,
    sent: JsonObject,
    readCurrent: () => Promise<unknown>,
  ) => {
    const before = objects.get(path) ?? asObject(await readCurrent());
    const after = { ...before, ...sent };
    objects.set(path, after);
    const made = writes.get(path);
    const body = made?.kind === 'request' ? { ...made.body, ...sent } : sent;
    const known = made?.kind === 'request' ? { ...made, body } : null;
    writes.set(path, known ?? { kind: 'request', method, path, body });
    return after;
  };
  const remove = (path: string): void => {
    const self = path.replace('/git/refs/', '/git/ref/');
    if (objects.delete(self)) writes.delete(self);
    else writes.set(`DELETE ${path}`, { kind: 'request', method: 'DELETE', path, body: {} });
  };
  return {
    async answer({ method, url, body, isWrite }, readCurrent) {
      const path = decodeURIComponent(url.slice(place.apiUrl.length).replace(/\?.*$/, ''));
      if (!isWrite) return readBack(path, objects);
      const sent = asObject(body);
      if (url.endsWith('/graphql')) return { data: { data: mutate(sent, make) } };
      if (method === 'DELETE') return { data: remove(path) };
      const isMade = method === 'POST';
      return { data: isMade ? make(path, sent) : await edit(method, path, sent, readCurrent) };
    },
    push({ branch, message, patch }) {
      id += 1;
      writes.set(`push ${id}`, { kind: 'push', branch, message, patch });
      return { sha: stagedSha(id) };
    },
    list: () => [...writes.values()],
    hasText: (text) =>
      [...writes.values()].some((one) => one.kind === 'request' && String(one.body.body).includes(text)),
    withoutIds: withoutStagedIds,
  };
}

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The hash of a commit that does not exist. */
const stagedSha = (id: number): string => id.toString(16).padStart(40, '0');

/** A link to a commit that does not exist, as reports have it. */
const stagedLink = /\[`0{7}`\]\([^()\s]*\/commit\/0{29}[0-9a-f]{11}\)/g;

/** Replaces the ids and hashes of what a staged run did not make by words. */
export function withoutStagedIds(text: string): string {
  const isStaged = (id: string) => Number(id) >= firstStagedId;
  return text
    .replaceAll(stagedLink, 'a new commit')
    .replaceAll(/#(\d{13})\b/g, (whole, id: string) => (isStaged(id) ? '#(new)' : whole));
}

/** Returns what was written; an empty list for everything below it. */
function readBack(path: string, objects: ReadonlyMap<string, JsonObject>): { data: unknown } | null {
  const object = objects.get(path);
  if (object !== undefined) return { data: object };
  const isBelow = [...objects].some(
    ([self, { id }]) => Number(id) >= firstStagedId && path.startsWith(`${self}/`),
  );
  return isBelow ? { data: [] } : null;
}

/** Answers a mutation of GraphQL: a commit has a hash, and other answers are not read. */
function mutate(
  { query, variables }: JsonObject,
  make: (path: string, sent: JsonObject) => JsonObject,
): JsonObject {
  const [, name = 'mutation'] = /\{\s*(\w+)\(/.exec(String(query)) ?? [];
  const { id } = make(`/graphql/${name}`, asObject(variables));
  const url = '';
  return { [name]: { commit: { oid: stagedSha(Number(id)), url }, thread: { id: String(id) } } };
}

/** The path that reads what a POST to `path` makes. */
function selfPath(path: string, id: number, sent: JsonObject): string {
  const [, repository = ''] = /^(\/repos\/[^/]+\/[^/]+)/.exec(path) ?? [];
  if (/\/issues\/\d+\/comments$/.test(path)) return `${repository}/issues/comments/${id}`;
  if (path.endsWith('/replies')) return `${repository}/pulls/comments/${id}`;
  if (path.endsWith('/git/refs')) return `${repository}/git/ref/${String(sent.ref).replace(/^refs\//, '')}`;
  return `${path}/${id}`;
}

/** The fields that GitHub adds to what is made. */
function madeFields(
  path: string,
  id: number,
  { labels, assignees, sha }: JsonObject,
  { serverUrl, ownLogin }: StagedPlace,
): JsonObject {
  return omitUndefined({
    id,
    number: id,
    node_id: `staged-${id}`,
    html_url: `${serverUrl}${pageOf(path, id)}`,
    created_at: new Date().toISOString(),
    user: { login: ownLogin },
    labels: namesIn(labels).map((name) => ({ name })),
    assignees: namesIn(assignees).map((login) => ({ login })),
    object: path.endsWith('/git/refs') ? { sha: sha ?? '' } : undefined,
  }) as JsonObject;
}

const namesIn = (value: JsonObject[string] | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The page at GitHub that a POST would make: `/acme/shop/issues/7#issuecomment-9000000000001`. */
function pageOf(path: string, id: number): string {
  const [, repository = '', kind = '', number] =
    /^\/repos(\/[^/]+\/[^/]+)(?:\/(\w+)(?:\/(\d+))?)?/.exec(path) ?? [];
  const page = `${repository}/${kind === 'pulls' ? 'pull' : 'issues'}`;
  if (number === undefined) return /^(?:pulls|issues)$/.test(kind) ? `${page}/${id}` : repository;
  if (path.endsWith('/reviews')) return `${page}/${number}#pullrequestreview-${id}`;
  return `${page}/${number}#${path.endsWith('/replies') ? 'discussion_r' : 'issuecomment-'}${id}`;
}
