/** One line of the reply. */
export interface DoctorLine {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'unknown';
  readonly found: string;
}

const marks = { ok: '✅', missing: '❌', unknown: '❔' } as const;

/** Renders the reply to `doctor`: one line for each check. */
export function renderDoctor(lines: readonly DoctorLine[]): string {
  const missing = lines.filter(({ state }) => state === 'missing').length;
  const head =
    missing === 0 ? 'Everything that I can see is in place.' : `${missing} of ${lines.length} are missing.`;
  return [
    head,
    '',
    '| | | |',
    '|---|---|---|',
    ...lines.map(({ name, state, found }) => `| ${marks[state]} | ${cell(name)} | ${cell(found)} |`),
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
