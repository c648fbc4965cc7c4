import * as z from 'zod';
import { parseJson } from '../../contract/json.ts';
import type { ProgramOutput, Report } from './check-program.ts';

/** The JSON a program printed, in the expected form; null for anything else. */
function parsed<Output>(schema: z.ZodType<Output>, text: string): Output | null {
  return schema.safeParse(parseJson(text)).data ?? null;
}

const Eslint = z.array(
  z.object({
    filePath: z.string(),
    messages: z.array(
      z.object({
        ruleId: z.string().nullish(),
        severity: z.number(),
        message: z.string(),
        line: z.number().nullish(),
        column: z.number().nullish(),
        fatal: z.boolean().optional(),
      }),
    ),
  }),
);

/** ESLint documentation, "Formatters Reference", `json`. */
export function parseEslint({ stdout }: ProgramOutput): Report[] | null {
  const files = parsed(Eslint, stdout);
  if (files === null) return null;
  return files.flatMap(({ filePath, messages }) =>
    messages
      .filter(({ message }) => !message.startsWith('File ignored'))
      .map(({ ruleId, severity, message, line, column, fatal = false }) => ({
        path: filePath,
        line: line ?? null,
        column: column ?? null,
        severity: severity === 2 ? ('error' as const) : ('warning' as const),
        message,
        rule: ruleId ?? null,
        syntax: fatal,
      })),
  );
}

const Oxlint = z.object({
  diagnostics: z.array(
    z.object({
      message: z.string(),
      code: z.string().nullish(),
      severity: z.string(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number(), column: z.number() }) })),
    }),
  ),
});

/** Oxlint documentation, "Output formats", `json`. */
export function parseOxlint({ stdout }: ProgramOutput): Report[] | null {
  const report = parsed(Oxlint, stdout);
  if (report === null) return null;
  return report.diagnostics.map(({ message, code, severity, filename, labels }) => ({
    path: filename,
    line: labels[0]?.span.line ?? null,
    column: labels[0]?.span.column ?? null,
    severity: severity === 'error' ? 'error' : 'warning',
    message,
    rule: code ?? null,
    // Syntax errors have no rule.
    syntax: code === undefined || code === null,
  }));
}

const Ruff = z.array(
  z.object({
    code: z.string().nullish(),
    message: z.string(),
    filename: z.string().nullish(),
    location: z.object({ row: z.number(), column: z.number() }).nullish(),
  }),
);

/**
 * Ruff documentation, "The Ruff Linter": every finding makes `ruff check` fail, so each is an
 * error.
 */
export function parseRuff({ stdout }: ProgramOutput): Report[] | null {
  const found = parsed(Ruff, stdout);
  if (found === null) return null;
  return found.map(({ code, message, filename, location }) => ({
    path: filename ?? null,
    line: location?.row ?? null,
    column: location?.column ?? null,
    severity: 'error',
    message,
    rule: code ?? null,
    syntax: code === undefined || code === null || code === 'invalid-syntax',
  }));
}

const Shellcheck = z.object({
  comments: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      column: z.number(),
      level: z.string(),
      code: z.number(),
      message: z.string(),
    }),
  ),
});

/** ShellCheck's wiki, "Integration", `json1`. Codes from 1000 to 1999 are its parser's. */
export function parseShellcheck({ stdout }: ProgramOutput): Report[] | null {
  const report = parsed(Shellcheck, stdout);
  if (report === null) return null;
  return report.comments.map(({ file, line, column, level, code, message }) => ({
    path: file === '-' ? null : file,
    line,
    column,
    severity: level === 'error' ? 'error' : 'warning',
    message,
    rule: `SC${code}`,
    syntax: code < 2000 && level === 'error',
  }));
}

const PythonAst = z.array(
  z.object({
    path: z.string(),
    line: z.number().nullable(),
    column: z.number().nullable(),
    message: z.string(),
  }),
);

/** Parses the output of `pythonSyntaxScript`. */
export function parsePythonSyntax({ stdout }: ProgramOutput): Report[] | null {
  const found = parsed(PythonAst, stdout);
  return found?.map((one) => ({ ...one, severity: 'error' as const, rule: null, syntax: true })) ?? null;
}

/** Parses files and prints their syntax errors; runs and writes nothing. */
export const pythonSyntaxScript = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
found = []
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            ast.parse(file.read(), path)
    except SyntaxError as error:
        found.append({"path": path, "line": error.lineno, "column": error.offset, "message": error.msg})
    except (ValueError, RecursionError, MemoryError) as error:
        found.append({"path": path, "line": None, "column": None, "message": str(error)})
print(json.dumps(found))
`;
