import type { ProgramOutput, Report } from './check-program.ts';

const linesOf = ({ stdout, stderr }: ProgramOutput): string[] => `${stdout}\n${stderr}`.split('\n');

const syntaxError = (
  path: string,
  line: string | undefined,
  column: string | undefined,
  message: string,
) => ({
  path: path === '<standard input>' || path === '<stdin>' ? null : path,
  line: line === undefined ? null : Number(line),
  column: column === undefined ? null : Number(column),
  severity: 'error' as const,
  message: message.trim(),
  rule: null,
  syntax: true,
});

const notFormatted = (path: string, message: string): Report => ({
  path: path === '<standard input>' || path === '<stdin>' ? null : path,
  line: null,
  column: null,
  severity: 'warning',
  message,
  rule: 'format',
  syntax: false,
});

/** Annotations as GitHub's workflow commands, which Biome prints with `--reporter=github`. */
export function parseAnnotations(output: ProgramOutput): Report[] | null {
  // 0: nothing, 1: findings; with neither nor a finding it did not get as far as looking.
  const found = linesOf(output).flatMap((line) => {
    const [, severity, properties = '', message = ''] =
      /^::(error|warning|notice) (.*?)::(.*)$/.exec(line) ?? [];
    if (severity === undefined) return [];
    const value = (name: string) => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(properties)?.[1];
    const rule = value('title') ?? null;
    const number = (name: string) => (value(name) === undefined ? null : Number(value(name)));
    // These findings concern the whole file; their position is its start.
    const whole = rule === 'format' || rule?.startsWith('assist/') === true;
    return [
      {
        path: unescaped(value('file') ?? ''),
        line: whole ? null : number('line'),
        column: whole ? null : number('col'),
        severity: severity === 'error' && !whole ? ('error' as const) : ('warning' as const),
        message: rule === 'format' ? 'The file is not formatted as the formatter would.' : unescaped(message),
        rule,
        syntax: rule === 'parse',
      },
    ];
  });
  return output.exitCode === 0 || found.length > 0 ? found : nothingToDo(output);
}

/** Biome fails if its configuration excludes every file, which is no break. */
function nothingToDo(output: ProgramOutput): Report[] | null {
  return /No files were processed/.test(`${output.stdout}${output.stderr}`) ? [] : null;
}

/** GitHub's documentation, "Workflow commands": how data is escaped. */
function unescaped(text: string): string {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}

/**
 * `gofmt -l -e`: files to format on standard output, `path:line:column: message` on standard error.
 */
export function parseGofmt({ exitCode, stdout, stderr }: ProgramOutput): Report[] | null {
  const errors = stderr.split('\n').flatMap((line) => {
    const [, path, at, column, message] = /^(.+?):(\d+):(\d+): (.+)$/.exec(line) ?? [];
    return path === undefined || message === undefined ? [] : [syntaxError(path, at, column, message)];
  });
  if (exitCode !== 0 && errors.length === 0) return null;
  const listed = stdout.split('\n').filter((line) => line !== '');
  return [
    ...errors,
    ...listed.map((path) => notFormatted(path, 'The file is not formatted as gofmt would.')),
  ];
}

/** `rustfmt --check -l`: files to format on standard output, rustc's errors on standard error. */
export function parseRustfmt({ exitCode, stdout, stderr }: ProgramOutput): Report[] | null {
  const errors: Report[] = [];
  for (const [, message = '', path = '', line, column] of stderr.matchAll(
    /^error(?:\[\w+\])?: (.+)\n +--> (.+):(\d+):(\d+)$/gm,
  ))
    errors.push(syntaxError(path, line, column, message));
  const listed = stdout.split('\n').filter((line) => line !== '');
  if (exitCode !== 0 && errors.length + listed.length === 0) return null;
  return [
    ...errors,
    ...listed.map((path) => notFormatted(path, 'The file is not formatted as rustfmt would.')),
  ];
}

/** `node --check`: the place, the line, a caret under it, and the error. */
export function parseNodeCheck({ exitCode, stderr }: ProgramOutput): Report[] | null {
  if (exitCode === 0 && stderr.trim() === '') return [];
  const found = [
    ...stderr.matchAll(/^(?:file:\/\/)?(\/.+):(\d+)\n(?:.*\n)?( *)\^+\n(?:.*\n)*?(SyntaxError: .+)$/gm),
  ].map(([, path = '', line, indent = '', message = '']) =>
    syntaxError(path, line, String(indent.length + 1), message.replace('SyntaxError: ', '')),
  );
  if (found.length === 0) return null;
  // JSX and type annotations in a .js file are for a compiler, which the repository then has.
  return found.filter(
    ({ path, message }) => !(path?.endsWith('.js') === true && /Unexpected token '[<:]'/.test(message)),
  );
}

/** `bash -n`: `path: line N: message`. */
export function parseBashSyntax({ exitCode, stderr }: ProgramOutput): Report[] | null {
  const found = stderr.split('\n').flatMap((text) => {
    const [, path, line, message] = /^(.+?): line (\d+): (.+)$/.exec(text) ?? [];
    if (path === undefined || message === undefined || message.startsWith('`')) return [];
    return [syntaxError(path, line, undefined, message)];
  });
  return exitCode === 0 || found.length > 0 ? found : null;
}

/** `php -l`: `Parse error: message in path on line N`, on either stream. */
export function parsePhp(output: ProgramOutput): Report[] | null {
  const found = linesOf(output).flatMap((text) => {
    const [, message, path, line] =
      /^(?:PHP )?(?:Parse|Fatal) error: +(.+) in (.+) on line (\d+)$/.exec(text) ?? [];
    return path === undefined || message === undefined ? [] : [syntaxError(path, line, undefined, message)];
  });
  // PHP may print everything to both streams.
  const once = new Map(found.map((one) => [`${one.path} ${one.line} ${one.message}`, one]));
  return output.exitCode === 0 || once.size > 0 ? [...once.values()] : null;
}

/**
 * `ruby -c`: `path:line: message`; since 3.4 the message is `syntax errors found`, explained below
 * by lines with `^`.
 */
export function parseRuby({ exitCode, stderr }: ProgramOutput): Report[] | null {
  const found: Report[] = [];
  const carets = [...stderr.matchAll(/^ *\|? *\^+~* (.+)$/gm)].map(([, message]) => message ?? '');
  for (const [, path = '', line, message = ''] of stderr.matchAll(
    /^(?:ruby: )?([^\s:][^:\n]*):(\d+): (?:\1:\2: )?(.*)$/gm,
  )) {
    const reported = /^syntax errors? found/.test(message) ? (carets[0] ?? message) : message;
    if (!reported.startsWith('warning:'))
      found.push(syntaxError(path, line, undefined, reported.replace(/^syntax error, /, '')));
  }
  return exitCode === 0 || found.length > 0 ? found : null;
}
