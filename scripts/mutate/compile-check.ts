import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';

/**
 * Tells whether a file with other code still has correct types. Faults that `npm run check` refuses
 * need no test.
 *
 * @param root the folder with `tsconfig.json`
 * @param files relative to it: what may be asked for
 */
export function createCompileCheck(
  root: string,
  files: readonly string[],
): (file: string, code: string) => boolean {
  const settings = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(settings.config, ts.sys, root);
  const swapped = new Map<string, { version: number; code: string | null }>();
  const textOf = (file: string) => swapped.get(file)?.code ?? ts.sys.readFile(file);
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (at) => ts.sys.realpath?.(at) ?? at,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getScriptFileNames: () => files.map((file) => path.join(root, file)),
    getScriptVersion: (file) => String(swapped.get(file)?.version ?? 0),
    getScriptSnapshot: (file) => {
      const text = textOf(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return (file, code) => {
    const absolute = path.join(root, file);
    const version = (swapped.get(absolute)?.version ?? 0) + 1;
    swapped.set(absolute, { version, code });
    const wrong = [...service.getSyntacticDiagnostics(absolute), ...service.getSemanticDiagnostics(absolute)];
    swapped.set(absolute, { version: version + 1, code: readFileSync(absolute, 'utf8') });
    return wrong.length === 0;
  };
}
