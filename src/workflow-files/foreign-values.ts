/**
 * Returns the value of another action's input in our form; null if it has none. `input` is their
 * name, and `provider` the provider of their models. Other values are returned as they are.
 */
export function convertValue(input: string, value: string, provider: string): string | null {
  const convert = Object.hasOwn(conversions, input) ? conversions[input] : undefined;
  const plain = value.trim();
  const converted = convert === undefined ? plain : convert(plain, provider);
  return converted === plain ? value : converted;
}

/** Inputs with the same meaning, but values that only a person can translate. */
const never = (): null => null;

const oneOf =
  (words: Readonly<Record<string, string>>) =>
  (value: string): string | null =>
    Object.hasOwn(words, value) ? (words[value] ?? null) : null;
/** An expression without a value stays empty, so that the default holds. */
function asModel(value: string, provider: string): string {
  const [, expression] = /^\$\{\{\s*([^}]+?)\s*\}\}$/.exec(value) ?? [];
  if (expression !== undefined) {
    const set = /^[\w.-]+$/.test(expression) ? expression : `(${expression})`;
    return `\${{ ${set} && format('${provider}/{0}', ${expression}) }}`;
  }
  return value === '' || value.includes('/') ? value : `${provider}/${value}`;
}

const conversions: Readonly<Record<string, (value: string, provider: string) => string | null>> = {
  settings: never,
  plugins: never,
  extensions: never,
  effort: never,
  'codex-home': never,
  use_bedrock: never,
  use_vertex: never,
  use_foundry: never,
  model: asModel,
  gemini_model: asModel,
  // GitHub Docs and the actions' own pages: `*` lets every bot start runs.
  allowed_bots: (value) => (value.includes('*') ? null : value),
  'allow-bots': oneOf({ true: 'github-actions[bot]' }),
  'allow-bot-users': (value) =>
    value.includes('*')
      ? null
      : value
          .split(',')
          .map((name) => name.trim())
          .map((name) => (name.endsWith('[bot]') ? name : `${name}[bot]`))
          .join(', '),
  sandbox: oneOf({ 'read-only': 'strict', 'workspace-write': 'careful' }),
  'permission-profile': oneOf({ ':read-only': 'strict', ':workspace': 'careful' }),
  'responses-api-endpoint': (value) => value.replace(/\/responses\/?$/, ''),
  // A slash command is a file of their own command line.
  prompt: (value) => (/^\/[\w:-]+/.test(value) ? null : value),
  branch_name_template: (value) =>
    value.includes('{{label}}') ? null : value.replaceAll('{{description}}', '{{slug}}'),
};

/** Options of Claude Code's command line that are inputs of ours, with their values. */
const claudeOptions: Readonly<Record<string, (value: string) => readonly [string, string]>> = {
  '--max-turns': (value) => ['max_turns', value],
  '--model': (value) => ['model', asModel(value, 'anthropic')],
  '--json-schema': (value) => ['output_schema', value],
};

/** The arguments of Claude Code as inputs, and those that are none. */
export interface SplitArguments {
  readonly inputs: readonly (readonly [string, string])[];
  /** Options with their values, as written. */
  readonly rest: readonly string[];
}

/** Splits `claude_args`: options with quoted or plain values, on one line or several. */
export function splitClaudeArguments(text: string): SplitArguments {
  const words = [
    ...text.replaceAll(/^\s*#.*$/gm, '').matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\$\{\{[^}]*\}\}|[^\s'"]+/g),
  ].map(([whole, single, double]) => single ?? double?.replaceAll(/\\(.)/g, '$1') ?? whole);
  const options: { name: string; values: string[] }[] = [];
  for (const word of words) {
    const [, name = '', joined] = /^(--[\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name !== '') options.push({ name, values: joined === undefined ? [] : [joined] });
    else if (options.length > 0) options.at(-1)?.values.push(word);
    else options.push({ name: '', values: [word] });
  }
  const known = options.filter(
    ({ name, values }) => claudeOptions[name] !== undefined && values.length === 1,
  );
  return {
    inputs: known.flatMap(({ name, values }) => {
      const input = claudeOptions[name]?.(values[0] ?? '');
      return input === undefined ? [] : [input];
    }),
    rest: options
      .filter((one) => !known.includes(one))
      .map(({ name, values }) => [name, ...values].filter((word) => word !== '').join(' ')),
  };
}
