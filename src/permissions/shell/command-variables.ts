/** Variables whose value is run as a command by bash or by the programs that get them. */
const commandVariable =
  /^(GIT_(PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PAGER|MANPAGER|BAT_PAGER|EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS|PROMPT_COMMAND|PS[014]|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|FZF_DEFAULT_COMMAND|MAILER|CC|CXX|RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WRAPPER)$/;

/** The command lines that assignments hand to others: of `GIT_PAGER='a b' git log` it is `a b`. */
export function commandsInVariables(assignments: readonly string[]): string[] {
  return assignments.flatMap((assignment) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(assignment) ?? [];
    if (!commandVariable.test(name)) return [];
    const inner = /^(['"])(.*)\1$/s.exec(value)?.[2] ?? value;
    const script = inner.replace(/^[|-]+\s*/, '');
    return script === '' ? [] : [script];
  });
}
