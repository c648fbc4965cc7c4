import type { Diagnostic, KeptDiagnostics } from './diagnostic.ts';

/** What diagnostics take, or may take: how many, each place that one points to being one more, and the bytes of their texts. */
export interface Room {
  readonly count: number;
  readonly bytes: number;
}

/** For what a server said of all files together. */
export const roomForAll: Room = { count: 20_000, bytes: 16 * 1024 * 1024 };

export const roomAfter = (room: Room, taken: Room): Room => ({
  count: room.count - taken.count,
  bytes: room.bytes - taken.bytes,
});

/** The first of some diagnostics, as many as there is room for, and what they take; the others count as left out. */
export function fitInto(
  room: Room,
  { diagnostics, leftOut }: KeptDiagnostics,
): { readonly kept: KeptDiagnostics; readonly taken: Room } {
  let taken: Room = { count: 0, bytes: 0 };
  for (const [index, one] of diagnostics.entries()) {
    const more = roomOf(one);
    const sum = { count: taken.count + more.count, bytes: taken.bytes + more.bytes };
    if (sum.count > room.count || sum.bytes > room.bytes) {
      const kept = {
        diagnostics: diagnostics.slice(0, index),
        leftOut: leftOut + diagnostics.length - index,
      };
      return { kept, taken };
    }
    taken = sum;
  }
  return { kept: { diagnostics, leftOut }, taken };
}

function roomOf({ message, code, source, related }: Diagnostic): Room {
  const texts = [
    ...[message, code ?? '', source ?? ''],
    ...related.flatMap((one) => [one.message, one.location.uri]),
  ];
  return {
    count: 1 + related.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}
