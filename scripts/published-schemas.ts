import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { Config } from '../src/config/schema.ts';
import { RunLedgerLine } from '../src/contract/run-ledger.ts';
import { TraceLine } from '../src/contract/run-trace.ts';
import { Receipt } from '../src/evidence/receipts.ts';

/** A schema that is published in `docs` for editors and other tools. */
interface PublishedSchema {
  readonly file: string;
  /** The JSON Schema (draft 2020-12), made from the schema that checks the data. */
  readonly text: string;
}

const docs = path.resolve(import.meta.dirname, '../docs');

/** Returns all published schemas. */
export function publishedSchemas(): PublishedSchema[] {
  return [
    published('anode.schema.json', 'Configuration of Anode CI', Config, 'input'),
    published('run-ledger.schema.json', 'One line of the run ledger of Anode CI', RunLedgerLine, 'output'),
    published('run-trace.schema.json', 'One line of the trace of a run of Anode CI', TraceLine, 'output'),
    published('receipt.schema.json', 'Receipt of one tool call of Anode CI', Receipt, 'output'),
  ];
}

function published(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): PublishedSchema {
  const text = `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io }) }, null, 2)}\n`;
  return { file: path.join(docs, name), text };
}

if (import.meta.main) for (const { file, text } of publishedSchemas()) writeFileSync(file, text);
