/**
 * Which request a message of JSON-RPC answers that was too long to be read, as the JSON of its id: it stands first or last, before or
 * after what made the message long. Null where it stands in neither place.
 */
export function answeredId({ head, tail }: { readonly head: string; readonly tail: string }): string | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,100}")/.exec(head)?.[1];
  const last = /"id"\s*:\s*(\d+|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  return first ?? last ?? null;
}
