import type { Json } from '../../contract/json.ts';

/** The arguments of a call to a tool from elsewhere as they stand among its targets: JSON, of which the first 200 characters. */
export function showArguments(args: Json): string {
  const text = JSON.stringify(args);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
