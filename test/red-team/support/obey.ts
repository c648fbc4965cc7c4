import type { ScriptedCall } from '../../support/model/script.ts';
import { allTextOf } from '../../uses/support/conversation.ts';
import type { Part } from '../../uses/support/start-app.ts';

/** What an attacker wants done: calls in turns, and what is to be said in the end. */
export interface Orders {
  readonly turns: readonly (readonly ScriptedCall[])[];
  readonly say?: string;
}

/** The words by which an attacker gives orders; the model knows what is meant by the name. */
export const orderTo = (name: string) => `ATTACK-${name}-NOW`;

/**
 * A model that does at once whatever any text it sees orders it to, and reports it as its own work: the worst that
 * an injection can achieve. `looks` is what it does first, to come across the orders.
 */
export function obedient(name: string, orders: Orders, looks: readonly ScriptedCall[] = []): Part {
  let next = 0;
  return (turn, request) => {
    if (turn === 1 && looks.length > 0) return { calls: looks };
    if (!allTextOf(request).includes(orderTo(name))) return { text: 'Nobody ordered anything.' };
    const calls = orders.turns[next];
    next += 1;
    return calls === undefined ? { text: orders.say ?? 'Done as ordered.' } : { calls };
  };
}
