import type { Access, Account, App, Repository, Token, World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { Operation } from './description.ts';

/** Who asks: nobody, an app by its own signature, or the holder of a token. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'app'; readonly app: App }
  | { readonly kind: 'token'; readonly token: Token };

/** One validated API call, as the handlers get it. */
export interface Call {
  readonly world: World;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly credential: Credential;
  readonly accept: string;
}

export interface RepositoryCall extends Call {
  readonly repository: Repository;
}

/**
 * An answer. `list` is paged by the server, which also adds `Link`; with `envelope` the page has
 * that name beside `total_count`. `text` is sent unchanged, with its content type.
 */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly list?: readonly unknown[];
  readonly envelope?: string;
  readonly text?: string | Buffer;
  readonly type?: string;
  /** The address of a redirect. */
  readonly location?: string;
}

export type Handler =
  | { readonly scope: 'repository'; readonly handle: (call: RepositoryCall) => Promise<Reply> | Reply }
  | { readonly scope: 'world'; readonly handle: (call: Call) => Promise<Reply> | Reply };

/** The operations a part of the API serves, by the description's operation id. */
export type Handlers = Readonly<Record<string, Handler>>;

/** An operation on one repository, which the token can see. */
export const onRepository = (handle: (call: RepositoryCall) => Promise<Reply> | Reply): Handler => ({
  scope: 'repository',
  handle,
});

/** An operation outside any repository. */
export const onWorld = (handle: (call: Call) => Promise<Reply> | Reply): Handler => ({
  scope: 'world',
  handle,
});

/** The body as that type, already validated by the description's schema. */
export const bodyOf = <Body>(call: Call): Body => (call.body ?? {}) as Body;

/** The acting account; 401 without one, and for an app that signs as itself. */
export function actorOf(credential: Credential): Account {
  if (credential.kind !== 'token') throw new ApiError(401, 'Requires authentication');
  return credential.token.actor;
}

/** The app behind the call, null for a person. */
export const appOf = (credential: Credential): App | null =>
  credential.kind === 'token' ? credential.token.app : null;

/** True where one access contains the other. */
export function covers(has: Access | undefined, needs: Access): boolean {
  const order: readonly (Access | undefined)[] = [undefined, 'read', 'write', 'admin'];
  return order.indexOf(has) >= order.indexOf(needs);
}
