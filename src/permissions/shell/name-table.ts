/** Makes a table by program name. A key lists the names that share a value, separated by blanks. */
export function nameTable<Value>(rows: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(rows).flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)),
  );
}
