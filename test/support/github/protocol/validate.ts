import { Ajv2019, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { ApiError } from './api-error.ts';
import type { Description, Operation, Schema } from './description.ts';
import type { Route } from './router.ts';

/** Checks one request; throws a 422 (400 where the body is not JSON) that says what is wrong. */
export type RequestValidator = (
  route: Route,
  query: Readonly<Record<string, unknown>>,
  body: unknown,
) => Record<string, unknown>;

/** The description's schema as plain JSON schema, references inlined, unknown fields forbidden if `strict`. */
function plain(description: Description, schema: Schema, strict: boolean, within = false): Schema {
  const { nullable, discriminator: _, example: __, ...source } = description.resolve(schema);
  const branches = (['oneOf', 'anyOf', 'allOf'] as const).filter((key) => source[key] !== undefined);
  const result: Schema = { ...source };
  if (source.properties !== undefined)
    result.properties = Object.fromEntries(
      Object.entries(source.properties).map(([name, value]) => [name, plain(description, value, strict)]),
    );
  if (source.items !== undefined) result.items = plain(description, source.items, strict);
  for (const key of branches)
    result[key] = (source[key] ?? []).map((branch) => plain(description, branch, strict, true));
  if (typeof source.additionalProperties === 'object')
    result.additionalProperties = plain(description, source.additionalProperties, strict);
  const shaped = (node: Schema): boolean =>
    node.properties !== undefined ||
    (['oneOf', 'anyOf', 'allOf'] as const).some((key) => (node[key] ?? []).some(shaped));
  if (strict && within && result.additionalProperties === true) delete result.additionalProperties;
  if (strict && !within && shaped(result) && result.additionalProperties === undefined)
    result.unevaluatedProperties = false;
  if (nullable === true && (source.type !== undefined || branches.length > 0))
    return { anyOf: [result, { type: 'null' }] };
  return result;
}

function makeAjv(coerceTypes: boolean): Ajv2019 {
  const ajv = new Ajv2019({
    strict: false,
    allErrors: true,
    coerceTypes,
    validateFormats: true,
    unicodeRegExp: false,
  });
  addFormats.default(ajv);
  return ajv;
}

const explain = (errors: readonly ErrorObject[] | null | undefined) =>
  (errors ?? []).map((error) => {
    const extra = error.params.unevaluatedProperty ?? error.params.additionalProperty;
    return `${error.instancePath || 'request'} ${error.message ?? ''}${extra === undefined ? '' : ` (${extra})`}`;
  });

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
        parameters.map(({ name, schema = {} }) => [name, plain(description, schema, false)]),
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
      ...(schema === undefined ? {} : { body: bodies.compile(plain(description, schema, true)) }),
    };
    compiled.set(operation, made);
    return made;
  };

  return (route, query, body) => {
    const { operation } = route;
    const check = validators(operation);
    const coerced = { ...query };
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

/** Makes a check of values that the stand-in itself sends: the list of what is wrong, empty when nothing. */
export function createSchemaCheck(description: Description): (schema: Schema, value: unknown) => string[] {
  const ajv = makeAjv(false);
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    const known = compiled.get(schema);
    const check = known ?? ajv.compile(plain(description, schema, false));
    if (known === undefined) compiled.set(schema, check);
    return check(value) ? [] : explain(check.errors);
  };
}
