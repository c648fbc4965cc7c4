import * as z from 'zod';
import { ConfigError } from '../contract/errors.ts';
import { omitUndefined } from '../contract/json.ts';
import { nearestKey } from './nearest-key.ts';
import { type ConfigDocument, readDocument } from './read-document.ts';
import { Config } from './schema.ts';

/**
 * One configuration file, YAML or JSON, checked against the schema. Throws `ConfigError` with file,
 * line, column, key and, if applicable, rule. For an unknown key it names the nearest known one. An
 * empty file is an empty configuration. `file` is the name an operator knows it by; each rule comes
 * with its place in it.
 */
export function parseConfig(text: string, file: string): Config {
  return checkConfig(readDocument(text, file), file, []);
}

/**
 * A policy: the permissions of a configuration file, or a bare list of rules. Throws `ConfigError`
 * like `parseConfig`.
 */
export function parsePolicy(text: string, file: string): Config {
  const document = readDocument(text, file);
  if (!Array.isArray(document.value)) return checkConfig(document, file, []);
  const value = { permissions: { rules: document.value } };
  return checkConfig({ ...document, value }, file, ['permissions', 'rules']);
}

/** `above` is the path that the file's own root stands for. */
function checkConfig(document: ConfigDocument, file: string, above: readonly PropertyKey[]): Config {
  const parsed = Config.safeParse(document.value ?? {});
  if (!parsed.success) {
    const issue = innermost(parsed.error.issues[0]);
    if (issue === undefined)
      throw new ConfigError(`${file}: not a configuration.`, { file }, { cause: parsed.error });
    throw describe(issue, document, file, above);
  }
  return withSources(parsed.data, (path) => {
    const { line } = document.locate(path.slice(above.length), 'value');
    return document.hasLines ? `${file}:${line}` : file;
  });
}

/** The configuration with the place of each rule and hook. */
function withSources(config: Config, sourceOf: (path: readonly PropertyKey[]) => string): Config {
  const { permissions, hooks } = config;
  const rules = permissions?.rules?.map((rule, index) => ({
    ...rule,
    source: sourceOf(['permissions', 'rules', index]),
  }));
  const hooksAt = (when: 'before' | 'after') => {
    return hooks?.[when]?.map((hook, index) => ({ ...hook, source: sourceOf(['hooks', when, index]) }));
  };
  return omitUndefined({
    ...config,
    permissions: rules ? { ...permissions, rules } : permissions,
    hooks: hooks && omitUndefined({ before: hooksAt('before'), after: hooksAt('after') }),
  });
}

function describe(
  issue: z.core.$ZodIssue,
  document: ConfigDocument,
  file: string,
  above: readonly PropertyKey[],
): ConfigError {
  const keyOf = (path: readonly PropertyKey[]): string => path.slice(above.length).map(String).join('.');
  const at = (path: readonly PropertyKey[], part: 'key' | 'value'): string => {
    const { line, column } = document.locate(path.slice(above.length), part);
    return `${file}:${line}:${column}`;
  };
  const inRule = ruleOf(issue.path, document.value);
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys[0] ?? '';
    const known = knownKeys(Config, issue.path);
    const nearest = nearestKey(unknown, known);
    const key = keyOf([...issue.path, unknown]);
    const remedy =
      nearest === null
        ? `Known here: ${known.join(', ')}`
        : `Did you mean ${keyOf([...issue.path, nearest])}?`;
    const location = at([...issue.path, unknown], 'key');
    return new ConfigError(`${location}: unknown key ${key}${inRule}. ${remedy}`, { file, key });
  }
  const key = keyOf(issue.path);
  const location = at(issue.path, 'value');
  if (key === '') return new ConfigError(`${location}: ${issue.message}${inRule}.`, { file });
  return new ConfigError(`${location}: ${key}: ${issue.message}${inRule}.`, { file, key });
}

/** Returns the issue inside the best matching form, if a value may have several. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  // The issue with a name in the file is one level below.
  const [ofKey] = issue?.code === 'invalid_key' ? issue.issues : [];
  if (issue !== undefined && ofKey !== undefined) return { ...ofKey, path: issue.path };
  if (issue?.code !== 'invalid_union') return issue;
  const fits = (isOther: (first: z.core.$ZodIssue) => boolean) =>
    issue.errors.find(([first]) => first !== undefined && !isOther(first));
  // A fixed word is the probable form only if no other form accepts such a value.
  const form = fits((first) => isWrongType(first) || isWrongWord(first)) ?? fits(isWrongType);
  const [first] = form ?? [];
  return first === undefined ? issue : innermost({ ...first, path: [...issue.path, ...first.path] });
}

const isWrongType = (issue: z.core.$ZodIssue) => issue.code === 'invalid_type' && issue.path.length === 0;

const isWrongWord = (issue: z.core.$ZodIssue) => issue.code === 'invalid_value' && issue.path.length === 0;

/** `, in rule 3 (deploy scripts)` for a path inside a rule, else nothing. */
function ruleOf(path: readonly PropertyKey[], value: unknown): string {
  const [first, second, index] = path;
  if (first !== 'permissions' || second !== 'rules' || typeof index !== 'number') return '';
  const rules = (value as { permissions?: { rules?: unknown } }).permissions?.rules;
  const rule: unknown = Array.isArray(rules) ? rules[index] : undefined;
  const name = typeof rule === 'object' && rule !== null && 'name' in rule ? rule.name : undefined;
  return `, in rule ${index + 1}${typeof name === 'string' ? ` (${name})` : ''}`;
}

/** The keys of a schema at a path; any key enters a record, and any index an array. */
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

/** Returns the form with keys, of several that a value may have. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  if (!(schema instanceof z.ZodUnion)) return schema;
  const forms = schema.options.map(unwrap);
  return forms.find((form) => form instanceof z.ZodObject) ?? schema;
}
