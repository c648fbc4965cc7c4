import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A node of OpenAPI 3.0's schema language; only what the description uses is named. */
export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  [key: string]: unknown;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  $ref?: string;
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses?: Record<string, Content>;
  enabledForGitHubApps?: boolean;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { $ref?: string } & Schema>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Content>;
  };
}

/** GitHub's own description of its REST API and webhooks, with references followed on demand. */
export interface Description {
  readonly document: Document;
  /** The schema behind a reference; else the schema itself. */
  resolve(schema: Schema): Schema;
  parameters(operation: Operation): Parameter[];
  /** The JSON schema of an operation's response, undefined where it has no body. */
  responseSchema(operation: Operation, status: number): Schema | undefined;
  /** The schema of a webhook payload, undefined where the description has none. */
  webhookSchema(event: string, action: string | null): Schema | undefined;
}

/** Reads the packed description beside this folder; about 15 ms. */
export function loadDescription(): Description {
  const packed = readFileSync(new URL('../api.github.com.min.json.gz', import.meta.url));
  const document = JSON.parse(gunzipSync(packed).toString('utf8')) as Document;
  const { components } = document;
  const named = <Value>(place: Record<string, Value>, reference: string): Value => {
    const value = place[reference.slice(reference.lastIndexOf('/') + 1)];
    if (value === undefined) throw new Error(`The description lacks ${reference}`);
    return value;
  };
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(named(components.schemas, schema.$ref));
  return {
    document,
    resolve,
    parameters: (operation) =>
      (operation.parameters ?? []).map((parameter) =>
        parameter.$ref === undefined ? parameter : named(components.parameters, parameter.$ref),
      ),
    responseSchema: (operation, status) => {
      const response = operation.responses?.[status];
      const content = response?.$ref === undefined ? response : named(components.responses, response.$ref);
      return content?.content?.['application/json']?.schema;
    },
    webhookSchema: (event, action) => {
      const key = (action === null ? event : `${event}-${action}`).replaceAll('_', '-');
      const schema = document.webhooks[key];
      return schema === undefined ? undefined : resolve(schema);
    },
  };
}
