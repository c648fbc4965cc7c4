import * as z from 'zod';

/** The keys a schema knows at a path; a record is stepped through by any key, an array by any index. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const found = path.reduce<z.core.$ZodType | null>(
    (inner, key) => inner && step(unwrap(inner), key),
    schema,
  );
  const object = found && unwrap(found);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function step(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | null {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] ?? null;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodArray) return schema.element;
  return null;
}

/** Of several forms that a value may have, the one with keys. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) return schema;
  const forms = schema.options.map(unwrap);
  return forms.find((form) => form instanceof z.ZodObject) ?? schema;
}
