/** An `apply_patch` call found in a shell command, in the form the tool takes it. */
export interface InterceptedPatch {
  readonly patch: string;
  /** The folder of a `cd` before it. */
  readonly workdir?: string;
}

const folder =
  /^\s*(?:cd\s+(?:'(?<single>[^']+)'|"(?<double>[^"$`\\]+)"|(?<plain>[\w./@+-]+))\s*&&\s*)?apply_?patch\s+/;
const heredoc =
  /^<<(?<dash>-?)\s*(?:'(?<quoted>\w+)'|"(?<doubled>\w+)"|(?<bare>\w+))[ \t]*\n(?<body>[\s\S]*?)\n(?<end>\t*\w+)\s*$/;
/** One argument in single quotes, inside which the shell changes nothing; a quote in it is written '\'' there. */
const argument = /^'(?<body>(?:[^']|'\\'')*)'\s*$/;

/**
 * The patch in a shell command that is nothing but `apply_patch <<'EOF' … EOF` or `apply_patch '…'`, with at
 * most a `cd folder &&` before it; null for every other command, which is left to the shell and its gate.
 */
export function interceptHeredoc(command: string): InterceptedPatch | null {
  const script = command.replaceAll('\r\n', '\n');
  const start = folder.exec(script);
  if (start === null) return null;
  const rest = script.slice(start[0].length);
  const body = argument.exec(rest)?.groups?.body?.replaceAll("'\\''", "'") ?? heredocBody(rest);
  if (body === null || !/^\s*\*\*\* Begin Patch/.test(body)) return null;
  // Here the line endings of a command mean nothing; those of the files are followed when it is applied.
  const patch = body.endsWith('\n') ? body : `${body}\n`;
  const workdir = start.groups?.single ?? start.groups?.double ?? start.groups?.plain;
  return workdir === undefined ? { patch } : { patch, workdir };
}

/** What a here-document holds, as the shell would hand it over, when nothing follows it (sh(1), "Here-Document"). */
function heredocBody(text: string): string | null {
  const groups = heredoc.exec(text)?.groups;
  if (groups?.body === undefined) return null;
  const untabbed = (line: string): string => (groups.dash === '-' ? line.replace(/^\t+/, '') : line);
  const word = groups.quoted ?? groups.doubled ?? groups.bare;
  const lines = groups.body.split('\n').map(untabbed);
  if (untabbed(groups.end ?? '') !== word || lines.includes(word)) return null;
  return lines.join('\n');
}
