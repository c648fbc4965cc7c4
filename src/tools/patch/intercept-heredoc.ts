/** An `apply_patch` call found in a shell command, in the form the tool takes it. */
export interface InterceptedPatch {
  readonly patch: string;
  /** The folder of a `cd` before it. */
  readonly workdir?: string;
}

const form =
  /^\s*(?:cd\s+(?:'(?<single>[^']+)'|"(?<double>[^"$`\\]+)"|(?<plain>[\w./@+-]+))\s*&&\s*)?apply_?patch\s+<<-?\s*(?:'(?<quoted>\w+)'|"(?<doubled>\w+)"|(?<bare>\w+))[ \t]*\n(?<body>[\s\S]*?)\n(?<end>\w+)\s*$/;

/**
 * The patch in a shell command that is nothing but `apply_patch <<'EOF' … EOF`, with at most a `cd folder &&`
 * before it; null for every other command, which is left to the shell and its gate.
 */
export function interceptHeredoc(command: string): InterceptedPatch | null {
  const groups = form.exec(command)?.groups;
  if (groups?.body === undefined) return null;
  const { end: word = '' } = groups;
  if (word !== (groups.quoted ?? groups.doubled ?? groups.bare) || groups.body.split('\n').includes(word))
    return null;
  if (!/^\s*\*\*\* Begin Patch/.test(groups.body)) return null;
  const workdir = groups.single ?? groups.double ?? groups.plain;
  const patch = `${groups.body}\n`;
  return workdir === undefined ? { patch } : { patch, workdir };
}
