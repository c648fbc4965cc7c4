import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { Config } from '../src/config/schema.ts';

/** The path at which editors find the schema of `.github/anode.yml`. */
export const schemaFile = path.resolve(import.meta.dirname, '../docs/anode.schema.json');

/** The JSON Schema of the configuration file, made from the one that checks it. */
export function configSchema(): string {
  const schema = z.toJSONSchema(Config, { io: 'input' });
  return `${JSON.stringify({ title: 'Configuration of Anode CI', ...schema }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(schemaFile, configSchema());
