/** An `apply_patch` call found in a shell command, as input of the tool. */
export interface InterceptedPatch {
  readonly patch: string;
  /** The folder of a `cd` before it. */
  readonly workdir?: string;
}

const folder =
  /^\s*(?:cd\s+(?:'(?<single>[^']+)'|"(?<double>[^"$`\\]+)"|(?<plain>[\w./@+-]+))\s*&&\s*)?apply_?patch\s+/;
const heredoc =
  /^<<(?<dash>-?)\s*(?:'(?<quoted>\w+)'|"(?<doubled>\w+)"|(?<bare>\w+))[ \t]*\n(?<body>[\s\S]*?)\n(?<end>\t*\w+)\s*$/;
/**
 * One single-quoted argument, in which the shell changes nothing; a quote is written '\'' there.
 */
const argument = /^'(?<body>(?:[^']|'\\'')*)'\s*$/;

/**
 * Extracts the patch of a shell command that is only `apply_patch <<'EOF' … EOF` or `apply_patch
 * '…'`, optionally after `cd folder &&`. Null for every other command, which goes to the shell and
 * the gate.
 */
export function interceptHeredoc(command: string): InterceptedPatch | null {
  const script = command.replaceAll('\r\n', '\n');
  const start = folder.exec(script);
  if (start === null) return null;
  const rest = script.slice(start[0].length);
  const body = argument.exec(rest)?.groups?.body?.replaceAll("'\\''", "'") ?? heredocBody(rest);
  if (body === null || !/^\s*\*\*\* Begin Patch/.test(body)) return null;
  // Line endings of a command have no meaning; those of the files apply.
  const patch = body.endsWith('\n') ? body : `${body}\n`;
  const workdir = start.groups?.single ?? start.groups?.double ?? start.groups?.plain;
  return workdir === undefined ? { patch } : { patch, workdir };
}

/** Returns the content of a here-document if nothing follows it (sh(1), "Here-Document"). */
function heredocBody(text: string): string | null {
  const groups = heredoc.exec(text)?.groups;
  if (groups?.body === undefined) return null;
  const untabbed = (line: string): string => (groups.dash === '-' ? line.replace(/^\t+/, '') : line);
  const word = groups.quoted ?? groups.doubled ?? groups.bare;
  const lines = groups.body.split('\n').map(untabbed);
  if (untabbed(groups.end ?? '') !== word || lines.includes(word)) return null;
  return lines.join('\n');
}
