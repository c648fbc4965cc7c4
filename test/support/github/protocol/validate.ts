import { Ajv2019, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { ApiError, notGranted } from './api-error.ts';
import type { Description, Operation, Schema } from './description.ts';
import type { Route } from './router.ts';

/** Checks one request; throws a 422 (400 for a body that is not JSON) with the fault. */
export type RequestValidator = (
  route: Route,
  query: Readonly<Record<string, unknown>>,
  body: unknown,
) => Record<string, unknown>;

const combinators = ['oneOf', 'anyOf', 'allOf'] as const;
const shared = 'https://stand-in/description';

interface Reading {
  readonly description: Description;
  /** Forbids unknown fields and inlines references; without it references stay, to be compiled once. */
  readonly strict: boolean;
}

/** OpenAPI's schema as plain JSON schema. */
function plain(reading: Reading, schema: Schema, within = false): Schema {
  const { description, strict } = reading;
  if (!strict && schema.$ref !== undefined) return { $ref: `${shared}${schema.$ref}` };
  const { nullable, discriminator: _, example: __, ...source } = description.resolve(schema);
  const result: Schema = { ...source };
  const each = (parts: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, plain(reading, part)]));
  if (source.properties !== undefined) result.properties = each(source.properties);
  if (source.items !== undefined) result.items = plain(reading, source.items);
  for (const key of combinators)
    if (source[key] !== undefined) result[key] = source[key].map((branch) => plain(reading, branch, true));
  if (typeof source.additionalProperties === 'object')
    result.additionalProperties = plain(reading, source.additionalProperties);
  // A branch that allows everything would hide what the whole forbids.
  if (strict && within && result.additionalProperties === true) delete result.additionalProperties;
  if (strict && !within && shaped(result) && result.additionalProperties === undefined)
    result.unevaluatedProperties = false;
  const typed = source.type !== undefined || combinators.some((key) => source[key] !== undefined);
  return nullable === true && typed ? { anyOf: [result, { type: 'null' }] } : result;
}

/** True for a schema that names properties, itself or in a branch. */
const shaped = (schema: Schema): boolean =>
  schema.properties !== undefined || combinators.some((key) => (schema[key] ?? []).some(shaped));

/** The description is GitHub's own and large: it is not checked itself, and its code not optimised. */
function makeAjv(coerceTypes: boolean): Ajv2019 {
  const ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    coerceTypes,
    unicodeRegExp: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
    formats: { 'repo.nwo': true, timestamp: true },
  });
  addFormats.default(ajv);
  // GitHub's own payloads hold addresses of bots: 1+anode[bot]@users.noreply.github.com.
  ajv.addFormat('email', /@/);
  return ajv;
}

function shareComponents(ajv: Ajv2019, description: Description): void {
  const reading = { description, strict: false };
  const schemas = Object.entries(description.document.components.schemas).map(
    ([name, schema]) => [name, plain(reading, schema)] as const,
  );
  ajv.addSchema({ $id: shared, components: { schemas: Object.fromEntries(schemas) } });
}

const explain = (errors: readonly ErrorObject[] | null | undefined) =>
  (errors ?? []).map((error) => {
    const extra = error.params.unevaluatedProperty ?? error.params.additionalProperty;
    return `${error.instancePath || 'request'} ${error.message ?? ''}${extra === undefined ? '' : ` (${extra})`}`;
  });

/**
 * Throws the 400 for a body that is no JSON object (GitHub Docs, "Troubleshooting the REST API").
 * Observed in the recorded refusals: a request for an installation token answers this for a field
 * of another type, where others answer 422. It also treats an unknown permission as one that was
 * not granted.
 */
function assertJsonObject({ operationId }: Operation, check: ValidateFunction | undefined, body: unknown) {
  if (body === undefined || check === undefined || check(body)) return;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ApiError(400, 'Body should be a JSON object');
  const wrongType = check.errors?.some(({ keyword }) => keyword === 'type') === true;
  if (operationId === 'apps/create-installation-access-token' && wrongType)
    throw new ApiError(400, 'Problems parsing JSON');
  const unknown = check.errors?.some(({ instancePath }) => instancePath === '/permissions') === true;
  if (operationId === 'apps/create-installation-access-token' && unknown) throw notGranted();
}

/** Makes the request validator; schemas are compiled on their first use. */
export function createRequestValidator(description: Description): RequestValidator {
  const bodies = makeAjv(false);
  const texts = makeAjv(true);
  const compiled = new Map<
    Operation,
    { path: ValidateFunction; query: ValidateFunction; body?: ValidateFunction }
  >();

  const parametersOf = (operation: Operation, place: 'path' | 'query') => {
    const parameters = description.parameters(operation).filter((parameter) => parameter.in === place);
    return texts.compile({
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name, schema = {} }) => [name, plain({ description, strict: true }, schema)]),
      ),
      required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
      additionalProperties: false,
    });
  };
  const validators = (operation: Operation) => {
    const known = compiled.get(operation);
    if (known !== undefined) return known;
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    const made = {
      path: parametersOf(operation, 'path'),
      query: parametersOf(operation, 'query'),
      ...(schema === undefined ? {} : { body: bodies.compile(plain({ description, strict: true }, schema)) }),
    };
    compiled.set(operation, made);
    return made;
  };

  return (route, query, body) => {
    const { operation } = route;
    const check = validators(operation);
    const coerced = { ...query };
    assertJsonObject(operation, check.body, body);
    const problems: string[] = [];
    const params = { ...route.params };
    if (!check.path(params)) problems.push(...explain(check.path.errors).map((text) => `path: ${text}`));
    if (!check.query(coerced)) problems.push(...explain(check.query.errors).map((text) => `query: ${text}`));
    if (body === undefined) {
      if (operation.requestBody?.required === true) problems.push('body: is missing');
    } else if (check.body === undefined) {
      if (typeof body !== 'object' || body === null || Object.keys(body).length > 0)
        problems.push('body: this operation takes none');
    } else if (!check.body(body)) {
      problems.push(...explain(check.body.errors).map((text) => `body: ${text}`));
    }
    if (problems.length > 0) throw new ApiError(422, 'Invalid request.', problems);
    return coerced;
  };
}

/**
 * Creates a check of values that the stand-in itself sends, which returns the list of faults, empty
 * if there are none.
 */
export function createSchemaCheck(description: Description): (schema: Schema, value: unknown) => string[] {
  let ajv: Ajv2019 | undefined;
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    if (ajv === undefined) {
      ajv = makeAjv(false);
      shareComponents(ajv, description);
    }
    const known = compiled.get(schema);
    const check = known ?? ajv.compile(plain({ description, strict: false }, schema));
    if (known === undefined) compiled.set(schema, check);
    return check(value) ? [] : explain(check.errors);
  };
}
