import type { Credential } from '../protocol/call.ts';
import type { World } from '../world.ts';

/** Who asks, for the resolvers. */
export interface GraphqlContext {
  readonly world: World;
  readonly credential: Credential;
}

/** A node: its fields by name, each a value or a function of the field's arguments. */
export type Node = Record<string, unknown>;
