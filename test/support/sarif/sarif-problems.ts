import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

let validate: ValidateFunction | null = null;

/**
 * The faults of a SARIF log by the schema of OASIS (from `@microsoft/jest-sarif`, MIT), a phrase
 * each.
 */
export function sarifProblems(log: unknown): string[] {
  validate ??= compile();
  if (validate(log)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The schema is of draft 4, of which it uses nothing that later drafts read otherwise but `id`. */
function compile(): ValidateFunction {
  const file = path.join(import.meta.dirname, 'sarif-2.1.0.json.gz');
  const { $schema: _, id: __, ...schema } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile(schema);
}
